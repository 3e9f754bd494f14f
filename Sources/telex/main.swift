import Foundation
import SpecDiagnostics
import TelexCompiler
let folder = CommandLine.arguments[2]
let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
let files = try names.map { SpecFolder.File(relativePath: $0, shownPath: folder + "/" + $0, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/" + $0)))) }
let c = TelexCompiler.compile(SpecFolder(shownPath: folder, files: files))
print(TerminalRenderer().render(c.diagnostics, in: c.sources))
if CommandLine.arguments.count > 4 { try FileManager.default.createDirectory(atPath: CommandLine.arguments[4], withIntermediateDirectories: true); for f in c.files { try f.text.write(toFile: CommandLine.arguments[4] + "/" + f.name, atomically: true, encoding: .utf8) } }
