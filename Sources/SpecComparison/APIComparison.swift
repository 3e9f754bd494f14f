import SpecIR
import SwiftEmitter

/// The comparison of two versions of an API.
///
/// It goes through all properties of the two descriptions, so that no difference is missed. What app
/// code refers to is compared as the Swift that is generated; what else differs changes what calls do,
/// unless it is documentation.
public struct APIComparison {
    /// The subject of changes of the API as a whole.
    static let api = "api"

    /// The differences, the worst first, each once.
    public private(set) var changes: [Change] = []
    /// The codes and the models that both versions have.
    private let common: Set<String>
    /// The methods that both versions have.
    private let methods: Set<String>

    /// Compares two versions.
    public init(_ old: API, _ new: API) {
        let names = [old, new].map { api in
            Set(api.errorCodes.cases.map(\.name) + api.groups.flatMap(\.models).map(\.name))
        }
        common = names[0].intersection(names[1])
        let lists = [old, new].map { Set($0.groups.flatMap(\.methods).map(\.apiName)) }
        methods = lists[0].intersection(lists[1])
        compareDeclarations(old, new)
        // A model is found in every file.
        compareParts(
            old.groups.flatMap(\.models), new.groups.flatMap(\.models),
            at: Place(subject: Self.api))
        let declared = ["name", "extras", "errors.model", "errorCodes.areIntegers"]
        compareMembers(old, new, at: Place(subject: Self.api, declared: declared))
        // Methods repeat what they inherit.
        let inherited = Set(changes.filter { $0.subject == Self.api }.map(\.sentence))
        changes.removeAll { $0.subject != Self.api && inherited.contains($0.sentence) }
        let order = Change.Kind.allCases
        changes = Set(changes).sorted { one, other in
            let kinds = (order.firstIndex(of: one.kind) ?? 0, order.firstIndex(of: other.kind) ?? 0)
            return (kinds.0, one.subject, one.sentence) < (kinds.1, other.subject, other.sentence)
        }
    }

    /// Where a difference is.
    private struct Place {
        /// The subject of its changes.
        var subject: String
        /// The properties from the subject's part, joined by dots.
        var path = ""
        /// The words of the spec for it.
        var words: [String] = []
        /// How its value is written.
        var unit: SpecWords.Unit?
        /// The properties of the part whose differences the declaration tells.
        var declared: [String] = []

        /// The place of a property of a type; nil if it is not told.
        func property(_ label: String, of type: String) -> Place? {
            let word = SpecWords.words[type]?[label] ?? ""
            guard word != SpecWords.untold else { return nil }
            var place = self
            place.path += (path.isEmpty ? "" : ".") + label
            place.words.append(word)
            place.unit = SpecWords.units["\(type).\(label)"]
            return place
        }

        /// Whether the path begins with these properties.
        func isInside(_ property: String) -> Bool {
            path == property || path.hasPrefix(property + ".")
        }

        /// Whether its fields and values belong to a model, which is compared itself.
        var isReference: Bool {
            ["pages", "tagField", "list", "key"].contains(where: isInside)
        }
    }

    private mutating func add(_ kind: Change.Kind, at place: Place, _ sentence: String) {
        changes.append(Change(kind, subject: place.subject, sentence: sentence))
    }

    // MARK: The API's own declarations

