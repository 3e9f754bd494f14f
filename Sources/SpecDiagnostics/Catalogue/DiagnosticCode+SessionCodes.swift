/// Codes about sets of connections, listed with those of their phase.
extension DiagnosticCode {
    /// A method that a background session cannot carry out, or not safely.
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
            The transfers of a background session are carried out by the system, while the app is
            suspended and after it was ended. The system moves files and nothing else: downloads,
            and uploads. It also follows redirects by itself, and sends header fields and the body
            to wherever they lead, all but `Authorization`. So the token of such a call is `bearer`,
            or another value in `Authorization`, or in the query, and no secret stands in a header
            or in the body: nothing that is `sensitive`, comes from the credential, or is called
            like a secret (`password`), be it in a model or in what every request has. Give the
            method another session, or the secret another place.

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
