import Foundation

/// The executables that were built with these tests.
public enum BuiltProgram {
    /// The path of an executable; nil if it was not built. It lies in a folder around the test
    /// bundle, which is the process itself on Linux, and on a Mac an argument of the process or
    /// loaded into it.
    public static func path(named name: String) -> String? {
        let starts = CommandLine.arguments.filter { $0.contains(".xctest") }
        let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        return (starts + bundles).lazy.compactMap { find(name, around: $0) }.first
    }

    private static func find(_ name: String, around path: String) -> String? {
        var folder = URL(fileURLWithPath: path)
        for _ in 0..<5 {
            folder.deleteLastPathComponent()
            let tool = folder.appendingPathComponent(name).path
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: tool, isDirectory: &isFolder)
            if exists, !isFolder.boolValue { return tool }
        }
        return nil
    }
}
