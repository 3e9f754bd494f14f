import TelexCredentials

// The errors of this module whose descriptions contain no secrets.
extension APIError: DescribableError {}
extension OperationError: DescribableError {}
extension RefreshFailure: DescribableError {}
extension RefreshTimedOut: DescribableError {}
extension BlockingError: DescribableError {}
extension FakeError: DescribableError {}
extension LogOutError: DescribableError {}
