import Foundation

extension FoundationOperation {
    /// The key paths that `OperationQueue` observes.
    enum Key: String {
        case executing = "isExecuting"
        case finished = "isFinished"
    }

    #if canImport(ObjectiveC)
        // By string, because the queue observes the getters' names, not the properties' Objective-C
        // names `executing` and `finished`.
        func willChange(_ key: Key) { willChangeValue(forKey: key.rawValue) }

        func didChange(_ key: Key) { didChangeValue(forKey: key.rawValue) }
    #else
        func willChange(_ key: Key) {
            switch key {
            case .executing: willChangeValue(for: \.isExecuting)
            case .finished: willChangeValue(for: \.isFinished)
            }
        }

        func didChange(_ key: Key) {
            switch key {
            case .executing: didChangeValue(for: \.isExecuting)
            case .finished: didChangeValue(for: \.isFinished)
            }
        }
    #endif
}
