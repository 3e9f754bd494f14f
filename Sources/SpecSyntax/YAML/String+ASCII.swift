extension String {
    /// Whether ASCII text is in this one. Bytes are compared, which takes far less time than to find the
    /// characters of a long text.
    package func contains(ascii text: StaticString) -> Bool {
        var own = self
        return own.withUTF8 { bytes in
            let length = text.utf8CodeUnitCount
            var place = 0
            while place + length <= bytes.count {
                var equal = 0
                while equal < length, bytes[place + equal] == text.utf8Start[equal] { equal += 1 }
                if equal == length { return true }
                place += 1
            }
            return false
        }
    }
}
