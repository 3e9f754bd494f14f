import SpecIR
import TelexJSON

extension SpecInterpreter {
    /// Makes the check of a single value of a type, as a reply has it.
    package func check(of type: Value) -> (JSONValue) -> Bool {
        let check = ValueCheck(type, table)
        let (models, limits) = (received, limits)
        return { value in
            let bytes = Array(value.description.utf8)
            return JSONReader.read(bytes, limits: limits) {
                check.element(&$0, CheckRun(models, notes: false))
            }.report.isValid
        }
    }
}
