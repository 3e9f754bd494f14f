extension NetworkOperation: CustomReflectable {
    /// Shows the description and nothing else: what the operation will send may be secret.
    public var customMirror: Mirror { Mirror(self, children: ["operation": description]) }
}
