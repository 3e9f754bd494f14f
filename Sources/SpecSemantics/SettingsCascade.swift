import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The settings of an API, or of a group or a method in it. The nearest value of each setting
/// wins: that of the method, then of the group, then of the API.
///
/// It is immutable, and shared: each method has one, and the syntax trees in it are large.
final class SettingsCascade: Sendable {
    typealias Origin = ExplainedValue.Origin

    /// The effective value of a setting.
    struct Setting<Value> {
        let value: Value
        /// The span of its declaration.
        let span: Span
        /// Where it is declared.
        let origin: Origin
    }

    let api: APISyntax
    private let group: GroupSyntax?
    private let method: MethodSyntax?
    /// The declarations of settings, the nearest first.
    private let layers: [(origin: Origin, settings: SettingsSyntax)]

    /// The settings of an API, of a group in it, or of a method in that group.
    init(_ api: APISyntax, group: GroupSyntax? = nil, method: MethodSyntax? = nil) {
        self.api = api
        self.group = group
        self.method = method
        let outer = [(origin: Origin.api, settings: api.settings)]
        let inner = group.map { [(origin: Origin.group, settings: $0.settings)] } ?? []
        let own = method.map { [(origin: Origin.method, settings: $0.settings)] } ?? []
        layers = own + inner + outer
    }

    /// The settings of the nearest declaration alone.
    var own: SettingsSyntax { layers[0].settings }

    /// Whether a setting is declared in the nearest declaration.
    func isOwn<Value>(_ setting: Setting<Value>) -> Bool { setting.origin == layers[0].origin }

    /// Whether the group or the method sets something.
    func overridesAPI(_ isSet: (SettingsSyntax) -> Bool) -> Bool {
        layers.contains { $0.origin != .api && isSet($0.settings) }
    }

    private func nearest<Value>(
        _ setting: (SettingsSyntax) -> Located<Value>?
    ) -> Setting<Value>? {
        Self.nearest(in: layers, setting)
    }

    private static func nearest<Value>(
        in layers: [(origin: Origin, settings: SettingsSyntax)],
        _ setting: (SettingsSyntax) -> Located<Value>?
    ) -> Setting<Value>? {
        for (origin, settings) in layers {
            guard let found = setting(settings) else { continue }
            return Setting(value: found.value, span: found.span, origin: origin)
        }
        return nil
    }
}

// MARK: Requests and replies

extension SettingsCascade {
    /// The name of the server; by default the first one of the API.
    var server: Setting<String>? {
        nearest(\.server)
            ?? api.servers.first.map {
                Setting(value: $0.name.value, span: $0.name.span, origin: .api)
            }
    }

    /// `auth` of the method or its group.
    var authentication: Setting<AuthUseSyntax>? { nearest(\.auth) }

    /// The schemes whose tokens requests may carry; by default the first one of the API.
    var schemes: [AuthSyntax] {
        switch authentication?.value {
        case AuthUseSyntax.none?: []
        case .required, .optional, nil: api.auth.map { [$0] } ?? []
        case .anyOf(let names), .allOf(let names):
            names.compactMap { name in api.schemes.first { $0.scheme.value == name.value } }
        }
    }

    /// Whether every request carries the token of a scheme.
    func alwaysSends(_ auth: AuthSyntax) -> Bool {
        switch authentication?.value {
        case AuthUseSyntax.none?, .optional: return false
        case .anyOf(let names) where names.count > 1: return false
        case .required, .anyOf, .allOf, nil: return schemes.contains { $0.span == auth.span }
        }
    }

    /// Whether requests carry a token; by default if the API has a scheme.
    var sendsToken: Bool {
        if case AuthUseSyntax.none? = authentication?.value { return false }
        return authentication != nil || api.auth != nil
    }

    /// The signs of an expired token, by default those of the API's `auth`.
    var expired: Setting<ExpirySyntax>? {
        nearest { settings in settings.expired.map { Located($0, at: $0.span) } }
            ?? api.auth?.expired.map { Setting(value: $0, span: $0.span, origin: .api) }
    }

