import Foundation
import RuntimeTestSupport
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("a download from an nginx", .withNginx)
    struct NginxDownloadTests {
        /// The bytes that `nginx.conf` lets a connection send at full speed.
        private static let part = 4 << 20
        private static let film = Data.seeded(1, count: 30_000_000)

        /// Calls `act` each time a connection has delivered its part of `data`, while there is more
        /// and the download has not ended.
        private func follow(
            _ download: DownloadOperation, of data: Data, from nginx: Nginx,
            by act: (_ count: Int) async throws -> Void
        ) async throws {
            var (received, count) = (0, 0)
            while data.count - received > Self.part {
                let goal = received + Self.part
                try await waitUntil {
                    if download.state.isTerminal { return true }
                    guard nginx.folder.size("film.part") >= goal else { return false }
                    return try nginx.folder.read("film.part").starts(with: data.prefix(16))
                }
                guard download.state.isActive else { return }
                received = nginx.folder.size("film.part")
                count += 1
                try await act(count)
            }
        }

        /// Gives nginx a file, and starts its download.
        private func start(_ film: Data, _ place: String, _ nginx: Nginx) throws
            -> DownloadOperation
        {
            try nginx.folder.write("data/files/film", film)
            let download = TestAPI.manager(at: nginx.address).operation(
                ServerRequests.download(place, "film", to: nginx.folder.place("film")))
            download.start()
            return download
        }

        /// Expects the whole file, and no other file of the download.
        private func expect(
            _ data: Data, _ file: DownloadedFile, _ nginx: Nginx
        ) throws {
            #expect(file.bytes == data.count)
            #expect(try nginx.folder.read("film") == data)
            #expect(try nginx.folder.names().filter { $0.hasPrefix("film") } == ["film"])
        }

        @Test("a download from an nginx continues where it was after each lost connection")
        func cut() async throws {
            try await Nginx.run { nginx in
                let download = try start(Self.film, "slow", nginx)
                try await follow(download, of: Self.film, from: nginx) { _ in try nginx.cut() }
                try expect(Self.film, try await download.value, nginx)
                #expect(download.attempts.count == 8)
                let log = try await nginx.log(ofLength: 8)
                #expect(log.map(\.status) == [200, 206, 206, 206, 206, 206, 206, 206])
                let starts = log.compactMap { Int($0.range.dropFirst(6).dropLast()) }
                #expect(starts.count == 7)
                #expect(zip(starts, 1...).allSatisfy { $0 >= $1 * Self.part })
                #expect(Set(log.dropFirst().map(\.ifRange)).count == 1)
                #expect(log.last?.ifRange.hasPrefix("\"") == true)
            }
        }

        @Test("a suspended download that loses its connection requests the rest when it is resumed")
        func suspended() async throws {
            try await Nginx.run { nginx in
                let film = Self.film.prefix(10_000_000)
                let download = try start(film, "slow", nginx)
                try await follow(download, of: film, from: nginx) { count in
                    download.suspend()
                    try nginx.cut()
                    _ = try await nginx.log(ofLength: count)
                    #expect(download.state == .suspended)
                    download.resume()
                }
                try expect(film, try await download.value, nginx)
                let log = try await nginx.log(ofLength: 3)
                #expect(log.map(\.status) == [200, 206, 206])
                #expect(log.map(\.ifRange.isEmpty) == [true, false, false])
            }
        }

        /// The new file is longer than the part of the old one after one cut, and shorter after
        /// two.
        @Test(
            "a download from an nginx of a file that changes begins again, and mixes no bytes",
            arguments: [1, 2])
        func changed(after cuts: Int) async throws {
            try await Nginx.run { nginx in
                let new = Data.seeded(2, count: 7_000_000)
                let download = try start(Self.film.prefix(20_000_000), "slow", nginx)
                try await follow(
                    download, of: Self.film.prefix((cuts + 1) * Self.part), from: nginx
                ) {
                    count in
                    if count == cuts { try nginx.folder.write("data/files/film", new) }
                    try nginx.cut()
                }
                try await follow(download, of: new, from: nginx) { _ in try nginx.cut() }
                try expect(new, try await download.value, nginx)
                let log = try await nginx.log(ofLength: cuts + 2)
                #expect(log.map(\.status) == (cuts == 1 ? [200, 200, 206] : [200, 206, 200, 206]))
                #expect(log.map(\.range.isEmpty).dropFirst().allSatisfy { !$0 })
                #expect(Set(log.dropFirst().map(\.ifRange)).count == 2)
            }
        }

        @Test("a download from an nginx from a server without ranges is fetched whole again")
        func whole() async throws {
            try await Nginx.run { nginx in
                let film = Self.film.prefix(10_000_000)
                let download = try start(film, "whole", nginx)
                try await follow(download, of: film.prefix(Self.part + 1), from: nginx) { _ in
                    try nginx.cut()
                }
                try expect(film, try await download.value, nginx)
                let log = try await nginx.log(ofLength: 2)
                #expect(log.map(\.status) == [200, 200])
                #expect(log.map(\.range.isEmpty) == [true, false])
            }
        }
    }
}
