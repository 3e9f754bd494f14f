// error: 'isUltraConstrained' is only available in
import Network

/// Uses what Apple's SDK has since the systems of 2025.
enum NewerFramework {
    static func isNarrow(_ path: NWPath) -> Bool { path.isUltraConstrained }
}
