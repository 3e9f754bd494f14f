import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexRequests

/// Gets the token of a scheme by a call of the method that returns it.
struct TokenMethodCaller: CredentialRefresher {
    /// Makes a call of the API, which belongs to the refresh, so that it waits for no other one.
    typealias Send = @Sendable (APIRequest<Void>) async throws -> OperationResponse<Void>

    let method: TokenMethod
    let pipeline: CallPipeline
    let send: Send

    /// Calls the method.
    func refresh(_ old: Credential?) async throws -> Credential {
        guard let endpoint = pipeline.definition.tokenMethods[method.name] else {
            throw CredentialError(
                .invalidRequest, "`\(method.name)` is no method that returns a token")
        }
        let template = RequestTemplate(method: method.name, endpoint: endpoint)
        let response = try await send(RequestBuilder(template).finishEmpty())
        let token =
            if let field = method.header {
                HTTPField.Name(field).flatMap { response.head?.headerFields[$0] } ?? ""
            } else {
                (try? LoginRules(token: method.token).credential(
                    in: response.body, under: (endpoint.reply ?? pipeline.definition.reply).unwrap,
                    limits: pipeline.definition.limits.json, at: pipeline.clock.now()))?.token ?? ""
            }
        guard !token.isEmpty else {
            let place = method.header ?? method.token.joined(separator: ".")
            throw CredentialError(
                .malformedReply, "the reply of `\(method.name)` has no token at `\(place)`")
        }
        return Credential(token: token)
    }
}
