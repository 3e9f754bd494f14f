package import TelexRuntime

/// An API without parameters and error codes of its own, whose definition a test chooses.
package enum TestAPI: APIDescription {
    package struct Parameters: DefaultParameters {
        package init() {}

        package func apply(to request: inout RequestBuilder) {}
    }

    package struct ErrorCode: OpenEnum {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        package static var allKnown: [ErrorCode] { [] }
    }

    /// A method by its name. Requests may also be built from any other `APIMethodName`.
    package struct APIMethod: APIMethodName {
        package let rawValue: String
        package let endpoint: Endpoint

        package init(rawValue: String) { self.init(rawValue, Endpoint(.get, rawValue)) }

        package init(_ name: String, _ endpoint: Endpoint) {
            rawValue = name
            self.endpoint = endpoint
        }
    }

    /// The definition of the managers that this task makes.
    @TaskLocal package static var definition = APIDefinition(
        name: "Test", servers: [Server("main", "https://test.test/")], retry: .never)

    /// Returns a manager of an API with this definition, on a stopped clock.
    package static func manager(
        _ definition: APIDefinition, transport: any Transport,
        credentials: any CredentialStore = .memory,
        configure: (inout APIManager<TestAPI>.Configuration) -> Void = { _ in }
    ) -> APIManager<TestAPI> {
        $definition.withValue(definition) {
            APIManager<TestAPI>(transport: transport, credentials: credentials) {
                $0.settings.clock = .stopped
                configure(&$0)
            }
        }
    }
}
