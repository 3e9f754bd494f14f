import TelexJSON
import TelexRequests

/// A list that is loaded page by page, for example while a view scrolls.
///
/// ```swift
/// let pager = Pager(vk.wall.getPages(ownerID: 1))
/// let posts = try await pager.loadNext()
/// ```
public final class Pager<Page: Sendable, Item: Sendable>: Sendable {
    private struct State {
        var cursor: PageCursor<Page, Item>
        var items: [Item] = []
        var loading: Task<[Item], any Error>?
        /// The number of resets. A page that was asked for before the last one is dropped.
        var resets = 0
    }

    private let list: Pages<Page, Item>
    private let state: Lock<State>

    /// Creates a pager at the beginning of a list. Nothing is sent yet.
    public init(_ list: Pages<Page, Item>) {
        self.list = list
        state = Lock(State(cursor: list.cursor))
    }

    /// The items of all loaded pages.
    public var items: [Item] { state.withLock { $0.items } }

    /// Whether all pages are loaded.
    public var isAtEnd: Bool { position == nil }

    /// Where the next page begins; nil at the end.
    public var position: PagePosition? { state.withLock { $0.cursor.next } }

    /// Loads the next page. Further calls wait for a page that is being loaded, and return it, too.
    /// Cancelling the task of a call does not stop the page, because others may wait for it;
    /// ``reset()`` does.
    ///
    /// - Returns: The items of the page; none at the end of the list.
    /// - Throws: The error of the operation; the next call loads the same page again. After a
    ///   ``reset()``, `CancellationError`.
    @discardableResult
    public func loadNext() async throws -> [Item] {
        try await loading().value
    }

    /// Returns the task that loads the next page, which begins now unless there is one.
    func loading() -> Task<[Item], any Error> {
        state.withLock { state in
            if let loading = state.loading { return loading }
            let (cursor, resets) = (state.cursor, state.resets)
            let task = Task { try await self.load(cursor, resets) }
            state.loading = task
            return task
        }
    }

    private func load(_ cursor: PageCursor<Page, Item>, _ resets: Int) async throws -> [Item] {
        var cursor = cursor
        let result: Result<[Item], any Error>
        do {
            result = .success(try await cursor.advance()?.items ?? [])
        } catch {
            result = .failure(error)
        }
        let end = cursor
        return try state.withLock { state in
            guard state.resets == resets else { throw CancellationError() }
            state.loading = nil
            let items = try result.get()
            state.cursor = end
            state.items += items
            return items
        }
    }

    /// Returns to the beginning of the list and removes all items. A page that is being loaded is
    /// cancelled.
    public func reset() {
        let loading = state.withLock { state in
            let loading = state.loading
            state = State(cursor: list.cursor, resets: state.resets + 1)
            return loading
        }
        loading?.cancel()
    }
}
