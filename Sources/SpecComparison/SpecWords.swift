import SpecIR
import SpecSyntax

/// The words of the spec for the properties of the IR.
enum SpecWords {
    /// A word for what has none in the spec and follows from other properties: it is never told.
    static let untold = "-"

    /// The words by type and property. A word is a key of the spec, or `the …` where the spec has no
    /// key. It is empty where the properties inside say enough. Cases of enumerations may have words
    /// for their values.
    static let words: [String: [String: String]] = [
        "API": [
            "name": "api", "documentation": "", "servers": "servers",
            "baseParameters": "parameters", "reply": "", "errors": "errors",
            "errorCodes": "errors", "auth": "auth", "schemes": "auth", "keepsCookies": "cookies",
            "timeouts": "timeout", "limits": "limits", "traffic": "", "retry": "retry",
            "validation": "validate", "templates": "templates.compatibility",
            "reachability": "reachability", "extras": "generate", "groups": "",
        ],
        "Documentation": [
            "text": "doc", "link": "link", "deprecation": "deprecated", "examples": "examples",
        ],
        "Deprecation": ["since": "since", "use": "use", "message": ""],
        "Server": ["name": "", "url": "", "variables": "variables"],
        "ServerVariable": ["name": "", "defaultValue": "default", "allowed": "in"],
        "ErrorCodes": ["areIntegers": untold, "cases": "cases"],
        "ErrorRules": [
            "at": "at", "code": "code", "message": "message",
            "furtherMessages": "the further paths of `message`", "retryAfter": "retry-after",
            "retryAfterIsInMilliseconds": "the unit of `retry-after`", "model": "model",
            "cases": "cases",
        ],
        "ErrorCase": [
            "name": "the name", "code": "code", "status": "status", "documentation": "",
            "isRetryable": "retry", "model": "model",
        ],
        "AuthRules": [
            "grant": "", "name": "the name", "secret": "secret", "placement": "token",
            "expiry": "expired", "refresh": "refresh",
        ],
        "AuthRules.Placement": ["prefix": "prefix"],
        "OAuthGrant": [
            "kind": "grant", "client": "client", "authorize": "authorize", "token": "refresh",
            "scopes": "scopes",
        ],
        "Refresh": [
            "token": "token", "header": "take.header", "status": "on", "method": "method",
            "request": "",
        ],
        "RefreshRequest": [
            "url": "post", "isJSON": "json", "members": "the body", "token": "take.token",
            "refreshToken": "take.refresh-token", "expiresIn": "take.expires-in",
        ],
        "RefreshRequest.Member": ["name": "", "value": ""],
        "ReplyLimits": ["bytes": "response", "depth": "depth"],
        "Traffic": [
            "rate": "limits.requests", "concurrent": "limits.concurrent",
            "perHost": "limits.per-host", "queues": "queues", "sessions": "sessions",
        ],
        "RequestRate": ["requests": "requests", "interval": "interval", "burst": "burst"],
        "QueueRules": ["name": "", "concurrent": "concurrent"],
        "SessionRules": [
            "name": "", "isEphemeral": "ephemeral", "isBackground": "background",
            "connections": "connections",
        ],
        "Timeouts": [
            "silence": "silence", "attempt": "attempt", "total": "total", "pause": "pause",
        ],
        "RetryPolicy": ["attempts": "attempts", "conditions": "on", "backoff": "backoff"],
        "Backoff": [
            "initial": "initial", "factor": "factor", "jitter": "jitter", "maximum": "max",
        ],
        "ValidationPolicy": ["mode": "mode", "checks": "checks", "sample": "sample"],
        "SuccessRules": [
            "statuses": "success.status", "absent": "success.absent",
            "present": "success.present", "conditions": "success.where", "unwrap": "unwrap",
            "accepts": "accepts",
        ],
        "ReplyCondition": ["path": "", "values": ""],
        "Group": [
            "apiName": "the name", "sourcePath": "the file", "fileName": "the file",
            "names": "names", "documentation": "", "methods": "methods", "models": "models",
            "capabilities": "capabilities",
        ],
        "GroupNames": ["property": "the property", "stem": "the name of types"],
        "Capability": ["name": "the name", "methods": "methods"],
        "Method": [
            "apiName": "the name", "name": "swift.name", "caseName": "the case of `APIMethod`",
            "documentation": "", "verb": "the verb", "path": "the path", "parameters": "",
            "body": "the form of the body", "wrapper": "the wrapper of the body",
            "output": "returns", "replyHeaders": "reply-headers", "template": "template",
            "login": "login", "server": "server", "auth": "auth", "timeouts": "timeout",
            "session": "session", "operation": "", "reply": "", "errors": "errors",
            "expiry": "expired", "extractions": "extract", "validation": "validate",
            "isCheckedByApp": "the app's own checks", "pages": "pages", "isInternal": untold,
            "rules": "rules",
        ],
        "BodyWrapper": ["key": "", "isList": "list"],
        "OperationPolicy": [
            "kind": "kind", "queue": "queue", "priority": "priority", "throttle": "throttle",
            "isCoalesced": "coalesce", "isSafe": "safe", "retry": "retry",
            "idempotencyKey": "idempotency-key",
            "rate": "limits.requests", "until": "until", "replyBytes": "limits.response",
            "onConstrained": "on-constrained", "onExpensive": "on-expensive", "cache": "cache",
        ],
        "CachePolicy": ["fresh": "fresh", "staleIfError": "stale-if-error", "store": "store"],
        "StreamFormat": ["framing": "stream", "events": "events", "end": "end"],
        "Polling": ["conditions": "where", "failures": "fails", "backoff": "interval"],
        "Throttle": ["interval": "interval", "key": "by", "policy": "policy", "from": "from"],
        "StatusReplies": ["name": "the name of the reply", "cases": ""],
        "StatusCase": ["status": "the status", "name": "the name", "output": ""],
        "ReplyHeaders": ["model": "the type", "places": "the places"],
        "LoginRules": [
            "token": "token", "refreshToken": "refresh-token", "expiresIn": "expires-in",
            "isInMilliseconds": "the unit of `expires-in`", "values": "values",
        ],
        "PageRules": ["items": "items", "form": "", "more": "more"],
        "PageRules.Form": [
            "parameter": "the parameter", "total": "total", "last": "last", "token": "take",
            "address": "next", "link": "next.link", "merge": "merge", "name": "",
            "headerToken": "take.header", "lastItem": "take.last",
        ],
        "PageRules.Place": ["fields": "", "value": ""],
        "ReplyTemplate": [
            "reply": "the reply", "asksForMore": "the rules", "isExample": "the example",
        ],
        "Parameter": [
            "key": "key", "name": "the name", "location": "in", "value": "",
            "presence": "the presence", "fallback": "", "omitsEmpty": "empty: omit",
            "defaultsEmpty": "empty: default",
            "allowsEmptyPath": "empty: send", "clamp": "clamp", "serverDefault": "server-default",
            "listStyle": "style", "takenNames": untold, "documentation": "",
            "isSensitive": "sensitive",
            "isInWrapper": "the wrapper of the body", "textType": "content-type",
        ],
        "Parameter.Fallback": ["value": "default", "unless": "default-unless"],
        "Parameter.Clamp": ["low": "min", "high": "max"],
        "Model": [
            "apiName": untold, "name": "swift.type", "qualifiedName": untold,
            "inlinePlace": untold, "documentation": "", "kind": "", "nested": "",
            "isRead": untold, "isWritten": untold, "conformances": "conforms",
            "joins": "lookup", "rules": "rules", "isClosed": "closed",
            "isArray": "the form as an array", "generic": untold, "parameter": untold,
        ],
        "GenericUse": ["structure": untold, "argument": untold, "declaration": untold],
        "Field": [
            "key": "key", "steps": "key", "name": "the name", "value": "",
            "isOptional": "optional", "defaultValue": "default", "isIndirect": untold,
            "isSensitive": "sensitive", "isAdditional": "additional", "only": "only",
            "documentation": "",
        ],
        "Enumeration": ["isInteger": "the kind of values", "cases": "enum"],
        "EnumerationCase": ["name": "the name", "value": "the value", "documentation": ""],
        "Union": [
            "discriminator": "tag", "tagsAreIntegers": "the kind of tags", "isClosed": "closed",
            "cases": "one-of", "redactsUnknown": untold,
        ],
        "Union.Discriminator": ["tag": "tag"],
        "UnionCase": [
            "apiName": "the key", "name": "the name", "tag": "the tag", "value": "",
            "kinds": "the kind of JSON", "tagField": "the field of the tag",
            "isIndirect": untold, "documentation": "",
        ],
        "Value": [
            "type": "", "isNullable": "nullable", "rules": "", "keyRules": "keys",
            "alias": "the alias", "tolerances": "invalid", "from": "from",
        ],
        "ValueType": [
            "from": "from", "isInteger": "the kind of values", "list": "items", "map": "values",
            "date": "as", "bool": "as", "duration": "as",
            "bytes": "as",
        ],
        "Rule": [
            "name": "the name", "argument": "", "message": "message", "isWarning": "warning",
            "direction": "on", "ignoresCase": "case-insensitive",
        ],
        "RuleArgument": ["program": untold, "id": "check", "function": untold],
        "CrossRule": [
            "name": "the name", "condition": untold, "fields": untold, "text": "",
            "message": "message", "isWarning": "warning", "direction": "on",
        ],
        "Extraction": [
            "name": "the name", "methodName": "the name", "path": "the path", "value": "",
            "mayMiss": "optional", "isSensitive": "sensitive", "container": "the container",
            "documentation": "",
        ],
        "Extraction.Container": ["key": "the key", "name": "the name", "path": "the path"],
        "Join": [
            "name": "the name", "typeName": "the type", "path": "the path",
            "keyType": "the type of keys", "sources": "in", "documentation": "",
        ],
        "JoinSource": [
            "caseName": "the name", "list": "the list", "element": "the element",
            "key": "the key", "isNegated": "negated",
        ],
        "Example": ["name": "the name", "value": ""],
        "ExampleValue.Member": ["key": "", "value": ""],
        "LiteralEntry": ["key": "", "value": ""],
    ]

