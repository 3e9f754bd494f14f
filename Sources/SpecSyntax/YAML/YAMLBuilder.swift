import SpecDiagnostics

/// Builds the flat storage of one document from events.
struct YAMLBuilder {
    /// A list or mapping that is still open.
    private struct Frame {
        let record: Int32
        /// The index of its first child among those of all open collections.
        let firstChild: Int
        let anchor: String?
        let valuesBefore: Int
        /// The levels of collections inside.
        var height = 0
        /// The offset after its last child.
        var end: Int32
    }

    let file: SourceFile
    var bag = DiagnosticBag()
    /// Whether other tools read the file, too.
    var isForeign = false
    private let events: LibYAML
    private let base: Int
    private var offsets: ByteOffsets
    private var source: YAMLSource
    private var aliases = YAMLAliases()

    private var records: [YAMLRecord] = []
    private var children: [Int32] = []
    private var texts: [String] = []
    private var frames: [Frame] = []
    private var openChildren: [Int32] = []
    private var hasLookalikes = false

    /// A builder over `content`, the bytes of `file` after the byte order mark.
    init(_ file: SourceFile, _ content: UnsafeBufferPointer<UInt8>) {
        self.file = file
        base = file.byteOrderMarkSize
        events = LibYAML(content)
        offsets = ByteOffsets(content)
        source = YAMLSource(file.bytes)
        // A spec has about one value per 16 bytes.
        records.reserveCapacity(content.count / 16)
        texts.reserveCapacity(content.count / 16)
        children.reserveCapacity(content.count / 16)
    }

    /// Reads the document; nil when there is none or reading had to stop.
    mutating func build() -> YAMLNode? {
        do throws(YAMLProblem) {
            while true {
                let event = try events.next()
                switch event.kind {
                case .scalar: addScalar(event)
                case .alias: addAlias(event)
                case .sequenceStart: guard open(event, .sequence) else { return nil }
                case .mappingStart: guard open(event, .mapping) else { return nil }
                case .collectionEnd: close(event)
                case .documentEnd: return finish(event)
                case .streamEnd: return reportEmpty()
                case .other: break
                }
            }
        } catch {
            if hasLookalikes { return nil }
            let report = YAMLProblemReport(file: file, source: source, base: base)
            bag.report(report.diagnostic(for: error, &offsets))
            return nil
        }
    }
}

// MARK: - Events

extension YAMLBuilder {
    private mutating func addScalar(_ event: YAMLEvent) {
        var start = start(of: event)
        var end = event.end == event.start ? start : offset(event.end)
        if event.anchor != nil || event.hasTag { start = skipProperties(start, end) }
        if !event.hasExactEnd { end = source.trimmedEnd(of: Int(start)..<Int(end)).asOffset }
        let record = YAMLRecord(
            kind: .scalar, isPlain: event.isPlain,
            isVerbatim: event.isPlain && event.isOnOneLine,
            start: start, end: max(start, end), first: Int32(texts.count))
        texts.append(event.text)
        let index = append(record)
        if event.isPlain, !isForeign { checkLookalikes(event.text, index) }
        aliases.addValue()
        if let anchor = event.anchor { aliases.define(anchor, record: index, values: 1, height: 0) }
        attach(index, end: record.end)
    }

    private mutating func addAlias(_ event: YAMLEvent) {
        let span = file.span(Int(offset(event.start))..<Int(offset(event.end)))
        let target = aliases.resolve(event.text, at: span, depth: frames.count, into: &bag)
        var record = YAMLRecord(kind: .scalar, start: span.start, end: span.end, first: 0)
        if let target {
            record.isAlias = true
            record.kind = records[Int(target.record)].kind
            record.first = target.record
            raiseHeight(target.height)
        } else {
            record.isPlain = true
            record.first = Int32(texts.count)
            texts.append("")
        }
        attach(append(record), end: span.end)
    }

