/// Reads a JSON document (RFC 8259) directly into values and checks it in the same pass.
///
/// No method throws: problems are collected. After a value of the wrong type, reading continues, so
/// that one pass finds every violation. A syntax error ends reading. Generated models implement
/// `read(from:)` in this way:
///
/// ```swift
/// guard json.beginObject(keys) else { return nil }
/// while let field = json.nextField() {
///     switch field {
///     case 0: json.string(&name)
///     default: if json.int(&age) { json.minimum(age, 18) }
///     }
/// }
/// guard json.endObject() else { return nil }
/// ```
///
/// A reader exists only inside ``read(_:at:limits:checks:_:)``. It cannot be copied. When a method
/// that reads a value is called, the reader is at the value's first byte.
///
/// A byte order mark at the start is ignored, as RFC 8259 (section 8.1) allows. Lone surrogates are
/// refused, because a Swift string cannot contain them.
public struct JSONReader: ~Copyable {
    typealias Position = UnsafePointer<UInt8>

    /// The next byte to be read.
    var next: Position
    let start: Position
    let end: Position
    let limits: JSONLimits
    let checks: JSONChecks
    /// The app's own checks; nil outside of a call to whose manager they were given.
    public package(set) var appChecks: (any Sendable)?
    /// Whether the path to the value may end before it: null or nothing at some step is allowed.
    var mayMiss = false
    /// Whether the objects on the path to the value had no other keys.
    var isOnlyMember = true
    /// The number of bytes that look-aheads have passed.
    var lookedAhead = 0

    /// The frames of the open containers. The first is the root, which is not a container.
    private var frames: UnsafeMutablePointer<JSONFrame>
    private var capacity = Self.firstCapacity
    /// So few that they are on the stack, which has room for 1,024 bytes of temporary memory.
    private static let firstCapacity = 8
    /// The innermost open container.
    var top: UnsafeMutablePointer<JSONFrame>
    /// The number of open containers.
    @usableFromInline var level = 0
    /// The number of frames that were used.
    private var used = 1
    private var stack = ThreadStack()
    /// The tables that may end before the reader does.
    private var tables: [JSONKeyTable] = []
    /// The shapes of the objects that were read and have sensitive keys.
    private var sensitiveShapes: [UnsafeMutablePointer<JSONShape>] = []

    /// The keys whose sensitive values open models have kept.
    var keptSensitiveKeys: Set<String> = []

    var report = ValidationReport()
    /// The number of violations of severity `error`, with those that were not kept.
    var errors = 0
    /// The number of elements being read that are left out if they are invalid.
    var tolerantElements = 0
    /// Whether a reported violation explains a missing value.
    var hasFatalViolation = false
    /// The first such violation whose check is off. It is reported if no other violation explains
    /// the missing value.
    var unreportedViolation: Violation?

    private init(
        _ bytes: UnsafeBufferPointer<UInt8>, base: Position, limits: JSONLimits,
        checks: JSONChecks, frames: UnsafeMutablePointer<JSONFrame>
    ) {
        start = base
        next = base
        end = base + bytes.count
        self.limits = limits
        self.checks = checks
        self.frames = frames
        frames.initialize(to: JSONFrame(.root, at: base, objectLevel: 0))
        top = frames
    }

    deinit {
        for open in 0...level { frames[open].release() }
        if capacity > Self.firstCapacity { frames.deallocate() }
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: the document, UTF-8.
    ///   - path: the steps to the value, for instance `["response", 0]`; a missing one violates
    ///     the rule `required`.
    ///   - limits: limits of size, depth and number of violations.
    ///   - checks: the checks to make.
    ///   - body: reads the value; nil if it cannot be read.
    /// - Returns: the value, if there is one, all violations, and the syntax error, if there is
    ///   one.
    @inlinable
    public static func read<T>(
        _ bytes: [UInt8], at path: [JSONStep] = [], limits: JSONLimits = JSONLimits(),
        checks: JSONChecks = .all, _ body: (inout JSONReader) -> T?
    ) -> JSONResult<T> {
        var value: T?
        let (report, isOnlyMember) = run(bytes, at: path, limits: limits, checks: checks) { json in
            value = json.readValue(body)
            return value != nil
        }
        if report.syntaxError != nil { value = nil }
        return JSONResult(value: value, report: report, isOnlyMember: isOnlyMember)
    }

    /// Reads a document; the body reads a value at the path and returns whether it could.
    ///
    /// - Returns: The report, and whether the objects on the path had no other keys.
    @usableFromInline
    static func run(
        _ bytes: [UInt8], at path: [JSONStep], limits: JSONLimits, checks: JSONChecks,
        _ body: (inout JSONReader) -> Bool
    ) -> (ValidationReport, isOnlyMember: Bool) {
        guard bytes.count <= limits.bytes else {
            let error = JSONSyntaxError(
                .tooLarge(limit: limits.bytes), offset: limits.bytes, path: "$")
            return (ValidationReport(syntaxError: error), false)
        }
        return bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, !buffer.isEmpty else {
                let error = JSONSyntaxError(.noValue, offset: 0, path: "$")
                return (ValidationReport(syntaxError: error), false)
            }
            return withUnsafeTemporaryAllocation(of: JSONFrame.self, capacity: firstCapacity) {
                frames in
                var reader = JSONReader(
                    buffer, base: base, limits: limits, checks: checks,
                    frames: frames.baseAddress ?? .allocate(capacity: firstCapacity))
                let hasValue = reader.document(path[...], body)
                precondition(reader.start == base, "a reader must not escape from its closure")
                return (reader.finalReport(hasValue: hasValue), reader.isOnlyMember)
            }
        }
    }

