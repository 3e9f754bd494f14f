#if canImport(FoundationNetworking)
    import Foundation

    /// The bytes of a file of declared length. A shorter file is an error, because the server would
    /// wait for the rest.
    final class FileStream: InputStream {
        private let length: Int
        private var count = 0

        /// - Returns: nil if the file cannot be opened.
        init?(_ file: URL, length: Int) {
            self.length = length
            super.init(url: file)
        }

        override var hasBytesAvailable: Bool { count < length }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let result = super.read(buffer, maxLength: min(maxLength, length - count))
            guard result > 0 else { return -1 }
            count += result
            return result
        }
    }
#endif
