// Re-exports these modules, because requests, replies and call options use their types, for example
// `Nullable`, `JSONValue`, `RetryPolicy` and `Timeouts`. Apps then need one import only.
@_exported public import TelexCache
@_exported public import TelexCredentials
@_exported public import TelexDiagnosis
@_exported public import TelexDownloads
@_exported public import TelexInspection
@_exported public import TelexJSON
@_exported public import TelexRequests
@_exported public import TelexScheduling
@_exported public import TelexTemplates
@_exported public import TelexTransport
@_exported public import TelexValues