    /// The sensitive keys of all object models that were read, with those that were kept.
    var sensitiveKeys: Set<String> {
        var keys = keptSensitiveKeys
        for shape in sensitiveShapes {
            keys.formUnion(shape.pointee.table.takeUnretainedValue().sensitive)
        }
        return keys
    }

    // MARK: Frames

    /// The number of levels for which the stack is not checked.
    private static let uncheckedLevels = 8

    /// Opens a container. Returns false, with a syntax error, if it is nested too deep.
    mutating func push(_ kind: JSONFrame.Kind) -> Bool {
        guard level < limits.depth else {
            fail(.tooDeep(limit: limits.depth))
            return false
        }
        guard level < Self.uncheckedLevels || stack.hasRoom() else {
            fail(.stackTooSmall(depth: level))
            return false
        }
        open(kind)
        return true
    }

    /// Opens a container without a check of the depth.
    mutating func open(_ kind: JSONFrame.Kind) {
        // Read before `grow()`, which moves all frames.
        let outer = (kind: top.pointee.kind, objectLevel: top.pointee.objectLevel)
        level += 1
        if level == capacity { grow() }
        let isInObject = outer.kind == .object || outer.kind == .map
        top = frames + level
        let objectLevel = outer.objectLevel &+ (isInObject ? 1 : 0)
        guard level == used else {
            return top.pointee.reuse(kind, at: next, objectLevel: objectLevel)
        }
        top.initialize(to: JSONFrame(kind, at: next, objectLevel: objectLevel))
        used += 1
    }

    /// Closes the innermost container.
    mutating func pop() {
        guard level > 0 else { return }
        top.pointee.release()
        level -= 1
        top = frames + level
    }

    /// The frame of a level; level 0 is the root.
    func frame(_ level: Int) -> JSONFrame {
        frames[level]
    }

    /// Moves all frames to larger memory. The caller must set `top` again.
    private mutating func grow() {
        let larger = UnsafeMutablePointer<JSONFrame>.allocate(capacity: capacity * 4)
        larger.moveInitialize(from: frames, count: capacity)
        if capacity > Self.firstCapacity { frames.deallocate() }
        frames = larger
        capacity *= 4
    }

    /// Sets the shape of the innermost object.
    mutating func setShape(_ shape: UnsafeMutablePointer<JSONShape>) {
        top.pointee.shape = shape
        top.pointee.entry = shape.pointee.first
        top.pointee.reserve(fields: shape.pointee.fields)
        if shape.pointee.hasSensitive, sensitiveShapes.last != shape,
            !sensitiveShapes.contains(shape)
        {
            sensitiveShapes.append(shape)
        }
    }

    mutating func shape(_ table: JSONKeyTable) -> UnsafeMutablePointer<JSONShape> {
        if !tables.contains(where: { $0 === table }) { tables.append(table) }
        return table.shape
    }

    /// The shape of these keys: mostly that of the last object in the same frame.
    @inline(__always)
    mutating func shape(_ literals: JSONKeyLiterals) -> UnsafeMutablePointer<JSONShape> {
        if let last = top.pointee.shape, last.pointee.identity == literals.identity { return last }
        return JSONKeyTables.shape(literals) ?? ownShape(literals)
    }

    @inline(never)
    private mutating func ownShape(_ literals: JSONKeyLiterals) -> UnsafeMutablePointer<JSONShape> {
        if let table = tables.first(where: { $0.identity == literals.identity }) {
            return table.shape
        }
        return shape(literals.makeTable())
    }

    // MARK: The document

    private mutating func document(
        _ path: ArraySlice<JSONStep>, _ body: (inout JSONReader) -> Bool
    ) -> Bool {
        if end - next >= 3, next[0] == 0xEF, next[1] == 0xBB, next[2] == 0xBF { next += 3 }
        skipSpace()
        guard next < end else {
            fail(.noValue)
            return false
        }
        var hasValue = false
        _ = walk(path) { json in
            hasValue = body(&json)
            return true
        }
        skipSpace()
        if next < end { fail(.trailingData) }
        guard hasValue else { return false }
        return report.syntaxError == nil
    }

    /// Moves the reader past the value after code that should have read it: closes containers that
    /// the code left open, and skips a value that it ignored.
    @usableFromInline
    mutating func finishValue(_ level: Int) {
        guard self.level > level || next == top.pointee.valueStart else { return }
        while self.level > level { pop() }
        guard report.syntaxError == nil else { return }
        next = top.pointee.valueStart
        skipValue()
    }

    /// Runs code that reads the current value.
    @inlinable
    package mutating func readValue<T>(_ body: (inout JSONReader) -> T?) -> T? {
        let level = self.level
        let value = body(&self)
        finishValue(level)
        return value
    }

    @inline(__always)
    mutating func skipSpace() {
        next = JSONBytes.skipSpace(next, end)
    }
}
