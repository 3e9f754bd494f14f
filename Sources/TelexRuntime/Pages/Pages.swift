import TelexRequests
import TelexScheduling

/// A list that a server gives in pages. Nothing is sent before a page is asked for; each page is an
/// operation of its own, with the options of the call.
///
/// ```swift
/// for try await post in vk.wall.getPages(ownerID: 1).items {
///     if post.isPinned { break }    // no further page is loaded
/// }
/// ```
public struct Pages<Page: Sendable, Item: Sendable>: Sendable {
    /// Makes the operation that loads the page at a position.
    public typealias Load = @Sendable (_ position: PagePosition) -> NetworkOperation<Page>

    let rule: PageRule<Page>
    let hasMore: @Sendable (Page) -> Bool?
    let itemsOfPage: @Sendable (Page) -> [Item]
    let load: Load
    private var first = PagePosition.start

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - rule: How its pages follow one another.
    ///   - more: Returns false for the last page; nil if the page does not tell.
    ///   - items: Returns the items of a page.
    ///   - load: Makes the operation of a page.
    public init(
        _ rule: PageRule<Page>, more: @escaping @Sendable (Page) -> Bool? = { _ in nil },
        items: @escaping @Sendable (Page) -> [Item], load: @escaping Load
    ) {
        self.rule = rule
        hasMore = more
        itemsOfPage = items
        self.load = load
    }

    /// Creates a list whose pages have their items in a map.
    ///
    /// - Parameters:
    ///   - rule: How its pages follow one another.
    ///   - more: Returns false for the last page; nil if the page does not tell.
    ///   - values: Returns the map of a page; its values are the items, in the order of their keys.
    ///   - load: Makes the operation of a page.
    public init<Key: Comparable & Sendable>(
        _ rule: PageRule<Page>, more: @escaping @Sendable (Page) -> Bool? = { _ in nil },
        values: @escaping @Sendable (Page) -> [Key: Item], load: @escaping Load
    ) {
        self.init(
            rule, more: more, items: { values($0).sorted { $0.key < $1.key }.map(\.value) },
            load: load)
    }

    /// Returns the list from a position on, for example a stored ``LoadedPage/next``.
    ///
    /// - Parameter position: A position of this list. With one of another kind of list, loading
    ///   throws an ``OperationError`` with the reason `position`.
    public func starting(at position: PagePosition) -> Pages {
        var list = self
        list.first = position
        return list
    }

    /// The pages, one after another.
    public var pages: PageSequence<Page, Item> { PageSequence(cursor: cursor) }

    /// The items of all pages, one after another. A page is loaded when the items of the page before
    /// are used up.
    public var items: PageItems<Page, Item> { PageItems(pages: pages) }

    var cursor: PageCursor<Page, Item> { PageCursor(list: self, next: first) }
}

/// A page of a list.
public struct LoadedPage<Page: Sendable, Item: Sendable>: Sendable {
    /// The reply.
    public let value: Page
    /// Its items.
    public let items: [Item]
    /// Where it begins.
    public let position: PagePosition
    /// Where the next page begins; nil if there is none.
    public let next: PagePosition?
}

/// A place in a list, from which pages are loaded in order.
struct PageCursor<Page: Sendable, Item: Sendable>: Sendable {
    let list: Pages<Page, Item>
    /// Where the next page begins; nil at the end.
    private(set) var next: PagePosition?
    /// Where the loaded pages began, so that a list that leads back to one of them ends.
    private var visited: Set<PagePosition> = []

    init(list: Pages<Page, Item>, next: PagePosition) {
        self.list = list
        self.next = next
    }

    /// Loads the next page; nil at the end. After an error, the same page is loaded again.
    mutating func advance() async throws -> LoadedPage<Page, Item>? {
        guard let position = next else { return nil }
        guard list.rule.takes(position) else {
            throw OperationError(
                .position,
                description: "the list begins at \(list.rule.kind), not at \(position)")
        }
        let response = try await list.load(position).response
        let items = list.itemsOfPage(response.value)
        visited.insert(position)
        let isLast = list.hasMore(response.value) == false
        let following = isLast ? nil : list.rule.next(response, position, items.count)
        next = following.flatMap { visited.contains($0) ? nil : $0 }
        return LoadedPage(value: response.value, items: items, position: position, next: next)
    }
}

/// The pages of a list, loaded one after another.
public struct PageSequence<Page: Sendable, Item: Sendable>: AsyncSequence, Sendable {
    /// Loads pages in order.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        var cursor: PageCursor<Page, Item>

        /// Loads the next page; nil at the end.
        ///
        /// - Throws: The error of the operation. The next call loads the same page again.
        public mutating func next() async throws -> LoadedPage<Page, Item>? {
            try await cursor.advance()
        }
    }

    let cursor: PageCursor<Page, Item>

    /// Begins at the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(cursor: cursor) }
}

/// The items of all pages of a list.
public struct PageItems<Page: Sendable, Item: Sendable>: AsyncSequence, Sendable {
    /// Loads a page when the items of the page before are used up.
    public struct Iterator: AsyncIteratorProtocol, Sendable {
        private var pages: PageSequence<Page, Item>.Iterator
        private var items: ArraySlice<Item> = []

        init(pages: PageSequence<Page, Item>.Iterator) {
            self.pages = pages
        }

        /// Returns the next item; nil at the end.
        ///
        /// - Throws: The error of the operation. The next call loads the same page again.
        public mutating func next() async throws -> Item? {
            while items.isEmpty {
                guard let page = try await pages.next() else { return nil }
                items = page.items[...]
            }
            return items.popFirst()
        }
    }

    let pages: PageSequence<Page, Item>

    /// Begins at the first item.
    public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }
}
