import Testing

/// The runtime as in apps, against independent servers. The suites of other targets use servers of
/// this package, which could misread HTTP and OAuth in the same way as the runtime.
///
/// Serialized, because they start processes and transfer large files.
@Suite("Against real servers,", .serialized)
enum RealServerTests {}
