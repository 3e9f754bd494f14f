import Testing

/// The runtime as apps have it, against servers that nobody here wrote. What the suites of other
/// targets prove with servers of ours could be our own idea of HTTP and OAuth twice.
///
/// One after the other, for they start processes and move large files.
@Suite("Against real servers,", .serialized)
enum RealServerTests {}