    /// The words of values whose cases are called otherwise; empty for cases that are no word, but
    /// what they hold.
    static let values: [String: String] = [
        "DateForm.unixText": "unix, from string",
        "DateForm.unixMillisecondsText": "unix-ms, from string", "DateForm.pattern": "",
        "BoolForm.words": "", "BoolForm.text": "from string", "MapKey.enumeration": "",
        "ListStyle.joined": "join",
        "AuthUse.anyOf": "", "AuthUse.allOf": "all", "AuthRules.Expiry.status": "",
        "AuthRules.Expiry.code": "", "RetryPolicy.Condition.statuses": "",
        "RetryPolicy.Condition.code": "", "Union.Discriminator.key": "",
        "Union.Discriminator.onlyKey": "$key", "ReplyCondition.Constant.flag": "",
        "ReplyCondition.Constant.integer": "", "ReplyCondition.Constant.text": "",
        "ReplyCondition.Constant.callID": "$call.id", "Parameter.Presence.callID": "$call.id",
        "OperationPolicy.Kind.stream": "stream", "Refresh.request": "",
        "PageRules.Form.offset": "", "PageRules.Form.page": "",
    ]

    /// Values that stand for nothing written.
    static let absent: Set<String> = [
        "JSONForm.native", "BytesForm.base64", "Session.shared", "NetworkPolicy.use",
        "Priority.normal", "Body.none",
        "AuthUse.required", "ListStyle.repeated", "Rule.Direction.both", "RuleArgument.flag",
    ]