    /// Compares what app code refers to without a part of its own.
    private mutating func compareDeclarations(_ old: API, _ new: API) {
        let place = Place(subject: Self.api)
        compare("the API", from: old.name, to: new.name, at: place)
        compare("`ErrorDetail`", from: old.errors?.model, to: new.errors?.model, at: place)
        let types = [old, new].map { $0.errorCodes.areIntegers ? "Int" : "String" }
        compare("the raw value of `ErrorCode`", from: types[0], to: types[1], at: place)
        compare("`oauth`", from: old.grant, to: new.grant, at: place)
        compare("`templates`", from: old.templateTable, to: new.templateTable, at: place)
        compareParameters(old, new)
        let extras = [old, new].map { Set($0.extras.map(\.rawValue)) }
        for extra in extras[0].subtracting(extras[1]) {
            add(.source, at: place, "`generate: \(extra)` is gone, and its code with it")
        }
        for extra in extras[1].subtracting(extras[0]) {
            add(.additive, at: place, "`generate: \(extra)` is new")
        }
        let checks = [old, new].map { Set($0.checkFunctions) }
        for function in checks[1].subtracting(checks[0]) {
            add(.source, at: place, "the app has to implement the check `\(function)`")
        }
        for function in checks[0].subtracting(checks[1]) {
            let isLast = new.checkFunctions.isEmpty
            add(isLast ? .source : .behaviour, at: place, "the check `\(function)` is gone")
        }
    }

    private mutating func compare(
        _ noun: String, from old: String?, to new: String?, at place: Place
    ) {
        switch (old, new) {
        case (nil, let new?): add(.additive, at: place, "\(noun) is new: `\(new)`")
        case (_?, nil): add(.source, at: place, "\(noun) is gone")
        case (let old?, let new?) where old != new:
            add(.source, at: place, "\(noun) changed from `\(old)` to `\(new)`")
        default: break
        }
    }

    /// Compares the values of every request, which are properties and arguments of an initializer.
    private mutating func compareParameters(_ old: API, _ new: API) {
        let types = (old.parameterTypes, new.parameterTypes)
        compareArguments(types.0.map(\.name), types.1.map(\.name), at: Place(subject: "parameters"))
        for (name, type) in types.0 {
            guard let other = types.1.first(where: { $0.name == name })?.type else { continue }
            compare("the property", from: type, to: other, at: Place(subject: "parameters.\(name)"))
        }
    }

    // MARK: Values

    private mutating func compare(_ old: Any, _ new: Any, at place: Place) {
        if Self.areEqual(old, new) || place.declared.contains(where: place.isInside) { return }
        guard let before = Self.present(old), let after = Self.present(new) else {
            return tell(Self.present(old), Self.present(new), at: place)
        }
        if place.isReference {
            if before is Value { return }
            if let field = before as? Field, let other = after as? Field {
                return compare(field.name, other.name, at: place)
            }
            if let fields = before as? [Field], let others = after as? [Field] {
                return compare(fields.map(\.name), others.map(\.name), at: place)
            }
        }
        if let parts = before as? [any ComparedPart], let others = after as? [any ComparedPart] {
            guard ["errors.cases", "models"].contains(place.path) else {
                return compareParts(parts, others, at: place)
            }
            // Those that come or go are told among all codes and models of the API.
            let lists = [parts, others].map { $0.filter { common.contains($0.partName) } }
            compare(lists[0].map(\.partName), lists[1].map(\.partName), at: place)
            for part in lists[0] where part is ErrorCase {
                guard let other = lists[1].first(where: { $0.partName == part.partName }) else {
                    continue
                }
                compare(part: part, with: other, at: place)
            }
            return
        }
        compareMembers(before, after, at: place)
    }

    /// Compares the properties of structures and the values of enumerations.
    ///
    /// - Parameter owner: The type that a tuple belongs to.
    private mutating func compareMembers(
        _ old: Any, _ new: Any, of owner: String? = nil, at place: Place
    ) {
        let mirrors = (Mirror(reflecting: old), Mirror(reflecting: new))
        let type = owner ?? SpecWords.name(of: mirrors.0.subjectType)
        switch mirrors.0.displayStyle {
        case .struct where old is any RawRepresentable || old is RequestRate:
            tell(old, new, at: place)
        case .struct, .tuple:
            for (member, other) in zip(mirrors.0.children, mirrors.1.children) {
                // The values of an enumeration's case may have no labels.
                let label = member.label.flatMap { $0.hasPrefix(".") ? nil : $0 }
                let inner = label.map { place.property($0, of: type) } ?? place
                if let inner { compare(member.value, other.value, at: inner) }
            }
        case .enum:
            guard let content = mirrors.0.children.first, let other = mirrors.1.children.first,
                content.label == other.label, Self.isDeep(content.value)
            else { return tell(old, new, at: place) }
            var inner = place
            inner.words += [content.label.flatMap { SpecWords.words[type]?[$0] } ?? ""]
            if Mirror(reflecting: content.value).displayStyle == .tuple {
                compareMembers(content.value, other.value, of: type, at: inner)
            } else {
                compare(content.value, other.value, at: inner)
            }
        default: tell(old, new, at: place)
        }
    }

