import BookshelfClient
import Foundation
import TelexRuntime
import Testing

extension RealServerTests {
    @Suite("a bookshelf made of Django REST framework", .withDjango)
    struct BookshelfTests {
        private static func book(_ number: Int, title: String = "Dusk") -> Book.Input {
            Book.Input(
                isbn: "\(9_780_000_000_000 + number)", title: title, genre: .novel, price: 12.5)
        }

        private static func error<Value>(
            of operation: NetworkOperation<Value>
        ) async -> APIError? {
            do { _ = try await operation.value } catch { return error as? APIError }
            return nil
        }

        @Test(
            "a bookshelf logs in by a method's reply, and refuses wrong passwords in its own words")
        func logIn() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = server.manager()
                let error = await Self.error(
                    of: bookshelf.token.obtain(username: "ann", password: "wrong"))
                #expect(error?.status == 401)
                #expect(
                    error?.message == "No active account found with the given credentials")
                #expect(try await bookshelf.credentials.read() == nil)
                let reply = try await bookshelf.token.obtain(username: "ann", password: "correct")
                    .value
                let credential = try await bookshelf.credentials.read()
                #expect(credential?.token == reply.access)
                #expect(credential?.refreshToken == reply.refresh)
                #expect(try await bookshelf.books.list().value.count == 0)
            }
        }

        @Test("a bookshelf keeps books, changes and removes them, and leads from page to page")
        func pages() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = try await server.logIn()
                for number in 1...7 {
                    let book = Self.book(number, title: "Book \(number)")
                    #expect(try await bookshelf.books.add(book: book).value.id == number)
                }
                var pages: [[String]] = []
                for try await page in bookshelf.books.listPages(pageSize: 3).pages {
                    #expect(page.value.count == 7)
                    pages.append(page.items.map(\.title))
                }
                #expect(pages == [1...3, 4...6, 7...7].map { $0.map { "Book \($0)" } })
                let changed = try await bookshelf.books.change(id: 7, title: "Dawn").value
                #expect(changed.title == "Dawn" && changed.isbn == "9780000000007")
                #expect(changed.price == 12.5)
                try await bookshelf.books.remove(id: 7).value
                let error = await Self.error(of: bookshelf.books.get(id: 7))
                #expect(error?.code(in: Bookshelf.self) == .missing)
                #expect(error?.message == "Not found.")
            }
        }

        @Test("a bookshelf has an expired token refreshed once for all calls")
        func refresh() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = try await server.logIn(forSeconds: 0)
                let old = try await bookshelf.credentials.read()
                let calls = (0..<12).map { _ in bookshelf.books.list() }
                for call in calls { call.start() }
                for call in calls { #expect(try await call.value.count == 0) }
                #expect(try await server.counts == ["granted": 1, "refused": 0])
                let new = try await bookshelf.credentials.read()
                #expect(new?.token != old?.token && new?.refreshToken != old?.refreshToken)
            }
        }

        @Test(
            "a bookshelf gets the refresh token of the last refresh, because another one is refused"
        )
        func rotation() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = try await server.logIn(forSeconds: 0)
                let first = try #require(try await bookshelf.credentials.read())
                // The new token is refused, too: that ends the call after one refresh.
                try await server.limitTokens(toSeconds: 0)
                let error = await Self.error(of: bookshelf.books.list())
                #expect(error?.code(in: Bookshelf.self) == .invalidToken)
                #expect(try await server.counts == ["granted": 1, "refused": 0])
                try await server.limitTokens(toSeconds: 300)
                #expect(try await bookshelf.books.list().value.count == 0)
                #expect(try await server.counts == ["granted": 2, "refused": 0])

                let thief = server.manager()
                try await thief.logIn(first)
                let refusal = await Self.error(of: thief.books.list())
                #expect(refusal?.needsLogin == true && refusal?.phase == .auth)
                #expect(try await server.counts == ["granted": 2, "refused": 1])
            }
        }

        @Test("a bookshelf ends the login of all calls that wait for a refresh with a wrong token")
        func wrongRefreshToken() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = server.manager()
                try await bookshelf.logIn(Credential(token: "old", refreshToken: "wrong"))
                let calls = (0..<5).map { _ in bookshelf.books.list() }
                for call in calls { call.start() }
                for call in calls {
                    let error = await Self.error(of: call)
                    #expect(error?.needsLogin == true && error?.phase == .auth)
                    #expect(error?.description.contains("invalid or expired") == true)
                }
                #expect(try await server.counts == ["granted": 0, "refused": 1])
                _ = try await bookshelf.token.obtain(username: "ann", password: "correct").value
                #expect(try await bookshelf.books.list().value.count == 0)
            }
        }

        @Test("a bookshelf says which field is wrong, if the spec's rules have not done so before")
        func violations() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = try await server.logIn()
                _ = try await bookshelf.books.add(book: Self.book(1)).value
                let twice = await Self.error(of: bookshelf.books.add(book: Self.book(1)))
                #expect(twice?.code(in: Bookshelf.self) == .invalid)
                let text = "book with this isbn already exists."
                #expect(twice?.message == text && twice?.description.contains(text) == true)
                #expect(twice?.detail(as: Invalid.self)?.additional == ["isbn": [text]])

                let number = Self.book(2, title: "9780000000002")
                let general = await Self.error(of: bookshelf.books.add(book: number))
                #expect(general?.detail(as: Invalid.self)?.general == ["A title is no number."])
                #expect(general?.message == "A title is no number.")

                var unsent = Self.book(3, title: " ")
                unsent.isbn = "123"
                let own = await Self.error(of: bookshelf.books.add(book: unsent))
                #expect(own?.status == nil)
                #expect(Set(own?.violations.map { "\($0.path)" } ?? []) == ["isbn", "title"])
            }
        }

        @Test("a bookshelf stores a file, also when its token has expired")
        func upload() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = try await server.logIn()
                let id = try await bookshelf.books.add(book: Self.book(1)).value.id
                let picture = Data.seeded(5, count: 300_000)
                try server.folder.write("cover.png", picture)
                let file = UploadFile(path: server.folder.place("cover.png"), type: "image/png")
                var credential = try #require(try await bookshelf.credentials.read())
                credential.token = "old"
                try await bookshelf.credentials.save(credential)
                let cover = try await bookshelf.books.setCover(id: id, cover: file).value.cover
                #expect(try await server.counts == ["granted": 1, "refused": 0])
                let bytes = try await bookshelf.operation(address: cover.absoluteString).value
                #expect(bytes == picture)
                #expect(try await bookshelf.books.get(id: id).value.cover == cover)
                let text = UploadFile(bytes: Array("a".utf8), name: "a.txt", type: "text/plain")
                let refusal = await Self.error(of: bookshelf.books.setCover(id: id, cover: text))
                #expect(refusal?.violations.first?.rule == "mime" && refusal?.status == nil)
            }
        }

        @Test("a bookshelf made of Django REST framework has times with and without an offset")
        func times() async throws {
            try await BookshelfServer.run { server in
                let bookshelf = try await server.logIn()
                var book = Self.book(1)
                let finished = Date(timeIntervalSince1970: 1_769_860_800.25)
                (book.published, book.finished) = (Date(timeIntervalSince1970: 86_400), finished)
                let added = try await bookshelf.books.add(book: book).value
                #expect(added.finished == finished && added.published == book.published)
                // With an offset of 5:30 h that is ignored, it would be hours from now.
                #expect(abs(added.added.timeIntervalSinceNow) < 3_600)
                let changed = try await bookshelf.books.change(id: added.id, finished: .null).value
                #expect(changed.finished == nil && changed.added == added.added)
            }
        }
    }
}