    private mutating func open(_ event: YAMLEvent, _ kind: YAMLNode.Kind) -> Bool {
        var start = start(of: event)
        if event.anchor != nil || event.hasTag { start = skipProperties(start, nil) }
        guard frames.count < YAMLLimits.depth else {
            bag.report(
                .nestingTooDeep,
                "expected at most \(YAMLLimits.depth) levels of nesting, found more",
                at: file.span(Int(start)..<Int(start) + 1))
            return false
        }
        let record = append(YAMLRecord(kind: kind, start: start, end: start, first: 0))
        frames.append(
            Frame(
                record: record, firstChild: openChildren.count, anchor: event.anchor,
                valuesBefore: aliases.values, end: start))
        aliases.addValue()
        if let anchor = event.anchor { aliases.begin(anchor) }
        return true
    }

    private mutating func close(_ event: YAMLEvent) {
        guard !frames.isEmpty else { return }
        let frame = frames.removeLast()
        let own = frame.firstChild..<openChildren.count
        let index = Int(frame.record)
        // The end event of a collection in brackets has a width: the closing bracket.
        records[index].end = event.end > event.start ? offset(event.end) : frame.end
        records[index].first = Int32(children.count)
        if records[index].kind == .mapping {
            addEntries(own)
        } else {
            addItems(own)
        }
        records[index].count = Int32(children.count) - records[index].first
        openChildren.removeLast(own.count)
        if let anchor = frame.anchor {
            aliases.define(
                anchor, record: frame.record, values: aliases.values - frame.valuesBefore,
                height: frame.height + 1)
        }
        attach(frame.record, end: records[index].end, height: frame.height + 1)
    }

    private mutating func finish(_ event: YAMLEvent) -> YAMLNode? {
        source.offset = Int(offset(event.end))
        source.skipBlanksAndComments()
        if source.byte != nil { reportRest() }
        guard let root = openChildren.first, !hasLookalikes else { return nil }
        let document = YAMLDocument(
            file: file.id, records: records, children: children, texts: texts)
        let node = YAMLNode(document, root)
        return node.isPlain && node.span.start == node.span.end ? reportEmpty() : node
    }
}

// MARK: - Nodes

extension YAMLBuilder {
    private mutating func append(_ record: YAMLRecord) -> Int32 {
        records.append(record)
        return Int32(records.count - 1)
    }

    private mutating func attach(_ record: Int32, end: Int32, height: Int = 0) {
        openChildren.append(record)
        guard !frames.isEmpty else { return }
        frames[frames.count - 1].end = end
        raiseHeight(height)
    }

    private mutating func raiseHeight(_ height: Int) {
        let last = frames.count - 1
        if last >= 0, frames[last].height < height { frames[last].height = height }
    }

    private mutating func addItems(_ own: Range<Int>) {
        var index = own.lowerBound
        while index < own.upperBound {
            children.append(openChildren[index])
            index += 1
        }
    }

    /// Keeps the entries whose keys are scalars and unique, and then those that the merge key adds.
    private mutating func addEntries(_ own: Range<Int>) {
        var keys = KeySet()
        var merged: [Int32] = []
        var index = own.lowerBound
        while index + 1 < own.upperBound {
            defer { index += 2 }
            let (key, value) = (openChildren[index], openChildren[index + 1])
            if isForeign, isMergeKey(key) {
                merged += mappings(in: value)
                continue
            }
            guard let text = keyText(key) else { continue }
            if let first = keys.insert(text, key) {
                reportDuplicate(text, key: key, first: first)
            } else {
                children.append(key)
                children.append(value)
            }
        }
        for mapping in merged { addEntries(of: mapping, besides: &keys) }
    }

    /// Adds the entries of another mapping whose keys are new.
    private mutating func addEntries(of mapping: Int32, besides keys: inout KeySet) {
        let record = records[Int(mapping)]
        for index in stride(from: record.first, to: record.first + record.count, by: 2) {
            let (key, value) = (children[Int(index)], children[Int(index) + 1])
            guard let text = keyText(key), keys.insert(text, key) == nil else { continue }
            children.append(key)
            children.append(value)
        }
    }

    /// The mapping that a merge key names, or those of its list; reports any other value.
    private mutating func mappings(in value: Int32) -> [Int32] {
        var target = value
        if records[Int(value)].isAlias { target = records[Int(value)].first }
        let record = records[Int(target)]
        switch record.kind {
        case .mapping: return [target]
        case .sequence:
            return (record.first..<record.first + record.count).flatMap {
                mappings(in: children[Int($0)])
            }
        case .scalar:
            bag.report(
                .mergeKey, "expected a mapping behind `<<`", at: span(of: value),
                help: "name an anchor of a mapping: `<<: *common`")
            return []
        }
    }

