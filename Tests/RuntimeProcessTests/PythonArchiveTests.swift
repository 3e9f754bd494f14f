import Foundation
import ProcessSupport
import TemplaterTestSupport
import Testing

@testable import TelexTemplater

@Suite("A zip archive of Python's zipfile")
struct PythonArchiveTests {
    @Test("a zip archive of Python's zipfile is read, and refused if it is packed otherwise")
    func python() async throws {
        let folder = try StoreFolder()
        let script = """
            import zipfile
            def pack(name, method, **more):
                with zipfile.ZipFile(name, "w", method, **more) as archive:
                    archive.mkdir("d") if hasattr(archive, "mkdir") else None
                    archive.writestr("d/users.get.json", '{"id": 1}' * 100)
                    with archive.open("streamed.json", "w") as file: file.write(b"[1, 2]")
            pack("stored.zip", zipfile.ZIP_STORED)
            pack("deflated.zip", zipfile.ZIP_DEFLATED)
            pack("bzip2.zip", zipfile.ZIP_BZIP2)
            with zipfile.ZipFile("big.zip", "w") as archive:
                with archive.open("a.json", "w", force_zip64=True) as file: file.write(b"[1]")
            """
        let run = try await Run.program(
            "/usr/bin/env", ["python3", "-c", script], in: URL(filePath: folder.path))
        try #require(run.status == 0, "\(run.errors)")
        for name in ["stored.zip", "deflated.zip", "big.zip"] {
            let files = try ZipArchive(Array(Data(contentsOf: folder.url(name)))).files
            if name == "big.zip" {
                #expect(files.map(\.bytes) == [Array("[1]".utf8)])
            } else {
                #expect(files.map(\.path) == ["d/users.get.json", "streamed.json"])
                #expect(files.map(\.bytes.count) == [900, 6])
            }
        }
        #expect(throws: ZipArchive.Problem.self) {
            try ZipArchive(Array(Data(contentsOf: folder.url("bzip2.zip"))))
        }
    }
}
