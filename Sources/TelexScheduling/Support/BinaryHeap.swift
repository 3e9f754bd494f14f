/// A priority queue: the least element is available at once; insertion and removal take O(log n).
struct BinaryHeap<Element: Comparable & Sendable>: Sendable {
    private var elements: [Element] = []

    var count: Int { elements.count }
    var least: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    @discardableResult
    mutating func removeLeast() -> Element? {
        guard let least = elements.first, let last = elements.popLast() else { return nil }
        guard !elements.isEmpty else { return least }
        elements[0] = last
        sink(0)
        return least
    }

    /// Keeps only the elements that satisfy the predicate.
    mutating func filter(_ isKept: (Element) -> Bool) {
        elements.removeAll { !isKept($0) }
        for parent in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(parent) }
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            var least = parent
            for child in (2 * parent + 1)...(2 * parent + 2) where child < elements.count {
                if elements[child] < elements[least] { least = child }
            }
            guard least != parent else { return }
            elements.swapAt(parent, least)
            parent = least
        }
    }
}
