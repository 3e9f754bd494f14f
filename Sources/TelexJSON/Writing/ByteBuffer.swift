/// A growing byte buffer, which belongs to one writer. Each write reserves space for its worst case
/// and then writes through a pointer.
///
/// It can note where each token begins. Then no space counts as free, so that each token takes the
/// path of a full buffer. Other writers do not pay for the question.
struct ByteBuffer: ~Copyable, @unchecked Sendable {  // it owns its memory alone
    /// The bytes behind each reserved space that a write may overwrite.
    private static let slack = 32

    private var start: UnsafeMutablePointer<UInt8>
    private var capacity = 512
    /// The capacity for tokens that are not noted.
    private var room = 512
    private(set) var count = 0
    /// The number of commas before the next value: 0 for the first of a container, and after a key.
    private(set) var commas = 0
    private var notes: JSONTokens.Notes?

    /// - Parameter notesTokens: Whether it notes where each token begins.
    init(notesTokens: Bool) {
        start = .allocate(capacity: capacity)
        if notesTokens { (room, notes) = (0, JSONTokens.Notes()) }
    }

    deinit {
        start.deallocate()
    }

    /// A copy of the written bytes.
    var bytes: [UInt8] { [UInt8](from(0)) }

    /// The written bytes from `place` on.
    func from(_ place: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start + place, count: count - place)
    }

    /// The written tokens, if they have been noted.
    var tokens: JSONTokens? { notes.map { JSONTokens(bytes: bytes, notes: $0) } }

    /// Returns the written bytes and leaves none.
    mutating func take() -> [UInt8] {
        defer { (count, commas) = (0, 0) }
        return bytes
    }

    /// Reserves `limit` bytes for the next token and returns the place of the first one.
    @inline(__always)
    mutating func reserve(_ limit: Int) -> UnsafeMutablePointer<UInt8> {
        if room &- count < limit &+ Self.slack { makeRoom(limit) }
        return start + count
    }

    /// Reserves `limit` more bytes for the same token.
    mutating func extend(_ limit: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity &- count < limit &+ Self.slack { grow(limit) }
        return start + count
    }

    /// Begins a value of at most `limit` bytes, with a comma if a value precedes.
    @inline(__always)
    mutating func beginValue(atMost limit: Int) -> UnsafeMutablePointer<UInt8> {
        let place = reserve(limit &+ 1)
        // The value is written over it if there is none.
        place.pointee = ASCII.comma
        return place + commas
    }

    /// Ends a value.
    @inline(__always)
    mutating func endValue(at place: UnsafeMutablePointer<UInt8>) {
        count = place - start
        commas = 1
    }

    /// Ends a key or an opening bracket, which the next value follows without a comma.
    @inline(__always)
    mutating func beginValues(at place: UnsafeMutablePointer<UInt8>) {
        count = place - start
        commas = 0
    }

    /// The offset of a place.
    @inline(__always)
    func offset(_ place: UnsafeMutablePointer<UInt8>) -> Int { place - start }

    /// Ends text that goes on in reserved space.
    @inline(__always)
    mutating func end(at place: UnsafeMutablePointer<UInt8>) {
        count = place - start
    }

    /// Notes the text of the token that begins at an offset, because it is written with escapes.
    mutating func note(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) {
        notes?.texts[offset] = String(decoding: text, as: UTF8.self)
    }

    @inline(never)
    private mutating func makeRoom(_ limit: Int) {
        notes?.starts.append(count)
        if capacity &- count < limit &+ Self.slack { grow(limit) }
    }

    private mutating func grow(_ limit: Int) {
        let larger = max(capacity * 2, count + limit + Self.slack)
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        memory.update(from: start, count: count)
        start.deallocate()
        (start, capacity) = (memory, larger)
        if notes == nil { room = larger }
    }
}
