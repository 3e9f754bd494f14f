import TelexCompiler

/// Where the server finds files that are not open in the editor. The server itself reads none.
public struct FileSource: Sendable {
    /// The bytes of a file by its path; nil if it cannot be read.
    public var file: @Sendable (String) -> [UInt8]?
    /// A spec folder by its path.
    public var folder: @Sendable (String) -> SpecFolder

    /// Creates a source.
    public init(
        file: @escaping @Sendable (String) -> [UInt8]?,
        folder: @escaping @Sendable (String) -> SpecFolder
    ) {
        self.file = file
        self.folder = folder
    }
}
