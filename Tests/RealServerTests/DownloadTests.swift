import Foundation
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("a download from an nginx", .withNginx)
    struct DownloadTests {
        /// What `nginx.conf` lets a connection bring.
        private static let part = 4 << 20
        private static let film = Data.seeded(1, count: 30_000_000)

        /// Acts each time that a connection has brought its part, as long as there are more.
        private func cutting(
            _ download: DownloadOperation, of size: Int, _ nginx: Nginx,
            by act: (_ cut: Int) async throws -> Void
        ) async throws -> DownloadedFile {
            var (received, cuts) = (0, 0)
            download.start()
            while size - received > Self.part {
                let goal = received + Self.part
                try await eventually("byte \(goal) of a download") {
                    nginx.folder.size("film.part") >= goal
                }
                received = nginx.folder.size("film.part")
                cuts += 1
                try await act(cuts)
            }
            return try await download.value
        }

        private func download(_ place: String, _ nginx: Nginx) -> DownloadOperation {
            APIManager(at: nginx.address).operation(
                RealRequests.download(place, "film", to: nginx.folder.place("film")))
        }

        /// Expects the whole file, and nothing beside it that the download needed.
        private func expect(
            _ data: Data, _ file: DownloadedFile, _ nginx: Nginx
        ) throws {
            #expect(file.bytes == data.count)
            #expect(try nginx.folder.read("film") == data)
            #expect(try nginx.folder.names().filter { $0.hasPrefix("film") } == ["film"])
        }

        @Test("goes on after each lost connection where it was")
        func cut() async throws {
            try await Nginx.run { nginx in
                try nginx.folder.write("data/files/film", Self.film)
                let download = download("slow", nginx)
                let file = try await cutting(download, of: Self.film.count, nginx) { _ in
                    try nginx.cut()
                }
                try expect(Self.film, file, nginx)
                #expect(download.attempts.count == 8)
                let log = try await nginx.log(ofLength: 8)
                #expect(log.map(\.status) == [200, 206, 206, 206, 206, 206, 206, 206])
                let starts = log.compactMap { Int($0.range.dropFirst(6).dropLast()) }
                #expect(starts.count == 7)
                #expect(starts == starts.sorted())
                #expect(zip(starts, 1...).allSatisfy { $0 >= $1 * Self.part })
                #expect(Set(log.dropFirst().map(\.ifRange)).count == 1)
                #expect(log.last?.ifRange.hasPrefix("\"") == true)
            }
        }

        @Test("that is suspended while its connection goes asks for the rest when it is resumed")
        func suspended() async throws {
            try await Nginx.run { nginx in
                let film = Self.film.prefix(10_000_000)
                try nginx.folder.write("data/files/film", film)
                let download = download("slow", nginx)
                let file = try await cutting(download, of: film.count, nginx) { cut in
                    download.suspend()
                    try nginx.cut()
                    _ = try await nginx.log(ofLength: cut)
                    #expect(download.state == .suspended)
                    download.resume()
                }
                try expect(film, file, nginx)
                let log = try await nginx.log(ofLength: 3)
                #expect(log.map(\.status) == [200, 206, 206])
                #expect(log.map(\.ifRange.isEmpty) == [true, false, false])
            }
        }

        @Test("of a file that becomes another begins again, and mixes nothing", arguments: [1, 2])
        func changed(after cuts: Int) async throws {
            try await Nginx.run { nginx in
                let old = Self.film.prefix(20_000_000)
                let new = Data.seeded(2, count: 3_000_000)
                try nginx.folder.write("data/files/film", old)
                let download = download("slow", nginx)
                let size = (cuts + 1) * Self.part
                let file = try await cutting(download, of: size, nginx) { cut in
                    if cut == cuts { try nginx.folder.write("data/files/film", new) }
                    try nginx.cut()
                }
                try expect(new, file, nginx)
                let log = try await nginx.log(ofLength: cuts + 1)
                #expect(log.map(\.status) == (cuts == 1 ? [200, 200] : [200, 206, 200]))
                #expect(log.last?.range.isEmpty == false)
            }
        }

        @Test("that cannot be had in parts is fetched whole again")
        func whole() async throws {
            try await Nginx.run { nginx in
                let film = Self.film.prefix(10_000_000)
                try nginx.folder.write("data/files/film", film)
                let download = download("whole", nginx)
                let file = try await cutting(download, of: Self.part + 1, nginx) { _ in
                    try nginx.cut()
                }
                try expect(film, file, nginx)
                let log = try await nginx.log(ofLength: 2)
                #expect(log.map(\.status) == [200, 200])
                #expect(log.map(\.range.isEmpty) == [true, false])
            }
        }
    }
}
