/// Rules between fields and between parameters, of every kind.
enum RulesSpec {
    static let spec = TestSpec(files: ["api.yaml": api, "orders.yaml": orders])

    static let api = """
        telex: 1
        api: Shop
        servers: { production: https://shop.example/ }
        generate: [fakes, requests]
        auth: { oauth2: { token: bearer, expired: 401 } }
        dates: date-time

        """

    static let orders = """
        methods:
          add:
            post: orders
            json:
              start: Date?
              end: Date?
              method: PayMethod
              card: string?
              paid: { type: bool, default: false }
              price: decimal
              count: int
              total: { type: double?, sensitive: true }
              pin: { type: string, sensitive: true }
              note: string? | null
              json: int?
              user_id: { type: int, default: $token.user_id, default-unless: [group_id] }
              group_id: int?
              kind: { type: PayMethod, default: cash, default-unless: [group_id, note] }
              state: { type: string?, in: { value: [Open, Closed], case-insensitive: true } }
              more: { type: "{string: int}", keys: { max-length: 3 }, values: { min: 1 } }
              fixed: { const: { a: 1, b: [x, true] } }
            rules:
              - { id: period, expr: "start < end", message: The start is before the end. }
              - required-if: { card: method == "card" }
              - forbidden-if: { card: method != "card" and not paid }
              - { id: sum, expr: price * count == total or length(note) > 3 and present(total), severity: warning }
              - { expr: start >= "2026-01-01", on: send }
              - { expr: count > 1, on: receive }
              - exactly-one: [user_id, group_id, note, json]
              - { id: rest, expr: count(more) - 7 <= total }
              - { id: pin, expr: length(pin) == 4 or pin == card }
              - id: long
                expr: >-
                  (present(card) or present(note)) and (count > 3 or count(more) < 7)
                  and price != 5.5 and (present(user_id) or present(group_id) or present(state))
            returns: Order
          all:
            get: orders
            query:
              user_id: { type: int, default: $token.user_id, default-unless: group_id }
              group_id: { type: int?, examples: [1, 2] }
            rules: [{ at-most-one: [user_id, group_id] }]
            returns: [Order]
            examples:
              usual: [{ low: 1, high: 2, kind: { a: 1, b: [x] }, ids: [1, 2], wait: 1.5 }]
              none: []
          names: { get: names, returns: "[{string: string}] | null", examples: { none: ~ } }
          put: { put: orders, body: Order }
        models:
          PayMethod: { enum: [card, cash] }
          Order:
            fields:
              low: int32
              high: int
              kind: { const: { a: 1, b: [x] } }
              ids: { type: [int], const: [1, 2] }
              password: { type: string?, sensitive: true }
              repeated: { type: string?, sensitive: true }
              wait: Duration
              until: { type: Duration?, key: till }
              tag: string? | null
            rules:
              - less-than: [low, high]
              - equal-to: [password, repeated]
              - { less-than: [wait, until], on: receive }
              - { id: tagged, expr: 'tag == "a" or low == 3' }

        """
}
