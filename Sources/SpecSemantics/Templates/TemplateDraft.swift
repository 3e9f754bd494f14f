import SecretNames
import SpecIR
import TemplateRules

/// A template made of replies of one method, which it accepts. Keys that only some of them have get
/// the rule `isOptional`, and values that the elements of a list have in several kinds are shown in
/// several elements. Elsewhere a value of several kinds is null, which allows any. The values of
/// secret keys are replaced, and texts with such a key in the query of an address.
public struct TemplateDraft {
    /// The text of the template.
    public private(set) var text = ""
    /// Keys that are left out, because a template would read them as rules.
    public private(set) var keysLeftOut: [String] = []

    /// The rules of an earlier template, with the values beside them, by the keys that lead there.
    private var known: [[String]: (rules: TemplateNode, value: TemplateNode)] = [:]

    /// A step into the elements of a list. No key is called like it, since it ends in no key.
    private static let element = "[]"

    /// Makes a template.
    ///
    /// - Parameters:
    ///   - replies: The replies, at least one.
    ///   - method: The method, if it is known. A key that its type lets be missing is optional.
    ///   - api: The API of the method.
    ///   - old: An earlier template, whose rules are kept.
    public init(
        of replies: [TemplateNode], for method: Method? = nil, in api: API? = nil,
        keepingRulesOf old: TemplateNode? = nil
    ) {
        if let old { keepRules(of: old, at: []) }
        var shape = TemplateReading(replies: replies).shape
        if let method, let api, case .value(let value) = method.output {
            let models = api.groups.flatMap(\.models).byName
            let path = (method.reply ?? api.reply).unwrap
            shape = shape.optional(like: value, at: path[...], in: models)
        }
        let place = Place(path: [], isInList: false, isSecret: false)
        let template = ExampleValue(node(of: shape, variant: 0, place))
        text = template.lines(width: 60).map { $0 + "\n" }.joined()
    }

    private mutating func keepRules(of node: TemplateNode, at path: [String]) {
        switch node.value {
        case .object(let members):
            for member in members where !member.isRules {
                let place = path + [member.key]
                if let rules = members.first(where: { $0.isRules && $0.subject == member.key }) {
                    known[place] = (rules.value, member.value.withoutRules)
                }
                keepRules(of: member.value, at: place)
            }
        case .array(let items): for item in items { keepRules(of: item, at: path + [Self.element]) }
        default: break
        }
    }

    // MARK: Values

    /// Where a value is.
    private struct Place {
        var path: [String]
        var isInList: Bool
        var isSecret: Bool

        func inside(_ step: String) -> Place {
            var place = self
            place.path.append(step)
            place.isInList = isInList || step == TemplateDraft.element
            place.isSecret = isSecret || SecretName.isSuspicious(step)
            return place
        }
    }

    /// A value of the shape.
    ///
    /// - Parameter variant: Which of its kinds it has; beyond the last, the last one.
    private mutating func node(
        of shape: TemplateShape, variant: Int, _ place: Place
    ) -> TemplateNode {
        let count = shape.variantCount
        if shape.kinds.isEmpty || !place.isInList && shape.isOfSeveralKinds { return .null }
        let objects = shape.objectCount
        let variant = min(variant, count - 1)
        if variant < objects { return object(shape, variant, place) }
        let kinds = TemplateKinds.each.filter { shape.kinds.contains($0) && $0 != .object }
        guard kinds.indices.contains(variant - objects) else { return .null }
        return value(of: shape, as: kinds[variant - objects], variant, place)
    }

    private mutating func value(
        of shape: TemplateShape, as kind: TemplateKinds, _ variant: Int, _ place: Place
    ) -> TemplateNode {
        if kind == .array {
            // The first variant has all kinds of elements.
            let element = variant > 0 && place.isInList ? nil : shape.elements.first
            let items = (0..<(element?.variantCount ?? 0)).compactMap { variant in
                element.map { node(of: $0, variant: variant, place.inside(Self.element)) }
            }
            return TemplateNode(.array(items), at: 0..<0)
        }
        if place.isSecret { return .placeholder(kind) }
        let sample = shape.samples.first { $0.kinds == kind } ?? .null
        return sample.holdsSecret ? .placeholder(kind) : sample
    }

