import SpecIR
import SpecSecretNames
import SpecTemplateRules

/// A template made of replies of one method, which it accepts. Keys that only some of them have get
/// the rule `isOptional`, and values that the elements of a list have in several kinds, or as several
/// alternatives of a union, are shown in several elements. Elsewhere such a value is null, which allows
/// any. So is one whose declared type would refuse what stands for it. The values of secret keys are
/// replaced, and texts with such a key in the query of an address.
public struct TemplateDraft {
    /// The text of the template.
    public private(set) var text = ""
    /// Keys that are left out, because a template would read them as rules.
    public private(set) var keysLeftOut: [String] = []
    /// Keys whose earlier rules are left out, because they fit no value of the replies.
    public private(set) var rulesLeftOut: [String] = []

    /// The rules of an earlier template, with the values beside them, by the keys that lead there.
    private var known: [[String]: (rules: [TemplateMember], value: TemplateNode)] = [:]
    /// The places whose earlier rules are written: elements of a list share theirs.
    private var kept: Set<[String]> = []
    /// The places that have the rule `isOptional`.
    private var optional: Set<[String]> = []

    /// The places whose values are null wherever they are, because their type would refuse what stands
    /// for them. A null beside other elements of a list would not allow any value.
    private var open: Set<[String]> = []

