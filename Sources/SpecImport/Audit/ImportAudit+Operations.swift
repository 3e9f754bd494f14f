import SpecDiagnostics
import SpecIR
import SpecSyntax

/// A method of the spec with what tells it apart.
struct AuditedMethod {
    let method: Method
    let shape: PathShape
    /// The query that is the same in all requests.
    let constants: [String: String]

    init(_ method: Method) {
        self.method = method
        shape = PathShape(method.path)
        var constants: [String: String] = [:]
        for parameter in method.parameters where parameter.location == .query {
            if case .constant(.string(let text)) = parameter.presence {
                constants[parameter.key] = text
            }
        }
        self.constants = constants
    }

    var group: Substring { method.apiName.prefix { $0 != "." } }

    var key: String { method.verb.rawValue.lowercased() + " " + shape.text }
}

extension ImportAudit {
    /// Compares each operation with the methods for it.
    mutating func compareOperations() {
        let methods = Dictionary(
            grouping: api.groups.flatMap(\.methods).map(AuditedMethod.init), by: \.key)
        let shapes = description.operations.map { PathShape($0.path) }
        let keys = zip(description.operations, shapes).map { operation, shape in
            let plain = operation.verb.lowercased() + " " + shape.text
            return methods[plain] == nil
                ? operation.verb.lowercased() + " " + styled(shape, of: operation) : plain
        }
        let groups = zip(zip(keys, shapes), description.operations).map { place, operation in
            let constants = place.1.constants.map { "\($0.key)=\($0.value)" }.sorted()
            return ([place.0, Self.letters(operation.tag)] + constants).joined(separator: " ")
        }
        let counts = Dictionary((keys + groups).map { ($0, 1) }, uniquingKeysWith: +)
        var ordinals: [String: Int] = [:]
        for (index, operation) in description.operations.enumerated() {
            let (shape, key, group) = (shapes[index], keys[index], groups[index])
            var found = methods[key] ?? []
            if counts[key] != 1 {
                let closest = Self.closest(to: shape, among: found)
                let own = closest.filter { Self.letters($0.group) == Self.letters(operation.tag) }
                let before = ordinals[group, default: 0]
                ordinals[group] = before + 1
                // The methods of a group are in the order of the operations.
                found = own.isEmpty ? closest : own.count == counts[group] ? [own[before]] : own
            }
            guard !found.isEmpty else {
                add(
                    .missingOperation, at: operation.key,
                    around: [operation.node.span, operation.pathKey],
                    "\(operation.verb) \(operation.path)")
                continue
            }
            compareParameters(of: operation, shape, found)
            let methods = found.map(\.method)
            compareBody(of: operation, methods)
            compareReplies(of: operation, methods)
            compareSecurity(of: operation, methods)
            compareServer(of: operation, methods)
        }
    }

    private static func letters(_ text: some StringProtocol) -> String {
        text.lowercased().filter(\.isLetter)
    }

    /// The methods for one of several operations whose paths have one shape.
    private static func closest(
        to shape: PathShape, among methods: [AuditedMethod]
    ) -> [AuditedMethod] {
        let fits = { (item: AuditedMethod) in
            shape.constants.allSatisfy { item.constants[$0.key] == $0.value }
        }
        let fitting = methods.filter(fits)
        let fewest = fitting.map(\.constants.count).min()
        let plain = fitting.filter { $0.constants.count == fewest }
        let named = plain.filter { $0.shape.names == shape.names }
        return named.isEmpty ? plain : named
    }

    /// The shape of a path in which the signs of the styles of its parameters are written out.
    private func styled(_ shape: PathShape, of operation: DescribedOperation) -> String {
        let parts = shape.text.split(separator: "{}", omittingEmptySubsequences: false)
        let parameters = description.parameters(of: operation)
        return zip(parts, shape.names + [""]).map { part, name -> String in
            let parameter = parameters.first { $0.place == "path" && $0.name == name }
            let sign = parameter.map(Self.sign) ?? ""
            return "\(part)\(sign)\(name.isEmpty ? "" : "{}")"
        }.joined()
    }

    /// What the style of a parameter of the path writes before its value.
    private static func sign(of parameter: DescribedParameter) -> String {
        switch parameter.node.value(of: "style")?.text {
        case "matrix": ";\(parameter.name)="
        case "label": "."
        default: ""
        }
    }

    // MARK: Parameters

    private mutating func compareParameters(
        of operation: DescribedOperation, _ shape: PathShape, _ methods: [AuditedMethod]
    ) {
        for parameter in description.parameters(of: operation) {
            switch parameter.place {
            case "body", "formData": continue
            case "header" where isDescribedElsewhere(parameter, methods.map(\.method)): continue
            default: break
            }
            if isToken(parameter, of: methods.map(\.method)) { continue }
            let found = methods.compactMap { counterpart(of: parameter, shape, in: $0) }
            if found.isEmpty {
                compareExploded(parameter, of: operation, methods)
            } else {
                compare(parameter, with: found, operation: operation, item: methods[0])
            }
        }
    }

