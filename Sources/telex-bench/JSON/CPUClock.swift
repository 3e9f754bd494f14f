import Foundation

/// Measures CPU seconds of the calling thread, because wall-clock time would include other threads
/// and processes.
enum CPUClock {
    /// The best time of each of two bodies, run alternately.
    ///
    /// - Throws: If a body returns 0, because it has done nothing measurable.
    static func sideBySide(
        _ one: () throws -> Int, _ other: () throws -> Int
    ) throws -> (Double, Double) {
        var best = (Double.infinity, Double.infinity)
        for _ in 0..<5 {
            best.0 = min(best.0, try time(one))
            best.1 = min(best.1, try time(other))
        }
        return best
    }

    /// The best time of a body on the calling thread and on another one, run alternately.
    static func onTwoThreads(_ body: @escaping () throws -> Int) throws -> (Double, Double) {
        var best = (Double.infinity, Double.infinity)
        for _ in 0..<5 {
            best.0 = min(best.0, try time(body))
            best.1 = min(best.1, try onAnotherThread { try time(body) })
        }
        return best
    }

    /// The seconds for one run, as an average of at least 60 ms of runs. The clock is read rarely,
    /// because a look at it takes a tenth of the shortest run.
    static func time(_ body: () throws -> Int) throws -> Double {
        var (runs, batch) = (0, 1)
        let start = now()
        repeat {
            for _ in 0..<batch where try body() == 0 {
                throw BenchmarkFailure("the measured work returned nothing")
            }
            runs += batch
            batch = min(batch * 2, 64)
        } while now() - start < 0.06
        return (now() - start) / Double(runs)
    }

    /// The seconds of CPU time that the calling thread has used.
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func onAnotherThread<Value: Sendable>(
        _ body: @escaping () throws -> Value
    ) throws -> Value {
        // The calling thread waits until the other one has ended its work.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var result: Result<Value, any Error>?
        let isDone = DispatchSemaphore(value: 0)
        Thread {
            result = Result(catching: body)
            isDone.signal()
        }.start()
        isDone.wait()
        guard let result else { throw BenchmarkFailure("the other thread did not run") }
        return try result.get()
    }
}