    /// How the spec writes numbers and lists.
    enum Unit { case duration, size, path, percent }

    static let units: [String: Unit] = [
        "Timeouts.silence": .duration, "Timeouts.attempt": .duration, "Timeouts.total": .duration,
        "Timeouts.pause": .duration, "Throttle.interval": .duration, "CachePolicy.fresh": .duration,
        "CachePolicy.staleIfError": .duration, "Backoff.initial": .duration,
        "Backoff.maximum": .duration, "Backoff.jitter": .percent,
        "ValidationPolicy.sample": .percent,
        "ReplyLimits.bytes": .size, "OperationPolicy.replyBytes": .size, "ErrorRules.code": .path,
        "ErrorRules.message": .path, "ErrorRules.retryAfter": .path, "SuccessRules.absent": .path,
        "SuccessRules.present": .path, "ReplyCondition.path": .path, "LoginRules.token": .path,
        "LoginRules.refreshToken": .path, "LoginRules.expiresIn": .path,
        "RefreshRequest.token": .path, "RefreshRequest.refreshToken": .path,
        "RefreshRequest.expiresIn": .path,
    ]

    /// The name of a type in the tables: `RetryPolicy.Condition`.
    static func name(of type: Any.Type) -> String {
        let name = String(reflecting: type)
        return name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// The words of a part of a spec, from the outermost key: `limits.requests`, or `the path`.
    static func path(_ words: [String]) -> String {
        let keys = words.filter { !$0.isEmpty && !$0.hasPrefix("the ") }.joined(separator: ".")
        let other = words.last { $0.hasPrefix("the ") }
        guard let other else { return keys.isEmpty ? "the value" : "`\(keys)`" }
        return keys.isEmpty ? other : "\(other) of `\(keys)`"
    }
}
