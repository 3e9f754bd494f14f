import Foundation
import ProcessSupport

/// The spec with a union for each way of telling alternatives apart. `ClientTests` use its output.
enum UnionsSpec {
    /// The files of `specs/drawings`; an unreadable one is empty, which is no valid spec.
    static var spec: TestSpec {
        let folder = SwiftToolchain.root.appending(path: "specs/drawings")
        let files = ["api.yaml", "drawings.yaml"].map { name in
            (name, (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? "")
        }
        return TestSpec(files: Dictionary(uniqueKeysWithValues: files))
    }
}