    var dates: Setting<String>? { nearest(\.dates) }
    /// The success statuses: those of a `returns` by status, or those of `success`.
    var statuses: Setting<[ClosedRange<Int>]>? {
        guard let method, let first = method.replies.first else {
            return nearest(\.success?.statuses)
        }
        let ranges = method.replies.map { $0.status.value...$0.status.value }
        return Setting(value: ranges, span: first.status.span, origin: .method)
    }

    /// Whether the method or its group has success rules of its own.
    var overridesSuccess: Bool {
        method?.replies.isEmpty == false
            || overridesAPI { $0.success != nil || $0.unwrap != nil || $0.accepts != nil }
    }

    var absent: Setting<[String]>? { nearest(\.success?.absent) }
    var present: Setting<[String]>? { nearest(\.success?.present) }
    var conditions: Setting<[SuccessConditionSyntax]>? { nearest(\.success?.conditions) }
    var unwrap: Setting<[PathStep]>? { nearest(\.unwrap) }
    var accepts: Setting<[String]>? { nearest(\.accepts) }

    // MARK: Validation

    var validationMode: Setting<ValidationPolicy.Mode>? { nearest(\.validation?.mode) }
    var validationChecks: Setting<[Located<ValidationPolicy.Check>]>? {
        nearest(\.validation?.checks)
    }
    /// The share of replies that are checked, in percent.
    var validationSample: Setting<Int>? { nearest(\.validation?.sample) }

    // MARK: Errors

    /// Whether any declaration has `errors`.
    var hasErrors: Bool { layers.contains { $0.settings.errors != nil } }
    var errorsAt: Setting<[PathStep]>? { nearest(\.errors?.at) }
    var errorCode: Setting<[String]>? { nearest(\.errors?.code) }
    var errorMessage: Setting<[[String]]>? { nearest(\.errors?.message) }
    var errorModel: Setting<String>? { nearest(\.errors?.model) }
    var errorRetryAfter: Setting<RetryAfterSyntax>? {
        nearest { settings in settings.errors?.retryAfter.map { Located($0, at: $0.at.span) } }
    }

    /// The error cases that apply; the nearest of each name wins.
    var errorCases: [ErrorCaseSyntax] {
        var names: Set<String> = []
        return layers.indices.flatMap(cases).filter { names.insert($0.name.value).inserted }
    }

    /// The first case of the nearest declaration that has cases.
    var nearestErrorCase: Setting<String>? { nearest(\.errors?.cases.first?.name) }

    /// The error cases of the nearest declaration alone.
    var ownErrorCases: [ErrorCaseSyntax] { cases(ofLayer: 0) }

    /// The cases of a declaration. Where its errors have no code, the short form is a status.
    private func cases(ofLayer index: Int) -> [ErrorCaseSyntax] {
        let code = Self.nearest(in: Array(layers[index...])) { $0.errors?.code }
        let hasCode = code.map { !$0.value.isEmpty } ?? false
        return (layers[index].settings.errors?.cases ?? []).map {
            $0.isShort && !hasCode ? $0.namedByStatus : $0
        }
    }

    /// Resolves an error code, which may be given by the name of its case.
    func errorCode(_ text: String) -> String {
        let cases = errorCases
        if cases.contains(where: { $0.code?.value == text }) { return text }
        return cases.first { $0.name.value == text }?.code?.value ?? text
    }

    /// The parameters of the group that the method does not declare itself.
    var groupParameters: [ParameterSyntax] {
        guard let parameters = group?.parameters, !parameters.isEmpty else { return [] }
        let own = Set(method?.parameters.map(\.identity) ?? [])
        return parameters.filter { !own.contains($0.identity) }
    }
}

// MARK: Scheduling

extension SettingsCascade {
    var session: Setting<Session>? { nearest(\.operation.session) }
    /// The queue; the value is nil for `none`.
    var queue: Setting<String?>? { nearest(\.operation.queue) }
    var priority: Setting<Priority>? { nearest(\.operation.priority) }

    var onConstrained: Setting<NetworkPolicy>? { nearest(\.operation.onConstrained) }
    var onExpensive: Setting<NetworkPolicy>? { nearest(\.operation.onExpensive) }