    /// Whether a header field is one that parameters do not describe (OpenAPI 3.1, 4.8.12).
    private func isDescribedElsewhere(
        _ parameter: DescribedParameter, _ methods: [Method]
    ) -> Bool {
        switch parameter.name.lowercased() {
        case "accept", "content-type": true
        case "authorization": methods.contains { $0.auth != .none } && api.auth != nil
        default: false
        }
    }

    private func counterpart(
        of parameter: DescribedParameter, _ shape: PathShape, in item: AuditedMethod
    ) -> Parameter? {
        let all = item.method.parameters + api.baseParameters
        switch parameter.place {
        case "path":
            let name = PathShape.name(in: parameter.name)
            guard let index = shape.names.firstIndex(where: { $0 == name }),
                index < item.shape.names.count
            else { return nil }
            return all.first { $0.location == .path && $0.key == item.shape.names[index] }
        case "query": return all.first { $0.location == .query && $0.key == parameter.name }
        case "header":
            let name = parameter.name.lowercased()
            return all.first { $0.location == .header && $0.key.lowercased() == name }
        default: return nil
        }
    }

    /// An object in a query may be a parameter for each of its fields.
    private mutating func compareExploded(
        _ parameter: DescribedParameter, of operation: DescribedOperation,
        _ methods: [AuditedMethod]
    ) {
        let facts = parameter.schema.map { description.schemas.facts($0, .request) }
        let fields = parameter.place == "query" ? facts?.fields ?? [:] : [:]
        let written = methods.flatMap(\.method.parameters).filter { $0.location == .query }
        let missing = fields.filter { field in
            !field.value.isHidden && !written.contains { $0.key == field.key }
        }
        guard fields.isEmpty || !missing.isEmpty else { return }
        let names = fields.isEmpty || missing.count == fields.count ? "" : missing.keys.sorted()[0]
        for span in parameter.spans.dropLast() where reported.isInside(span) { return }
        add(
            .missingParameter, at: parameter.node.span, around: [operation.node.span],
            "\(methods[0].method.apiName) \(parameter.place).\(parameter.name)\(names)")
    }

    mutating func compare(
        _ parameter: DescribedParameter, with found: [Parameter], operation: DescribedOperation,
        item: AuditedMethod
    ) {
        let name = "\(item.method.apiName) \(parameter.place).\(parameter.name)"
        let place = (span: parameter.node.span, around: [operation.node.span])
        let written = found[0]
        if found.allSatisfy({ $0.isRequired != parameter.isRequired }) {
            let side = parameter.isRequired ? "description" : "spec"
            add(
                .otherPresence, at: place.span, around: place.around,
                "\(name): required only in the \(side)")
        }
        if let schema = parameter.schema {
            let step = step(name, at: schema, spans: parameter.spans)
            let facts = ValueFacts.union(found.map { spec.facts(of: $0.value, .request) })
            compare(
                description.schemas.facts(schema, .request), with: facts, at: step,
                direction: .request,
                isText: written.listStyle != .json)
        }
        if parameter.place == "query" || parameter.isPlainContent {
            compareStyle(of: parameter, written, name)
        }
        guard parameter.place == "path" else { return }
        let sign = Self.sign(of: parameter)
        if !sign.isEmpty, !item.method.path.contains(sign + "{" + written.key + "}") {
            add(.otherStyle, at: place.span, "\(name): `\(sign)` is not in the path")
        }
        if PathShape(operation.path).greedy.contains(written.key),
            !item.shape.greedy.contains(written.key)
        {
            add(.otherPath, at: place.span, around: place.around, "\(name): keeps its slashes")
        }
    }

    mutating func compareStyle(
        of parameter: DescribedParameter, _ written: Parameter, _ name: String
    ) {
        var (isList, isObject) = (false, false)
        switch written.value.type {
        case .list: isList = true
        case .map, .object: isObject = true
        default: break
        }
        let deep: [ListStyle] = [.deep, .brackets, .indexed]
        let isExploded = parameter.style == nil || parameter.style == .repeated
        let isEqual =
            parameter.isPlainContent
            ? written.listStyle != .json
            : parameter.isDeep
                ? !(isList || isObject) || deep.contains(written.listStyle)
                : written.listStyle == .entries
                    ? isExploded
                    : !isList || parameter.style == nil || parameter.style == written.listStyle
        if !isEqual {
            add(
                .otherStyle, at: parameter.node.span, around: parameter.spans,
                "\(name): sent as \(written.listStyle)")
        }
    }
}
