import TelexJSON
import TelexRequests
import TelexTransport

/// Several procedure calls in one request (JSON-RPC 2.0, section 6): a list of their bodies. The
/// reply is a list in any order, in which each call finds its own reply by its id.
struct CallBatch: Sendable {
    /// A call with its id.
    private struct Member: Sendable {
        let request: RequestContent
        let template: RequestTemplate
    }

    private let members: [Member]
    private let pipeline: CallPipeline
    /// The request.
    let template: RequestTemplate

    init(_ requests: [RequestContent], _ pipeline: CallPipeline) {
        members = requests.map { request in
            var template = request.template
            if let id = template.newKey { template.add(callID: id) }
            return Member(request: request, template: template)
        }
        self.pipeline = pipeline
        template = Self.template(members.map(\.template))
    }

    // MARK: Request

    private static func template(_ calls: [RequestTemplate]) -> RequestTemplate {
        guard let first = calls.first else {
            return refused("at least one procedure call", found: "none", Endpoint(.post, ""))
        }
        // Each call has rules of its own for its reply.
        var endpoint = first.endpoint
        endpoint.reply = ReplyRules()
        endpoint.login = nil
        var batch = RequestTemplate(method: first.method, endpoint: endpoint)
        (batch.path, batch.query, batch.headers) = (first.path, first.query, first.headers)
        var (body, secrets) = ([UInt8(ascii: "[")], [Range<Int>]())
        for (index, call) in calls.enumerated() {
            batch.foundViolations += call.violations.map { $0.below("[\(index)]") }
            guard call.endpoint.method == .post, call.address == first.address,
                !call.needsCredential, case .json(let plain, let ranges) = call.body,
                case .bytes(let bytes)? = try? call.payload(placement: nil, credential: nil)?.body
            else {
                return refused(
                    "procedure calls to one address, without values of the credential",
                    found: "`\(call.method)`", endpoint)
            }
            if index > 0 { body.append(UInt8(ascii: ",")) }
            // The id stands before the other members.
            let start = body.count + bytes.count - plain.count
            secrets += ranges.map { $0.lowerBound + start..<$0.upperBound + start }
            body += bytes
        }
        batch.body = .json(body + [UInt8(ascii: "]")], sensitive: secrets)
        return batch
    }

    private static func refused(
        _ expected: String, found: String, _ endpoint: Endpoint
    ) -> RequestTemplate {
        var batch = RequestTemplate(method: "batch", endpoint: endpoint)
        batch.foundViolations = [
            Violation(path: "batch", rule: "batch", expected: expected, found: found)
        ]
        return batch
    }

    // MARK: Reply

    /// Returns the replies to the calls, in their order.
    func replies(in reply: Reply) -> [Reply] {
        let limits = pipeline.definition.limits.json
        let replies = JSONReader.bytes(
            atEach: [.each], in: reply.body, limits: limits, upTo: .max
        ).map { Array($0) }
        var known: [String: [UInt8]] = [:]
        for body in replies {
            let id = JSONReader.value(at: ["id"], in: body, limits: limits)?.codeText
            if let id { known[id] = body }
        }
        // A reply that is no list refuses all calls.
        let other = replies.isEmpty ? reply.body : Array("null".utf8)
        return members.map { member in
            let body = member.template.callID.map { known[$0] ?? other } ?? []
            return Reply(head: reply.head, body: body, address: reply.address)
        }
    }

    /// Returns the end of a call.
    func end<Output>(
        of index: Int, _ request: APIRequest<Output>, _ reply: Reply
    ) -> Result<Output, APIError> {
        let member = members[index]
        let plan = CallPlan(pipeline: pipeline, request: member.request, overrides: nil)
        let call = Call(
            plan, sending: member.template, context: nil,
            credential: .success(nil), auth: pipeline.plainAuth(for: member.template, .success(nil))
        )
        do throws(APIError) {
            let product = try call.judgedValue(in: reply)
            guard let value = (product as? Product<Output>)?.value else {
                throw call.failure(in: .map, reason: .unexpectedReply, at: reply)
            }
            return .success(value)
        } catch {
            return .failure(call.finished(error))
        }
    }
}

extension RequestTemplate {
    /// What must be the same in all calls of a batch: the place, and all that is not in the body.
    fileprivate var address: [[RequestField.Pair]] {
        let place = RequestField.Pair(
            name: endpoint.path, texts: [endpoint.server ?? "", "\(isWholeAddress)"])
        return [[place]] + (path + query + headers).map(\.pairs)
    }
}

extension Violation {
    /// The violation in a value at this place.
    fileprivate func below(_ place: String) -> Violation {
        var violation = self
        violation.path = "\(place).\(path)"
        return violation
    }
}
