import TelexCredentials
import TelexDiagnosis
import TelexInspection
import TelexJSON
import TelexTransport

/// What a manager found while it prepared for its first call; see ``APIManager/bootstrap(loading:)``.
public struct BootReport: Sendable {
    /// Whether a credential is stored; false also if the store failed.
    public let hasCredential: Bool
    /// Why the credential cannot be read; nil if it can.
    public let storeError: CredentialStoreError?
    /// What is wrong with the choice of servers; nil if nothing is.
    public let serverProblem: Violation?
    /// How far the network reached for each host that cannot be reached. A host is missing if it
    /// cannot be examined, as with a test transport.
    public let unreachable: [Diagnosis]
    /// Why templates cannot be used, by method.
    public let brokenTemplates: [String: String]

    /// Whether nothing was found that makes calls fail.
    public var isReady: Bool {
        storeError == nil && serverProblem == nil && unreachable.isEmpty && brokenTemplates.isEmpty
    }
}

extension APIManager {
    /// Prepares for the first call: reads the credential, loads the templates of these methods, and
    /// examines whether the hosts of the spec's `reachability` can be reached, or else that of the
    /// manager's server. All three happen at the same time, and nothing is sent.
    ///
    /// - Parameter methods: The API's names of methods whose templates are loaded from the store of
    ///   ``TemplateUse``; none by default.
    public func bootstrap(loading methods: [String] = []) async -> BootReport {
        let pipeline = factory.pipeline
        async let unreachable = pipeline.unreachableHosts()
        async let broken = pipeline.brokenTemplates(of: methods)
        let stored = await pipeline.storedCredential()
        var problem: Violation?
        do throws(Violation) { _ = try pipeline.servers.place() } catch { problem = error }
        var storeError: CredentialStoreError?
        if case .failure(let error) = stored { storeError = error }
        return await BootReport(
            hasCredential: (try? stored.get()) != nil, storeError: storeError,
            serverProblem: problem, unreachable: unreachable, brokenTemplates: broken)
    }
}

extension CallPipeline {
    /// How far the network reaches for each host of the API that cannot be reached.
    fileprivate func unreachableHosts() async -> [Diagnosis] {
        let named = definition.reachability.compactMap(Address.init)
        let addresses = named.isEmpty ? [servers.defaultPlace?.address].compactMap(\.self) : named
        var found: [Diagnosis] = []
        for address in addresses {
            let request = DiagnosisRequest(.failure(.timedOut), of: address, shown: nil)
            guard let diagnosis = await diagnostician.diagnose(request, within: .day) else {
                continue
            }
            // No request was sent, so a host that accepts connections is not to blame.
            let isBroken = diagnosis.broken.map { $0 < .http } ?? false
            if isBroken || diagnosis.isCaptive == true { found.append(diagnosis) }
        }
        return found
    }

    fileprivate func brokenTemplates(of methods: [String]) async -> [String: String] {
        guard let store = templates?.store else { return [:] }
        var broken: [String: String] = [:]
        for method in methods {
            do { _ = try store.template(for: method) } catch { broken[method] = "\(error)" }
        }
        return broken
    }
}
