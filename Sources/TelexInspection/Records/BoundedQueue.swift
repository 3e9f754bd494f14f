/// The newest elements within a number and a size. The oldest ones make room, and are counted.
package struct BoundedQueue<Element: Sendable>: Sendable {
    /// The elements and their sizes; `nil` in place of a removed one.
    private var items: [(element: Element, size: Int)?] = []
    /// The index of the first kept item; the places before it are removed in batches.
    private var first = 0
    private var bytes = 0
    private let most: (count: Int, bytes: Int)
    /// The number of elements that made room for newer ones.
    package private(set) var dropped = 0

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - count: The maximum number of elements.
    ///   - bytes: The maximum sum of their sizes; one element is kept even if it is larger.
    package init(count: Int, bytes: Int) {
        most = (max(1, count), max(0, bytes))
    }

    package var count: Int { items.count - first }

    /// The elements, the oldest first.
    package var elements: [Element] { items.compactMap { $0?.element } }

    /// The size of the oldest element; `nil` if there is none.
    package var firstSize: Int? { items.indices.contains(first) ? items[first]?.size : nil }

    package mutating func clear() {
        (items, first, bytes, dropped) = ([], 0, 0, 0)
    }

    package mutating func append(_ element: Element, size: Int) {
        items.append((element, size))
        bytes += size
        while count > 1, count > most.count || bytes > most.bytes {
            _ = popFirst()
            dropped += 1
        }
    }

    /// Removes the oldest element and returns it; `nil` if there is none.
    package mutating func popFirst() -> Element? {
        guard items.indices.contains(first), let item = items[first] else { return nil }
        items[first] = nil
        bytes -= item.size
        first += 1
        // Removing in batches makes the cost independent of the number of elements.
        if first > items.count / 2 {
            items.removeFirst(first)
            first = 0
        }
        return item.element
    }
}
