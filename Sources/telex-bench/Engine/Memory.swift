import Foundation

/// The memory use of this process.
enum Memory {
    /// The resident bytes, after free memory has been returned to the system.
    static var resident: Int {
        #if canImport(Darwin)
            // Uses the process identifier, because the task port (`mach_task_self`) is a variable
            // in Swift and its use is not concurrency-safe.
            var info = proc_taskinfo()
            let size = Int32(MemoryLayout<proc_taskinfo>.size)
            let filled = proc_pidinfo(getpid(), PROC_PIDTASKINFO, 0, &info, size)
            return filled == size ? Int(info.pti_resident_size) : 0
        #else
            GNULibrary.trim()
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * sysconf(Int32(_SC_PAGESIZE))
        #endif
    }

    /// By how many bytes `body` raises the resident memory at its highest; nil where the system does not
    /// count that (Linux does).
    static func peak(of body: () -> Void) -> Int? {
        let before = resident
        let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
        guard let reset, (try? reset.write(contentsOf: Data("5".utf8))) != nil else { return nil }
        body()
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        // VmHWM:     12345 kB
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }.map { max($0 * 1024 - before, 0) }
    }

    /// The allocated bytes. Unlike the resident bytes, they do not depend on fragmentation.
    static var allocated: Int {
        #if canImport(Darwin)
            var statistics = malloc_statistics_t()
            malloc_zone_statistics(nil, &statistics)
            return Int(statistics.size_in_use)
        #else
            GNULibrary.allocated ?? resident
        #endif
    }
}

#if !canImport(Darwin)
    /// Functions of the GNU C library that its Swift module does not export.
    private enum GNULibrary {
        static func trim() {
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            typealias Trim = @convention(c) (Int) -> Int32
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        }

        /// The allocated bytes according to `malloc_info`: the size of the heaps minus their free
        /// memory. nil where the function does not exist.
        static var allocated: Int? {
            guard let text = info(), let end = text.range(of: "</heap>", options: .backwards) else {
                return nil
            }
            let totals = text[end.upperBound...].split(separator: "\n")
            func size(_ kind: String) -> Int {
                let line = totals.first { $0.contains(kind) } ?? ""
                let digits = line.components(separatedBy: " size=\"").last?.prefix { $0 != "\"" }
                return digits.flatMap { Int($0) } ?? 0
            }
            return size("<system type=\"current\"") + size("type=\"mmap\"")
                - size("type=\"fast\"") - size("type=\"rest\"")
        }

        private static func info() -> String? {
            guard let symbol = dlsym(nil, "malloc_info") else { return nil }
            typealias Info = @convention(c) (Int32, UnsafeMutableRawPointer) -> Int32
            var text: UnsafeMutablePointer<CChar>?
            var size = 0
            guard let file = open_memstream(&text, &size) else { return nil }
            let status = unsafeBitCast(symbol, to: Info.self)(0, UnsafeMutableRawPointer(file))
            fclose(file)
            defer { free(text) }
            return status == 0 ? text.map { String(cString: $0) } : nil
        }
    }
#endif
