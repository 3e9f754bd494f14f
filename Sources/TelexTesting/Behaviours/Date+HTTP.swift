import Foundation

extension Date {
    /// The date in the format of header fields (RFC 9110, 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    var httpText: String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: self)
    }
}
