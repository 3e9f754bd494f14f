import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks which types are allowed where.
enum TypeChecker {
    /// Whether a type is allowed in a context; reports it otherwise.
    static func allows(
        _ value: Value, at span: Span, in context: TypeContext, into bag: inout DiagnosticBag
    ) -> Bool {
        guard let problem = problem(of: value, context) else { return true }
        bag.report(
            .typeNotAllowed, "\(problem) cannot be used in \(context.place.name)", at: span,
            help: help(for: value.type, context))
        return false
    }

    private static func problem(of value: Value, _ context: TypeContext) -> String? {
        if value.from != .native, context.place.isText || context.place == .part {
            if case .enumeration = value.type { return nil }
            return "JSON inside a text"
        }
        return problem(of: value.type, context)
    }

    private static func problem(of type: ValueType, _ context: TypeContext) -> String? {
        switch type {
        case .file:
            let isFine = !context.isElement && [.part, .body, .alias].contains(context.place)
            return isFine || context.isListedPart ? nil : "a file"
        case .list(let element):
            return listProblem(context) ?? problem(ofElement: element, context.element())
        case .map(_, let element):
            return context.allowsObjects
                ? problem(ofElement: element, context.element(ofMap: true)) : "an object"
        case .object:
            return context.allowsObjects ? nil : "an object"
        case .union:
            return context.allowsObjects ? nil : "a union"
        case .json:
            return context.allowsObjects ? nil : "any JSON"
        case .bool(.presence):
            return context.place.isText || context.place == .alias
                ? nil : "a Boolean in this form"
        case .bytes:
            return context.place.isText ? "raw bytes" : nil
        default: return nil
        }
    }

    /// An inline element has already been checked; the element of an alias has not been checked in
    /// this context.
    private static func problem(ofElement element: Value, _ context: TypeContext) -> String? {
        if element.type == .file, element.isNullable { return "a list of files and nulls" }
        return problem(of: element, context)
    }

    private static func listProblem(_ context: TypeContext) -> String? {
        if context.takesAnyJSON { return nil }
        if context.place == .path { return "a list" }
        let isText = context.place.isText || context.place == .part
        return isText && context.isElement ? "a list of lists" : nil
    }

    private static func help(for type: ValueType, _ context: TypeContext) -> String? {
        switch type {
        case .list(let element) where element.type == .file: help(for: .file, context)
        case .file: "files and lists of files belong in `multipart`; a file can be a whole `body`"
        case .object, .union, .map, .json, .list:
            switch context.place {
            case .query, .form:
                "`style: deep` sends it as `a[b]=c`, `style: dots` as `a.b=c`, `style: json` as JSON"
            case .header: "`style: json` sends it as JSON text"
            case .part: "`style: json` sends it as a part of the type `application/json`"
            case .field, .path, .json, .body, .reply, .alias, .alternative: nil
            }
        default: nil
        }
    }
}

extension TypeContext {
    /// Whether a value here may be an object.
    fileprivate var allowsObjects: Bool { takesAnyJSON || !place.isText && place != .part }
}
