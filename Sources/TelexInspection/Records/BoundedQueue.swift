/// The newest elements within a number and a size. The oldest ones make room, and are counted.
package struct BoundedQueue<Element: Sendable>: Sendable {
    /// The elements and their sizes; `nil` in place of a removed one.
    private var items: [(element: Element, size: Int)?] = []
    /// The index of the oldest element; the places before it are removed in batches.
    private var start = 0
    /// The number of the element in the first place.
    private var base = 1
    private var bytes = 0
    private let most: (count: Int, bytes: Int)
    /// The number of elements that made room for newer ones.
    package private(set) var dropped = 0

    /// Makes an empty queue.
    ///
    /// - Parameters:
    ///   - count: The maximum number of elements; at least 1.
    ///   - bytes: The maximum sum of their sizes; one element is kept even if it is larger.
    package init(count: Int, bytes: Int) {
        most = (max(1, count), max(0, bytes))
    }

    package var count: Int { items.count - start }

    /// The numbers of the elements, from 1: each element has the next one, also after others are
    /// removed.
    package var numbers: Range<Int> { base + start..<base + items.count }

    /// The elements, the oldest first.
    package var elements: [Element] { items.compactMap { $0?.element } }

    /// The size of the oldest element; `nil` if there is none.
    package var firstSize: Int? { items.indices.contains(start) ? items[start]?.size : nil }

    /// The element with a number; `nil` if it is not kept.
    package subscript(number: Int) -> Element? {
        numbers.contains(number) ? items[number - base]?.element : nil
    }

    package mutating func clear() {
        base += items.count
        (items, start, bytes, dropped) = ([], 0, 0, 0)
    }

    /// Adds an element. Returns those that made room for it.
    @discardableResult
    package mutating func append(_ element: Element, size: Int) -> [Element] {
        items.append((element, size))
        bytes += size
        return shrink()
    }

    /// Changes an element, which has to be kept, in place.
    ///
    /// - Parameter change: Returns the new size of the element.
    /// - Returns: The elements that made room for it.
    package mutating func update(
        _ number: Int, _ change: (inout Element) -> Int
    ) -> [Element] {
        guard numbers.contains(number), var item = items[number - base] else { return [] }
        // A second reference would have the change copy the element.
        items[number - base] = nil
        bytes -= item.size
        item.size = change(&item.element)
        bytes += item.size
        items[number - base] = item
        return shrink()
    }

    /// Removes the oldest element and returns it; `nil` if there is none.
    package mutating func popFirst() -> Element? {
        guard items.indices.contains(start), let item = items[start] else { return nil }
        items[start] = nil
        bytes -= item.size
        start += 1
        // Removing in batches makes the cost independent of the number of elements.
        if start > items.count / 2 {
            items.removeFirst(start)
            (base, start) = (base + start, 0)
        }
        return item.element
    }

    private mutating func shrink() -> [Element] {
        var removed: [Element] = []
        while count > 1, count > most.count || bytes > most.bytes, let element = popFirst() {
            removed.append(element)
        }
        dropped += removed.count
        return removed
    }
}
