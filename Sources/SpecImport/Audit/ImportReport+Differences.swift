extension ImportReport.Kind {
    private init(difference: String, _ effect: ImportReport.Effect, _ instead: String) {
        self.init("differs: " + difference, effect: effect, instead: instead)
    }

    static let missingOperation = Self(
        difference: "operation is missing", .uncallable, "nothing")
    static let missingParameter = Self(
        difference: "parameter is missing", .uncallable, "nothing")
    static let otherMediaType = Self(
        difference: "media type", .uncallable, "another form of the body")
    static let otherPath = Self(difference: "path", .uncallable, "a placeholder of one segment")
    static let otherSecurity = Self(difference: "security", .uncallable, "other tokens")
    static let otherServer = Self(difference: "server", .uncallable, "another address")
    static let otherStyle = Self(
        difference: "list style", .uncallable, "another form of lists or parts")
    static let notAFile = Self(difference: "file", .uncallable, "a text")
    static let missingField = Self(difference: "field is missing", .missing, "nothing")
    static let missingReply = Self(
        difference: "reply is missing", .missing, "a reply without a value")
    static let otherStatus = Self(
        difference: "reply status", .missing, "the value of another status")
    static let otherPresence = Self(difference: "required", .missing, "another presence")
    static let otherDirection = Self(
        difference: "direction", .missing, "a field in both directions")
    static let otherNull = Self(
        difference: "null", .missing, "null is refused, or allowed in addition")
    static let otherKind = Self(difference: "kind", .missing, "another kind of JSON")
    static let otherFurtherKeys = Self(
        difference: "further keys", .missing, "further keys are ignored")
    static let looser = Self(difference: "looser", .looser, "a type that says less")
    static let unreadKey = Self(
        "key that the import does not read", effect: .noise, instead: "left out")
}
