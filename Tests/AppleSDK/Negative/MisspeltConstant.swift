// error: cannot find 'kSecAttrAcessible' in scope
import Security

/// Names a constant of the keychain that does not exist.
enum MisspeltConstant {
    static func key() -> CFString { kSecAttrAcessible }
}