    /// A step into the elements of a list. No key is called like it, since it ends in no key.
    private static let element = "[]"
    private static let optional = "isOptional"

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
        var parts: [DraftShape.Part] = []
        var models: [String: Model] = [:]
        if let method, let api, case .value(let value) = method.output {
            models = api.groups.flatMap(\.models).byName
            parts = [DraftShape.Part(path: (method.reply ?? api.reply).unwrap[...], value: value)]
        }
        let shape = DraftShape(TemplateReading(replies: replies).shape, as: parts, in: models)
        let place = Place(path: [], isInList: false, isSecret: false)
        var root = TemplateNode.null
        var count: Int
        repeat {
            count = open.count
            (kept, optional, keysLeftOut) = ([], [], [])
            root = node(of: shape, variant: 0, place)
        } while open.count > count
        let template = ExampleValue(root)
        text = template.lines(width: 60).map { $0 + "\n" }.joined()
        rulesLeftOut = known.filter { path, old in
            !kept.contains(path) && old.rules.contains { $0.key != Self.optional }
        }.keys.map { $0.joined(separator: ".").replacing(".[]", with: "[]") }.sorted()
    }

    private mutating func keepRules(of node: TemplateNode, at path: [String]) {
        switch node.value {
        case .object(let members):
            for member in members where !member.isRules {
                let place = path + [member.key]
                if let rules = members.first(where: { $0.isRules && $0.subject == member.key }),
                    case .object(let rules) = rules.value.value
                {
                    keep(rules, of: member.value.withoutRules, at: place)
                }
                keepRules(of: member.value, at: place)
            }
        case .array(let items): for item in items { keepRules(of: item, at: path + [Self.element]) }
        default: break
        }
    }

    /// Keeps rules; several elements of a list may have a part of them each.
    private mutating func keep(
        _ rules: [TemplateMember], of value: TemplateNode, at place: [String]
    ) {
        let first = known[place] ?? ([], value)
        known[place] = (
            first.rules + rules.filter { rule in !first.rules.contains { $0.key == rule.key } },
            first.rules.areAboutValue ? first.value : value
        )
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
    private mutating func node(of shape: DraftShape, variant: Int, _ place: Place) -> TemplateNode {
        if open.contains(place.path) || shape.kinds.isEmpty { return .null }
        if !place.isInList, shape.isOfSeveralKinds { return .null }
        guard let (fields, number, kind) = shape.variant(variant) else { return .null }
        if let fields {
            let object = object(fields, variant: number, place: place)
            return shape.obeysRules(object) ? object : null(at: place)
        }
        if kind == .array { return list(shape, variant: number, place: place) }
        let sample = place.isSecret ? nil : shape.sample(kind)
        if let sample, !sample.holdsSecret { return sample }
        let placeholder = TemplateNode.placeholder(kind)
        return shape.allows(placeholder: placeholder) ? placeholder : null(at: place)
    }

    private mutating func null(at place: Place) -> TemplateNode {
        open.insert(place.path)
        return .null
    }

    /// A list; the first variant has all kinds of elements. Where their number matters, it may have
    /// one element for each that a reply has.
    private mutating func list(
        _ shape: DraftShape, variant: Int, place: Place
    ) -> TemplateNode {
        let inner = place.inside(Self.element)
        let isFull = variant == 0 || !shape.positions.isEmpty
        let list = items(isFull ? shape.elements : [], inner)
        if shape.positions.isEmpty { return list }
        if !shape.isByPlace, shape.obeysRules(list) { return list }
        let all = items(shape.positions, inner)
        return shape.obeysRules(all) ? all : null(at: place)
    }

    /// The first variants of all shapes, then the others.
    private mutating func items(_ shapes: [DraftShape], _ place: Place) -> TemplateNode {
        var items = shapes.map { node(of: $0, variant: 0, place) }
        for shape in shapes {
            for variant in 0..<shape.variantCount where variant > 0 {
                items.append(node(of: shape, variant: variant, place))
            }
        }
        return TemplateNode(.array(items), at: 0..<0)
    }

    private mutating func object(
        _ fields: [DraftShape.Field], variant: Int, place: Place
    ) -> TemplateNode {
        var members: [TemplateMember] = []
        for field in fields {
            var inner = place.inside(field.key)
            if field.isTag { inner.isSecret = false }
            let known = known[inner.path]
            let isFixed = known?.rules.areAboutValue == true
            let fixed = isFixed ? known?.value : nil
            let value = fixed ?? node(of: field.shape, variant: variant, inner)
            let member = TemplateMember(field.key, at: 0..<0, value: value)
            guard !member.isRules else {
                if !keysLeftOut.contains(field.key) { keysLeftOut.append(field.key) }
                continue
            }
            members.append(member)
            let rules = rules(beside: member, inner, isOptional: field.isOptional)
            if !rules.value.value.isEmptyObject { members.append(rules) }
        }
        return TemplateNode(.object(members), at: 0..<0)
    }

    /// The rules of a member, each once: `isOptional` beside the first value, the earlier ones beside
    /// the first that they fit.
    private mutating func rules(
        beside member: TemplateMember, _ place: Place, isOptional: Bool
    ) -> TemplateMember {
        func entry(_ rules: [TemplateMember]) -> TemplateMember {
            TemplateMember(
                member.key + TemplateMember.rulesSuffix, at: 0..<0,
                value: TemplateNode(.object(rules), at: 0..<0))
        }
        let known = known[place.path]?.rules ?? []
        var rules: [TemplateMember] = []
        if !kept.contains(place.path) {
            let others = known.filter { $0.key != Self.optional }
            let pair = TemplateNode(.object([member, entry(others)]), at: 0..<0)
            if TemplateReading(pair).isValid {
                kept.insert(place.path)
                rules = others
            }
        }
        let isOptional = isOptional || known.contains { $0.key == Self.optional && $0.isOn }
        if isOptional, optional.insert(place.path).inserted {
            let truth = TemplateNode(.bool(true), at: 0..<0)
            rules.append(TemplateMember(Self.optional, at: 0..<0, value: truth))
        }
        return entry(rules)
    }
}

extension [TemplateMember] {
    /// Whether the rules are about the one value beside them.
    fileprivate var areAboutValue: Bool {
        contains { ["mustMatch", "equalInLength"].contains($0.key) && $0.isOn }
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

    /// Whether the text has a secret in the query of an address.
    fileprivate var holdsSecret: Bool {
        guard case .string(let text) = value else { return false }
        return text.matches(of: #/[?&#;]([^=?&#;]+)=/#).contains {
            SecretName.isSuspicious(String($0.output.1))
        }
    }
}

extension TemplateNode.Value {
    fileprivate var isEmptyObject: Bool {
        if case .object(let members) = self { members.isEmpty } else { false }
    }
}

extension TemplateMember {
    /// The key that rules are about.
    fileprivate var subject: String { String(key.dropLast(Self.rulesSuffix.count)) }

    /// Whether it is a rule that is switched on.
    fileprivate var isOn: Bool { if case .bool(true) = value.value { true } else { false } }
}
