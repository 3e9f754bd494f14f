import Foundation

/// How much memory this process uses.
enum Memory {
    /// Bytes that are really in memory, after what is free has been given back to the system.
    static var resident: Int {
        #if canImport(Darwin)
            var info = mach_task_basic_info()
            var count = mach_msg_type_number_t(
                MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
            let result = withUnsafeMutablePointer(to: &info) {
                $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
                }
            }
            return result == KERN_SUCCESS ? Int(info.resident_size) : 0
        #else
            trim()
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * sysconf(Int32(_SC_PAGESIZE))
        #endif
    }

    #if !canImport(Darwin)
        /// `malloc_trim` of the GNU C library, which its module for Swift leaves out.
        private static func trim() {
            guard let symbol = dlsym(nil, "malloc_trim") else { return }
            typealias Trim = @convention(c) (Int) -> Int32
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        }
    #endif
}
