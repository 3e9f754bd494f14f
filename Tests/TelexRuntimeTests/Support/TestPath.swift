import Foundation
import TelexTesting

@testable import TelexRuntime

/// A path for a credential file, which is removed with its lock files at the end.
final class TestPath: Sendable {
    let path = temporaryPath()
    var store: FileCredentialStore { FileCredentialStore(path: path) }

    deinit {
        for name in ["", ".lock", ".write.lock", ".write.tmp"] { unlink(path + name) }
    }

    func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
    }
}
