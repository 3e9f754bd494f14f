import SpecDiagnostics
import SpecSyntax

/// Makes `content-type` a constant header field.
enum BodyTypeExpander {
    static func expand(_ spec: inout Spec, into bag: inout DiagnosticBag) {
        for index in spec.groups.indices {
            for place in spec.groups[index].methods.indices {
                spec.groups[index].methods[place].addContentType(into: &bag)
            }
        }
    }
}

extension MethodSyntax {
    fileprivate mutating func addContentType(into bag: inout DiagnosticBag) {
        guard let contentType else { return }
        let key = bodyKey?.value
        guard key == .json || key == .body && body?.name != "file" else {
            bag.report(
                .attributeDoesNotApply, "`content-type` does not apply here", at: contentType.span,
                help: "it is the type of a JSON body and of raw bytes; forms have their own, and a "
                    + "file brings one")
            return
        }
        var header = ParameterSyntax(
            key: Located("Content-Type", at: contentType.span), location: .header,
            type: TypeSyntax(.named("string"), at: contentType.span))
        header.callValue = .text(contentType.value)
        parameters.append(header)
    }
}
