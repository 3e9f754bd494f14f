import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A name")
struct SecretNameTests {
    @Test(
        "a name is that of a secret by its last word, however the words are written",
        arguments: [
            "new_password", "csrf_token", "session_token", "app_secret", "secret_key",
            "newPassword", "CSRFToken", "csrfmiddlewaretoken", "password2",
            "password_confirmation", "X-CSRF-Token", "rsa_private_key", "my.api-key",
            "oauth_token_secret", "token", "Id_Token", "aws_secret_access_key",
            "newpassword", "passWord", "accesstoken", "apikey", "x-api-key", "session_id",
            "SessionId",
            "confirmPassword", "repeat_password", "passwordNew", "root_password", "smtp_password",
            "userpassword", "database_passwd",
            "new_access_token", "client_access_token", "client_auth_token", "new_refresh_token",
            "page_access_token", "long_lived_access_token", "newaccesstoken", "stripe_secret_key",
            "maps_api_key", "remember_token",
        ])
    func secret(name: String) {
        #expect(Redactor.isSuspicious(name))
        #expect(Redactor.isSecretHeader(name))
    }

    @Test(
        "a name is not if it describes a secret, an index or something else",
        arguments: [
            "token_count", "max_tokens", "token_type", "tokenId", "password_policy", "has_password",
            "wrong_password", "page_token", "nextPageToken", "next_token", "pagetoken",
            "$skiptoken", "deltatoken", "file_token", "client_token", "upload_token",
            "device_token", "reset_password", "must_change_password", "returnSecureToken",
            "nextpagetoken", "next_page_token", "continuation_token", "new_token",
            "forgot_password", "forgotpassword", "is_password", "change_password",
            "require_password", "can_reset_password", "password_hint", "remember_password",
            "has_access_token", "isSecretKey", "reset_api_key",
            "access_key", "public_key", "user_id", "order_confirmation", "secretary",
            "passwordless", "key", "id", "count", "", "_", "42", "пароль",
        ])
    func harmless(name: String) {
        #expect(!Redactor.isSuspicious(name))
    }

    @Test(
        "a header field is secret by a word in its name, in letters of any case",
        arguments: [
            "authorization", "Proxy-AUTHORIZATION", "Cookie", "SET-COOKIE", "Set-Cookie2",
            "Authentication-Info", "X-Auth-Token-V2", "TOKENS", "X-Secretly", "my-Api-Key-id",
            "XApiKeyId", "credentials", "X-Password-Hash", "x-to\u{212A}en-id",
        ])
    func header(name: String) {
        #expect(Redactor.isSecretHeader(name))
    }

    @Test(
        "a header field is not secret without a word of a secret in its name",
        arguments: [
            "", "t", "Accept", "Content-Type", "Author", "X-Request-ID", "Cookies", "Toke-n",
            "authorizatioN2", "api_key_id", "пароль",
        ])
    func harmlessHeader(name: String) {
        #expect(!Redactor.isSecretHeader(name))
    }

    @Test("the name of a secret hides its value in recorded bodies")
    func bodies() {
        let text = #"{"new_password":"hunter2","csrfToken":"hunter3","token_count":7}"#
        let bytes = Array(text.utf8)
        let shown = Redactor().text(of: bytes, type: "application/json")
        let mark = Redactor.mark
        #expect(
            shown
                == #"{"new_password":"\#(mark)","csrfToken":"\#(mark)","token_count":7}"#)
        #expect(SecretScanner.places(of: [], in: bytes).isEmpty)
    }
}
