/// Codes about sessions, listed with those of their phase.
extension DiagnosticCode {
    /// A method that a background session cannot perform safely.
    public static let badBackground = DiagnosticCode(
        "T0513", "a call that cannot run in the background",
        example: .folder(
            api: "sessions: { transfers: background }\n",
            users: """
                methods:
                  users.photo: { get: "photo/{id}", kind: download, session: transfers }
                  users.get: { get: users.get, session: transfers }

                """),
        explanation: """
            The system performs the transfers of a background session, also while the app is
            suspended and after it has been terminated. It supports only uploads and downloads. It
            follows redirects itself, and sends header fields, except `Authorization`, and the body
            to the new URL. The token of such a call must therefore be `bearer`, another value in
            `Authorization`, or in the query. No secret may be in another header or in the body: no
            value that is `sensitive`, comes from the credential or is named like a secret
            (`password`), also in a model or in parameters of every request. Use another session, or
            move the secret.

            ```yaml
            # api.yaml
            auth: { oauth2: { token: bearer } }
            sessions: { transfers: background }
            ```

            ```yaml
            methods:
              films.get: { get: "films/{id}", kind: download, session: transfers }
            ```
            """)
}
