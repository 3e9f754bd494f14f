import ArgumentParser
import Foundation

/// A folder that is given in place of the root file of a description.
enum DescriptionFolder {
    /// The path itself, or the root file of a folder: the only one in it that says `openapi` or
    /// `swagger`, or the one of these with a usual name.
    static func rootFile(of path: String) throws -> String {
        let url = URL(fileURLWithPath: path)
        guard FolderWalk.isFolder(url) else { return path }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let roots = names.sorted().filter { name in
            ["yaml", "yml", "json"].contains(url.appendingPathComponent(name).pathExtension)
                && isRoot(url.appendingPathComponent(name))
        }
        let usual = roots.filter { name in
            ["openapi", "swagger", "root", "index"].contains { name.hasPrefix($0 + ".") }
        }
        guard let root = roots.count == 1 ? roots[0] : usual.count == 1 ? usual[0] : nil else {
            let found = roots.isEmpty ? "none" : roots.prefix(5).joined(separator: ", ")
            throw ValidationError(
                "\(path) is a folder; expected one file in it that begins an OpenAPI description, "
                    + "found \(found). Name the file.")
        }
        return path.hasSuffix("/") ? path + root : path + "/" + root
    }

    /// Whether the beginning of a file has the key of a description.
    private static func isRoot(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url),
            let data = try? file.read(upToCount: 1 << 16)
        else { return false }
        let text = String(decoding: data, as: UTF8.self)
        return text.contains(#/(?m)^\s*[{"']*\s*["']?(openapi|swagger)["']?\s*:/#)
    }
}