    private mutating func object(
        _ shape: TemplateShape, _ variant: Int, _ place: Place
    ) -> TemplateNode {
        var members: [TemplateMember] = []
        for field in shape.fields {
            let inner = place.inside(field.key)
            let rules = rules(of: field, inner)
            let value = rules.fixed ?? node(of: field.shape, variant: variant, inner)
            let member = TemplateMember(field.key, at: 0..<0, value: value)
            guard !member.isRules else {
                if !keysLeftOut.contains(field.key) { keysLeftOut.append(field.key) }
                continue
            }
            members.append(member)
            if variant == 0, let node = rules.node {
                members.append(
                    TemplateMember(field.key + TemplateMember.rulesSuffix, at: 0..<0, value: node))
            }
        }
        return TemplateNode(.object(members), at: 0..<0)
    }

    /// The rules of a field, and its value if rules are about just this one.
    private func rules(
        of field: TemplateShape.Field, _ place: Place
    ) -> (node: TemplateNode?, fixed: TemplateNode?) {
        let kept = known[place.path]
        var rules: [TemplateMember] = []
        if case .object(let members) = kept?.rules.value { rules = members }
        let aboutValue = ["mustMatch", "equalInLength"].contains { kept?.rules[$0]?.isTrue == true }
        if field.isOptional, !rules.contains(where: { $0.key == "isOptional" }) {
            let truth = TemplateNode(.bool(true), at: 0..<0)
            rules.append(TemplateMember("isOptional", at: 0..<0, value: truth))
        }
        let node = rules.isEmpty ? nil : TemplateNode(.object(rules), at: 0..<0)
        return (node, aboutValue ? kept?.value : nil)
    }
}

extension TemplateShape {
    /// How many elements of a list are needed to show all kinds of the value.
    fileprivate var variantCount: Int {
        let others = TemplateKinds.each.count { kinds.contains($0) && $0 != .object }
        return max(1, objectCount + others + (isNullable && !kinds.isEmpty ? 1 : 0))
    }

    fileprivate var objectCount: Int {
        kinds.contains(.object) ? max(1, fields.map(\.shape.variantCount).max() ?? 1) : 0
    }

    fileprivate var isOfSeveralKinds: Bool {
        TemplateKinds.each.count { kinds.contains($0) } + (isNullable ? 1 : 0) > 1
    }

    /// The shape in which keys that the type lets be missing are optional.
    fileprivate func optional(
        like value: Value, at path: ArraySlice<PathStep>, in models: [String: Model]
    ) -> TemplateShape {
        var shape = self
        if let step = path.first {
            switch step {
            case .key(let key):
                for index in fields.indices where fields[index].key == key {
                    shape.fields[index].shape = fields[index].shape.optional(
                        like: value, at: path.dropFirst(), in: models)
                }
            default:
                shape.elements = elements.map {
                    $0.optional(like: value, at: path.dropFirst(), in: models)
                }
            }
            return shape
        }
        switch value.type {
        case .list(let element):
            shape.elements = elements.map { $0.optional(like: element, at: [], in: models) }
        case .object(let name):
            guard case .object(let declared) = models[name]?.kind else { break }
            for index in fields.indices {
                let field = declared.first { $0.key == fields[index].key && $0.steps.isEmpty }
                guard let field else { continue }
                if !field.isRequired { shape.fields[index].isOptional = true }
                shape.fields[index].shape = fields[index].shape.optional(
                    like: field.value, at: [], in: models)
            }
        default: break
        }
        return shape
    }
}

extension TemplateNode {
    fileprivate static let null = TemplateNode(.null, at: 0..<0)

    fileprivate static func placeholder(_ kind: TemplateKinds) -> TemplateNode {
        let value: Value =
            switch kind {
            case .integer: .number("0")
            case .number: .number("0.5")
            case .bool: .bool(false)
            default: .string("hidden")
            }
        return TemplateNode(value, at: 0..<0)
    }

    fileprivate var isTrue: Bool { value.isTrue }

    /// Whether the text has a secret in the query of an address.
    fileprivate var holdsSecret: Bool {
        guard case .string(let text) = value else { return false }
        return text.matches(of: #/[?&#;]([^=?&#;]+)=/#).contains {
            SecretName.isSuspicious(String($0.output.1))
        }
    }
}

extension TemplateNode.Value {
    fileprivate var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}

extension TemplateMember {
    /// The key that rules are about.
    fileprivate var subject: String { String(key.dropLast(Self.rulesSuffix.count)) }
}
