import Foundation
import HTTPTypes
import SpecIR
import SpecInterpreter
import TelexJSON
import TelexTransport

/// Makes the lists of replies, page by page where the spec has pages.
struct PageMaker {
    /// The query item of addresses that the mock makes up.
    static let cursor = "telex-cursor"
    private static let pages = 3
    private static let sizeNames = [
        "limit", "size", "count", "per_page", "perpage", "n", "num", "max", "top", "first",
    ]

    let answer: MethodAnswer
    let match: Match

    private var method: SpecIR.Method { match.method }
    private var maker: ReplyMaker { answer.maker }

    /// Puts the items of the requested page into a made reply. Templates and examples stay as they
    /// are.
    func listed(
        _ made: ReplyMaker.Made, _ value: Value, _ fields: inout HTTPFields
    ) -> ReplyMaker.Made? {
        guard made.source == "made", let place = method.pages?.items ?? onlyList(in: value),
            let element = place.value.type.element
        else { return made }
        let kind = answer.spec.resources.element(of: match.route.pattern)
            .flatMap { $0.value.type == element.type ? $0 : nil }
        guard kind != nil || method.pages != nil else { return made }
        let kept = kind == nil ? [] : answer.server.change { $0.shelf.paths(in: match.path) }
        let total = kept.count + (method.pages == nil ? Self.pages : Self.pages * size - size / 2)
        let item = { (index: Int) in
            index < kept.count
                ? answer.kept(kept[index])?.value : self.item(index - kept.count, element, kind)
        }
        let start = start(total, item)
        let most = place.value.rules.count(of: .maxItems) ?? .max
        let count = min(method.pages == nil ? total : size, most)
        let end = min(total, start + count)
        let items = start < end ? (start..<end).compactMap(item) : []
        var page = made.value
        page.put(place.value.type.holding(items, from: start), at: place)
        finish(&page, next: end < total ? end : nil, total, &fields)
        if !maker.check(value)(page) {
            // A rule of the list is about what it has: the made one stays, and is the only page.
            page = made.value
            finish(&page, next: nil, total, &fields)
        }
        let range = items.isEmpty ? "0" : "\(start + 1)…\(end)"
        let note = method.pages == nil ? "made" : "made, \(range) of \(total)"
        return ReplyMaker.Made(value: page, source: note, isWhole: false)
    }

    /// The value itself, or its only field that is a list of objects.
    private func onlyList(in value: Value) -> PageRules.Place? {
        if case .list = value.type { return PageRules.Place(fields: [], value: value) }
        let fields = answer.spec.models.fields(of: value) ?? []
        let lists = fields.filter { if case .list = $0.value.type { true } else { false } }
        return lists.count == 1 ? PageRules.Place(fields: lists, value: lists[0].value) : nil
    }

    /// An element; nil if it was removed.
    private func item(_ index: Int, _ element: Value, _ kind: Resources.Kind?) -> JSONValue? {
        var values = maker.maker("\(match.path)#\(index)")
        let made = values.make(element, named: method.name)
        guard let kind, let id = made.value(at: kind.id), !kind.id.isEmpty else { return made }
        let path = "\(match.path)/\(id.writtenText)"
        if answer.server.change({ $0.shelf.isRemoved(path) || $0.shelf[path] != nil }) {
            return nil
        }
        let thing = answer.current(kind, at: path)
        return thing.source == "made" ? thing.value : made
    }

    // MARK: Requests

    /// The items of a page.
    private var size: Int {
        let begin = method.pages?.parameter
        let parameter = method.parameters.first { parameter in
            let name = parameter.key.lowercased().drop { !$0.isLetter }
            return parameter.name != begin && Self.sizeNames.contains { name.hasSuffix($0) }
        }
        guard let parameter else { return 3 }
        let asked = value(of: parameter).flatMap { Int($0) }
        return min(max(1, asked ?? 3), 100)
    }

    private func value(of parameter: Parameter) -> String? {
        if let text = answer.content.text(parameter.key, parameter.location) { return text }
        if parameter.isInWrapper, let wrapper = method.wrapper {
            let inside = answer.content.json?[wrapper.key]
            let place =
                method.parameters.filter(\.isInWrapper)
                .firstIndex { $0.key == parameter.key } ?? 0
            return (wrapper.isList ? inside?[place] : inside?[parameter.key])?.writtenText
        }
        switch parameter.presence {
        case .defaulted(.integer(let digits)): return digits
        case .defaulted(.string(let text)): return text
        default: return nil
        }
    }

