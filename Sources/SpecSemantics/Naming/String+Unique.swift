extension String {
    /// The name if it is free, otherwise the name with the first number from 2 that makes it free.
    package func unique(separator: String = "", where isFree: (String) -> Bool) -> String {
        var (name, number) = (self, 2)
        while !isFree(name) {
            name = "\(self)\(separator)\(number)"
            number += 1
        }
        return name
    }
}