    private func isMergeKey(_ key: Int32) -> Bool {
        let record = records[Int(key)]
        return record.kind == .scalar && record.isPlain && !record.isAlias
            && texts[Int(record.first)] == "<<"
    }

    /// The text of a valid key; reports any other.
    private mutating func keyText(_ key: Int32) -> String? {
        var record = records[Int(key)]
        if record.isAlias { record = records[Int(record.first)] }
        guard record.kind == .scalar else {
            let found = record.kind == .sequence ? "a list" : "a mapping"
            bag.report(
                .keyNotScalar, "expected a text as key, found \(found)", at: span(of: key),
                help: "put quotes around the key if its brackets are part of its text")
            return nil
        }
        let text = texts[Int(record.first)]
        guard text != "<<" || !record.isPlain else {
            bag.report(
                .mergeKey, "the merge key `<<` is not supported", at: span(of: key),
                help: "write the keys out, or put `<<` in quotes if it is a name")
            return nil
        }
        return text
    }

    /// Reports a lookalike. Building then returns nil, because a name that contains one would only
    /// cause follow-up messages.
    private mutating func checkLookalikes(_ text: String, _ record: Int32) {
        guard let lookalike = YAMLLookalike(in: text) else { return }
        let span = span(of: record)
        bag.report(
            .lookalike, lookalike.message,
            at: records[Int(record)].isVerbatim ? span.part(lookalike.place) : span,
            help: lookalike.help)
        hasLookalikes = true
    }

    private mutating func reportDuplicate(_ text: String, key: Int32, first: Int32) {
        bag.report(
            .duplicateKey, "the key `\(text)` is written twice in one mapping", at: span(of: key),
            label: "second time", notes: [.init("first written here", at: span(of: first))],
            help: "delete one of the two, or rename it")
    }

    private mutating func reportRest() {
        let start = source.offset
        source.skipLine()
        let rest = file.span(start..<source.trimmedEnd(of: start..<source.offset))
        guard file.text(of: rest).hasPrefix("---") else {
            bag.report(.yamlSyntax, "expected the end of the file after the document", at: rest)
            return
        }
        bag.report(
            .severalDocuments, "expected one document, found the start of a second one",
            at: file.span(start..<start + 3), help: "move the second document to a file of its own")
    }

    private mutating func reportEmpty() -> YAMLNode? {
        if !bag.hasErrors {
            bag.report(
                .emptyFile, "the file has no content", at: file.start,
                help: "delete the file if it is not needed")
        }
        return nil
    }
}

// MARK: - Places

extension YAMLBuilder {
    private mutating func offset(_ mark: Int) -> Int32 {
        (base + offsets.offset(of: mark)).asOffset
    }

    private mutating func start(of event: YAMLEvent) -> Int32 { offset(event.start) }

    private func span(of record: Int32) -> Span {
        let record = records[Int(record)]
        return Span(file: file.id, start: record.start, end: record.end)
    }

    /// The offset after the anchor and the tag in front of a value; reports the tag.
    private mutating func skipProperties(_ start: Int32, _ end: Int32?) -> Int32 {
        source.offset = Int(start)
        while let byte = source.byte, byte == UInt8(ascii: "&") || byte == UInt8(ascii: "!") {
            let first = source.offset
            source.skipWord()
            if byte == UInt8(ascii: "!") { reportTag(file.span(first..<source.offset)) }
            let last = source.offset
            source.skipBlanksAndComments()
            if let end, source.offset >= end {
                source.offset = last
                break
            }
        }
        return source.offset.asOffset
    }

    private mutating func reportTag(_ span: Span) {
        bag.report(
            .tag, "tags are not supported, found `\(file.text(of: span))`", at: span,
            help: "delete the tag; put quotes around a value that has to be a text")
    }
}

extension Int {
    /// A byte offset as nodes store it; files are smaller than 2 GiB.
    fileprivate var asOffset: Int32 { Int32(truncatingIfNeeded: self) }
}