    private func text(_ name: String) -> String? {
        method.parameters.first { $0.name == name }.flatMap { value(of: $0) }
    }

    /// The number of the first item of the requested page.
    private func start(_ total: Int, _ item: (Int) -> JSONValue?) -> Int {
        guard let form = method.pages?.form else { return 0 }
        let starts = Array(stride(from: size, to: max(total, size + 1), by: size))
        switch form {
        case .offset(let name, _): return max(0, text(name).flatMap { Int($0) } ?? 0)
        case .page(let name, _):
            let page = text(name).flatMap { Int($0) } ?? firstPage
            return (page - firstPage).multipliedReportingOverflow(by: size).partialValue.clamped
        case .token(let name, let place):
            let asked = text(name)
            return starts.first { token($0, place.value).writtenText == asked } ?? 0
        case .headerToken(let name, _): return text(name).flatMap { Int($0) }?.clamped ?? 0
        case .lastItem(let name, let place):
            guard let asked = text(name) else { return 0 }
            let last = (0..<total).first { item($0)?.value(at: place.path)?.writtenText == asked }
            return last.map { $0 + 1 } ?? 0
        case .address, .link, .merge:
            return answer.content.query(Self.cursor).flatMap { Int($0) }?.clamped ?? 0
        }
    }

    /// The number of the first page: 0 or 1.
    private var firstPage: Int {
        guard let name = method.pages?.parameter,
            case .defaulted(.integer("0"))? = method.parameters.first(where: { $0.name == name })?
                .presence
        else { return 1 }
        return 0
    }

    // MARK: Replies

    /// What leads to the page that begins with an item.
    private func token(_ start: Int, _ value: Value) -> JSONValue {
        var (values, value) = (maker.maker("\(method.apiName) page \(start)"), value)
        value.isNullable = false
        return values.make(value, named: "cursor")
    }

    private func address(_ start: Int) -> String {
        let query =
            answer.request.target.drop { $0 != "?" }.dropFirst().split(separator: "&")
            .filter { !$0.hasPrefix(Self.cursor) } + ["\(Self.cursor)=\(start)"]
        return answer.address(of: match.path) + "?" + query.joined(separator: "&")
    }

    private func finish(
        _ page: inout JSONValue, next: Int?, _ total: Int, _ fields: inout HTTPFields
    ) {
        guard let pages = method.pages else { return }
        switch pages.form {
        case .offset(_, let place): place.map { page.put(.int(Int64(total)), at: $0) }
        case .page(_, let place):
            let last = firstPage + max(0, (total - 1) / size)
            place.map { page.put(.int(Int64(last)), at: $0) }
        case .token(_, let place): page.put(next.map { token($0, place.value) }, at: place)
        case .address(let place): page.put(next.map { .string(address($0)) }, at: place)
        case .headerToken(_, let name):
            if let next, let name = HTTPField.Name(name) { fields[name] = "\(next)" }
        case .link(let relation):
            fields[.link] = nil
            if let next { fields.addLink(address(next), relation) }
        case .merge(let place):
            page.put(next.map { .object([Self.cursor: .string("\($0)")]) }, at: place)
        case .lastItem: break
        }
        if let more = pages.more, case .bool(let form) = more.value.type {
            page.put(WrittenLiteral.truth(next != nil, form), at: more)
        }
    }
}

extension ValueType {
    /// The type of the elements of a list or of a map; nil for other types.
    fileprivate var element: Value? {
        switch self {
        case .list(let element), .map(_, let element): element
        default: nil
        }
    }

    /// A list, or a map with numbers as keys.
    fileprivate func holding(_ items: [JSONValue], from start: Int) -> JSONValue {
        guard case .map = self else { return .array(items) }
        return .object(
            JSONObject(
                items.enumerated().map { JSONObject.Member(key: "\(start + $0 + 1)", value: $1) }))
    }
}

extension Int {
    fileprivate var clamped: Int { Swift.min(Swift.max(0, self), 1_000_000) }
}

extension JSONValue {
    /// Puts a value at a place of a page; what ends the pages for none.
    fileprivate mutating func put(_ value: JSONValue?, at place: PageRules.Place) {
        if let value { return set(value, at: place.path) }
        if place.value.isNullable { return set(.null, at: place.path) }
        set(place.fields.last?.isRequired == false ? nil : .string(""), at: place.path)
    }
}
