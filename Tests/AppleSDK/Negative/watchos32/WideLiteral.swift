// error: integer literal '2147483648' overflows when stored into 'Int'

/// Is larger than an `Int` of 32 bits.
enum WideLiteral {
    static let longest = 2_147_483_648
}