    /// The idempotency key. An inherited one applies only to methods that are not idempotent
    /// (RFC 9110 §9.2.2).
    var idempotencyKey: Setting<IdempotencyKeySyntax>? {
        let all = method?.isIdempotent == true ? Array(layers.prefix(1)) : layers
        return Self.nearest(in: all) { settings in
            settings.operation.idempotencyKey.map { Located($0, at: $0.span) }
        }
    }

    /// `cache`. An inherited one applies only to methods whose replies can be kept.
    var cache: Setting<CacheSyntax>? {
        let all = method?.isCacheable == false ? Array(layers.prefix(1)) : layers
        return Self.nearest(in: all) { settings in
            settings.operation.cache.map { Located($0, at: $0.span) }
        }
    }

    var silence: Setting<Int>? { nearest(\.operation.timeout?.silence) }
    /// The time-out of an attempt; the value is nil for `none`.
    var attempt: Setting<Int?>? { nearest(\.operation.timeout?.attempt) }
    /// The time-out of a call; the value is nil for `none`.
    var total: Setting<Int?>? { nearest(\.operation.timeout?.total) }
    var pause: Setting<Int>? { nearest(\.operation.timeout?.pause) }
}

// MARK: Retry

extension SettingsCascade {
    /// `retry: none`, if it is the nearest `retry`.
    var noRetry: Setting<Void>? {
        guard let first = layers.first(where: { $0.settings.operation.retry != nil }),
            let never = first.settings.operation.retry?.never
        else { return nil }
        return Setting(value: (), span: never, origin: first.origin)
    }

    /// Whether any declaration has a `retry`.
    var hasRetry: Bool { layers.contains { $0.settings.operation.retry != nil } }

    /// Whether any declaration has a back-off that applies.
    var hasBackoff: Bool { retrying.contains { $0.settings.operation.retry?.backoff != nil } }

    var retryAttempts: Setting<Int>? { part(\.attempts) }
    var retryConditions: Setting<[Located<RetrySyntax.Condition>]>? { part(\.conditions) }
    var firstWait: Setting<Int>? { part(\.backoff?.initial) }
    var waitFactor: Setting<Double>? { part(\.backoff?.factor) }
    var jitter: Setting<Int>? { part(\.backoff?.jitter) }
    var longestWait: Setting<Int>? { part(\.backoff?.maximum) }

    /// The declarations whose parts of `retry` are inherited. `none` neither inherits nor is
    /// inherited in parts.
    private var retrying: [(origin: Origin, settings: SettingsSyntax)] {
        layers.filter { $0.settings.operation.retry?.never == nil }
    }

    private func part<Value>(_ part: (RetrySyntax) -> Located<Value>?) -> Setting<Value>? {
        Self.nearest(in: retrying) { $0.operation.retry.flatMap(part) }
    }
}

extension MethodSyntax {
    /// Whether two calls have the effect of one: by the verb (RFC 9110 §9.2.2), or because the
    /// method only reads.
    var isIdempotent: Bool { onlyReads || verb?.value.isIdempotent ?? true }

    /// Whether the method changes nothing, by its verb or by `safe`.
    var onlyReads: Bool { call.safe != nil || verb?.value.isRead ?? true }
}

extension MethodSyntax {
    /// Whether its replies can be kept: it reads a value, which is not a credential.
    var isCacheable: Bool {
        onlyReads && login == nil && call.stream == nil
            && [.data, nil].contains(call.kind?.value)
    }
}

extension ParameterSyntax {
    /// The name that is sent.
    package var sentKey: Located<String> { type.attributes.key ?? key }

    /// The location and the name, ignoring case in headers. The nearest parameter of one identity
    /// is sent.
    package var identity: String {
        let key = sentKey.value
        return "\(location?.rawValue ?? "") \(location == .header ? key.lowercased() : key)"
    }
}

extension ErrorCaseSyntax {
    /// The code or the status, as text; `nil` if it is missing.
    var identity: Located<String>? {
        code ?? status.map { Located(String($0.value), at: $0.span) }
    }

    /// The short form as a status; unchanged if its value is none.
    fileprivate var namedByStatus: ErrorCaseSyntax {
        guard isInteger, let code, let number = Int(code.value), 100...599 ~= number else {
            return self
        }
        var result = self
        result.status = Located(number, at: code.span)
        result.code = nil
        return result
    }
}
