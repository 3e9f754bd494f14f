import TestSupport
import Testing

@Suite("The schema of the VK API becomes a spec")
struct VKImportTests {
    private static let methods = #"""
        {
          "version": "5.199",
          "methods": [
            {
              "name": "users.getFollowers", "description": "Returns followers.",
              "access_token_type": ["user"],
              "parameters": [
                { "name": "user_id", "type": "integer", "minimum": 0, "entity": "owner" },
                { "name": "fields", "type": "array", "items": { "$ref": "objects.json#/definitions/users_fields" } },
                { "name": "name_case", "type": "string", "$ref": "objects.json#/definitions/name_case" }
              ],
              "responses": {
                "response": { "$ref": "responses.json#/definitions/ids" },
                "fieldsResponse": { "$ref": "responses.json#/definitions/users" }
              }
            },
            {
              "name": "users.report", "description": "Reports a user.",
              "parameters": [
                { "name": "user_id", "type": "integer", "required": true },
                { "name": "tags", "type": "array", "items": { "type": "string" } }
              ],
              "responses": { "response": { "$ref": "responses.json#/definitions/ok" } }
            }
          ]
        }
        """#
    private static let objects = #"""
        { "definitions": {
          "users_fields": { "type": "string", "enum": ["photo", "sex"] },
          "name_case": { "type": "string", "enum": ["Nom", "Gen"] },
          "users_user": { "type": "object", "properties": {
            "id": { "type": "integer", "required": true },
            "sex": { "type": "integer", "enum": [0, 1], "enumNames": ["unknown", "female"] } } }
        } }
        """#
    private static let responses = #"""
        { "definitions": {
          "ids": { "type": "object", "properties": { "response": { "type": "array", "items": { "type": "integer" } } } },
          "users": { "type": "object", "properties": { "response": { "type": "array",
            "items": { "$ref": "objects.json#/definitions/users_user" } } } },
          "ok": { "type": "object", "properties": { "response": { "type": "integer" } } }
        } }
        """#
    private static let errors = #"""
        { "errors": {
          "api_error_too_many": { "code": 6, "description": "Too many requests per second" },
          "api_error_auth": { "code": 5 }, "api_error_again": { "code": 5 }
        } }
        """#

    private func imported(_ change: (inout [String: String]) -> Void = { _ in }) -> Imported {
        var files = [
            "errors.json": Self.errors, "users/methods.json": Self.methods,
            "users/objects.json": Self.objects, "users/responses.json": Self.responses,
        ]
        change(&files)
        return Imported(
            vk: files.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) })
    }

    @Test("VK's spec has a method for each shape of a reply, and the parameter that asks for it")
    func methods() {
        let result = imported()
        #expect(result.errors == "" && result.diagnostics == "")
        let users = result.file("users.yaml")
        #expect(
            users.contains(
                """
                  users.getFollowers:
                    get: users.getFollowers
                    doc: Returns followers.
                    query: { user_id: { type: int?, min: 0 }, name_case: NameCase? }
                    returns: [int]

                  users.getFollowersFields:
                    get: users.getFollowers
                    doc: Returns followers.
                    query:
                      user_id: { type: int?, min: 0 }
                      fields: { type: [UsersFields], join: "," }
                      name_case: NameCase?
                    returns: [UsersUser]

                """), "\(users)")
        #expect(
            users.contains(
                """
                  users.report:
                    post: users.report
                    doc: Reports a user.
                    form: { user_id: int, tags: { type: "[string]?", join: "," } }
                    returns: int
                """), "\(users)")
        #expect(
            users.contains("sex: { type: int, enum: { unknown: 0, female: 1 }, optional: true }"))
        #expect(result.losses == [:])
    }

    @Test("the spec of the VK API has the settings of the API, and each error code once")
    func settings() {
        let api = imported().file("api.yaml")
        #expect(
            api.contains(
                """
                servers:
                  production: https://api.vk.com/method/
                parameters: { v: { const: "5.199" } }

                auth:
                  account: { token: { in: query, name: access_token }, expired: { error: 5 } }
                success: { absent: error }
                unwrap: response

                errors:
                  at: error
                  code: error_code
                  message: error_msg
                """), "\(api)")
        #expect(api.contains("auth: 5") && !api.contains("again"))
        #expect(api.contains("tooMany: { code: 6, doc: Too many requests per second }"))
    }

    @Test("the schema of the VK API becomes a spec, or is an error with its place, and no file")
    func mistakes() {
        let missing = imported { $0["users/objects.json"] = nil }
        #expect(missing.errors.contains("`users/objects.json` is not among the files"))
        #expect(missing.result.files.isEmpty)
        let other = Imported(vk: [("a.json", Array("{}".utf8))])
        #expect(other.errors.contains("no file has `methods` or `errors` of the VK API"))
        #expect(Imported(vk: [("a.json", Array("{".utf8))]).errors.isEmpty == false)
        let empty = Imported(vk: [("a.json", Array(#"{"methods":[]}"#.utf8))])
        #expect(empty.errors.contains("the description has no operations to import"))
    }

    @Test(
        "the schema of the VK API becomes a spec of all methods, without a warning",
        .enabled(if: VKFiles.areThere, "the schema is not beside the package"))
    func whole() async throws {
        try await onThreadForLongTests {
            let imported = Imported(vk: try VKFiles.read())
            #expect(imported.errors == "" && imported.diagnostics == "")
            // 566 methods, of which some have several shapes of replies.
            #expect(imported.result.methodCount == 632)
            #expect(imported.result.modelCount > 500)
        }
    }
}
