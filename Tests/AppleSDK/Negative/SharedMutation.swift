// error: mutation of captured var 'count' in concurrently-executing code
import Foundation

/// Changes a variable in a block that another thread may run.
enum SharedMutation {
    static func count(on queue: OperationQueue) -> Int {
        var count = 0
        queue.addOperation { count += 1 }
        return count
    }
}
