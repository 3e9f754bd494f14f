extension String {
    /// Whether all characters are of ASCII. The loop has no iterator, because most scalars of a spec
    /// pass here, also in a debug build.
    package var isASCII: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return true }
            var place = 0
            while place < bytes.count {
                if base[place] >= 0x80 { return false }
                place &+= 1
            }
            return true
        }
    }

    /// Whether ASCII text is in this one. Bytes are compared, which takes far less time than to find the
    /// characters of a long text.
    package func contains(ascii text: String) -> Bool {
        var (own, text) = (self, text)
        return own.withUTF8 { bytes in
            text.withUTF8 { wanted in
                var place = 0
                while place + wanted.count <= bytes.count {
                    var equal = 0
                    while equal < wanted.count, bytes[place + equal] == wanted[equal] { equal += 1 }
                    if equal == wanted.count { return true }
                    place += 1
                }
                return false
            }
        }
    }
}