    /// Whether a value is told by its own differences, and not as a whole.
    private static func isDeep(_ value: Any) -> Bool {
        let style = Mirror(reflecting: value).displayStyle
        return [.struct, .collection, .tuple, .enum].contains(style) && !(value is ClosedRange<Int>)
    }

    private mutating func tell(_ old: Any?, _ new: Any?, at place: Place) {
        // The declaration of a model tells its kind.
        if place.path == "kind" { return }
        let kind = Self.kind(of: place)
        let texts = [old, new].map { SentenceText.text(of: $0, in: place.unit) }
        let isTold =
            texts[0] != texts[1] && kind != .documentation
            && texts.allSatisfy { ($0?.count ?? 0) <= 120 }
        let words = SpecWords.path(place.words)
        switch (texts[0], texts[1]) {
        case (let before?, let after?) where isTold:
            add(kind, at: place, "\(words): from \(before) to \(after)")
        case (nil, "true"?) where words.last == "`":
            add(kind, at: place, "\(words.dropLast()): true` added")
        case ("true"?, nil) where words.last == "`":
            add(kind, at: place, "\(words.dropLast()): true` removed")
        case (nil, let after?): add(kind, at: place, "\(words): \(isTold ? after + " " : "")added")
        case (let before?, nil):
            add(kind, at: place, "\(words): \(isTold ? before + " " : "")removed")
        default: add(kind, at: place, "\(words): changed")
        }
    }

    private static func kind(of place: Place) -> Change.Kind {
        let labels = place.path.split(separator: ".")
        if labels.contains("deprecation") { return .additive }
        if labels.contains("documentation") { return .documentation }
        switch place.path {
        case "kind.isClosed", "caseName": return .source
        case "sourcePath", "fileName", "models": return .documentation
        default: return labels.last == "alias" ? .documentation : .behaviour
        }
    }

    // MARK: Lists of parts

    private mutating func compareParts(
        _ old: [any ComparedPart], _ new: [any ComparedPart], at place: Place
    ) {
        var (gone, added) = (Array(old.indices), Array(new.indices))
        var pairs: [(old: Int, new: Int)] = []
        // Swift names come before keys: app code refers to them. Where both follow from places, the
        // places alone count.
        let names: [(any ComparedPart) -> String?] = [\.inlinePlace, \.partName, \.key]
        for name in names {
            // A value may have several rules of one name.
            var found = Dictionary(grouping: added) { name(new[$0]) }
            gone.removeAll { index in
                guard let own = name(old[index]),
                    let position = found[own]?.firstIndex(where: { match in
                        let places = (old[index].inlinePlace, new[match].inlinePlace)
                        return places.0 == nil || places.1 == nil || places.0 == places.1
                    }), let match = found[own]?.remove(at: position)
                else { return false }
                pairs.append((index, match))
                return true
            }
            let matched = Set(pairs.map(\.new))
            added.removeAll(where: matched.contains)
        }
        let (goneParts, addedParts) = (gone.map { old[$0] }, added.map { new[$0] })
        for part in goneParts {
            tellGone(part, among: goneParts, replacedBy: addedParts, at: place)
        }
        for part in addedParts { tellAdded(part, at: place) }
        for pair in pairs { compare(part: old[pair.old], with: new[pair.new], at: place) }
        let order = pairs.sorted { $0.old < $1.old }.map(\.new)
        if let part = new.first, order != order.sorted() { tellOrder(of: part, at: place) }
    }

