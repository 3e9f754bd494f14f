import Foundation

extension FoundationOperation {
    /// What `OperationQueue` observes.
    enum Key: String {
        case executing = "isExecuting"
        case finished = "isFinished"
    }

    #if canImport(ObjectiveC)
        // By name: the properties' names in Objective-C are `executing` and `finished`, but the queue
        // observes those of their getters.
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