    private mutating func tellOrder<Part: ComparedPart>(of part: Part, at place: Place) {
        add(Part.order, at: place, "the order of its \(Part.noun)s changed")
    }

    private mutating func compare<Part: ComparedPart>(
        part: Part, with other: any ComparedPart, at place: Place
    ) {
        guard let other = other as? Part, part != other else { return }
        var inner = self.place(of: other, in: place)
        if let declaration = other.declaration ?? part.declaration,
            part.declaration != other.declaration
        {
            let before = part.declaration ?? "", isNew = part.declaration == nil
            let sentence =
                isNew || other.declaration == nil
                ? "the \(Part.noun) `\(declaration)` is \(isNew ? "new" : "gone")"
                : "the \(Part.noun) changed from `\(before)` to `\(declaration)`"
            add(isNew ? other.addition : part.kind(changedTo: other), at: inner, sentence)
            inner.declared = Part.declared
        }
        if let method = part as? Method, let new = other as? Method {
            compareArguments(method.argumentNames, new.argumentNames, at: inner)
        }
        compareMembers(part, other, at: inner)
    }

    /// Compares the order of the arguments that both versions have.
    private mutating func compareArguments(_ old: [String], _ new: [String], at place: Place) {
        let common = Set(old).intersection(new)
        let orders = [old, new].map { $0.filter(common.contains).joined(separator: ", ") }
        guard orders[0] != orders[1] else { return }
        add(
            .source, at: place,
            "the order of arguments changed from `\(orders[0])` to `\(orders[1])`")
    }

    /// The place of a part: one of its own, or a detail of what it belongs to.
    private func place(of part: some ComparedPart, in place: Place) -> Place {
        guard let subject = part.subject(in: place.subject) else {
            var inner = place
            inner.path += "." + part.partName
            inner.words.append(part.partName)
            return inner
        }
        return Place(subject: subject)
    }

    private mutating func tellGone(
        _ part: any ComparedPart, among gone: [any ComparedPart],
        replacedBy added: [any ComparedPart], at place: Place
    ) {
        let same = added.filter { $0.shape != nil && $0.shape == part.shape }
        let isOnly = same.count == 1 && gone.count { $0.shape == part.shape } == 1
        let guess = isOnly ? "; renamed to `\(same[0].partName)`?" : ""
        tell(
            part, verb: "is gone\(guess)", kind: part.declaration == nil ? part.addition : .source,
            at: place)
    }

    private mutating func tellAdded(_ part: any ComparedPart, at place: Place) {
        let text = part.declaration.map { ": `\($0)`" } ?? ""
        tell(part, verb: "is new\(text)", kind: part.addition, at: place)
    }

    private mutating func tell(
        _ part: some ComparedPart, verb: String, kind: Change.Kind, at place: Place
    ) {
        let inner = self.place(of: part, in: place)
        // What a method declares comes and goes with it.
        if let inline = part.inlinePlace,
            !methods.contains(where: { inline.hasPrefix($0 + ".") })
        {
            return
        }
        let isDetail = inner.subject == place.subject
        let words = isDetail ? "\(part.title) \(SpecWords.path(inner.words))" : part.title
        add(kind, at: inner, "the \(words) \(verb)")
    }

    // MARK: Any values

    /// The value inside optionals; nil if there is none.
    private static func present(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { present($0.value) }
    }

    private static func areEqual(_ old: Any, _ new: Any) -> Bool {
        func isEqual<T: Equatable>(_ old: T) -> Bool { old == new as? T }
        return (old as? any Equatable).map { isEqual($0) } ?? false
    }
}
