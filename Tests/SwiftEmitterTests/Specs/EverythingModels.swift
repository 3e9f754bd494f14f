/// The models of `EverythingSpec`.
enum EverythingModels {
    static let text = """
          Flag:
            doc: A flag.
            enum:
              one: one
              two: { value: two, doc: Two., deprecated: old }
              three: three
              none: ""
              "404": "404"
          Level: { enum: { low: 1, high: 100000, minus: -1 }, type: int }
          Thing: { a: int }
          Email: { type: string, format: email, max-length: 100 }
          Ids: { type: "[string]", max-items: 100000, items: { min-length: 1 } }
          Failure: { code: int, captcha: { sid: string } }
          Node:
            fields:
              next: Node?
              previous: { type: "Node | null" }
              both: "Node? | null"
              children: "[Node]"
              map: "{string: Node}?"
              value: { type: Tree?, doc: A tree., deprecated: use next }
          Tree:
            fields:
              node: "Node?"
              left: { leaf: "Tree?" }
              id: { type: int, sensitive: true }
          Empty: { fields: {} }
          More: { fields: { a: Equal, b: Hash, c: Named, d: Old, e: Secret, f: Sent, g: Nested } }
          Equal:
            conforms: [Equatable]
            fields: { a: "Equal?", b: [double], c: { d: json }, e: { enum: [x] }, f: Thing }
          Hash:
            conforms: [Hashable]
            fields: { a: "Hash? | null", b: "[Hash]", c: { d: "{Flag: json}" } }
          Named: { conforms: [Identifiable, Equatable], fields: { id: Flag, a: string } }
          Old:
            deprecated: { since: "2", use: Thing, message: gone }
            doc: Old.
            link: "https://example.com"
            fields:
              a: { type: int, deprecated: true }
              b: { type: string?, deprecated: { message: "no \\"more\\"" } }
              c: { type: string?, deprecated: { use: b } }
          Secret:
            fields:
              password: { type: string, sensitive: true }
              description: string
              list: { type: "[Thing]?", sensitive: true }
              n: { type: "int | null", sensitive: true }
          Sent:
            fields:
              a: Date
              kinds: { type: "[Thing]", unique-by: a }
              more: { type: "[Thing]?", unique-by: { value: a, message: "twice \\\\(x)" } }
          Nested:
            a: { b: { c: { d: { e: { enum: [x, y] }, f: "[Date]" } } } }
            list: [{ x: int, ys: [{ z: [double] }] }]
            map: "{string: int}"
            things: { type: "{string: [Thing]}" }
          Loose:
            public: true
            conforms: [Codable, Hashable]
            fields:
              a: { type: "[Thing]", invalid: skip }
              b: { type: "[Email]?", invalid: empty, min-items: 1 }
              c: { type: "[Flag | null] | null", invalid: [skip, empty] }
              d: { type: "{Flag: int}", invalid: skip }
              e: { type: "{int: Date}? | null", invalid: empty }
              f: { type: [{ type: [{ g: int }], invalid: skip }] }
              h: { type: "[[Thing]]", invalid: skip }
              i: { type: "[{string: url}]", invalid: skip, default: [] }
              j: { type: "{string: [int]}", invalid: skip, default: {} }
          Word: { conforms: [Codable], enum: [a, b] }
          Iban: { type: string, rule: iban }
          Owned:
            fields:
              id: { type: int, only: reply }
              iban: Iban
              ibans: { type: "[Iban | null]?", rule: { id: ibans, message: 'a "\\(b)', severity: warning } }
              date: { type: Date, rule: working-day }
              map: { type: "{Flag: double}", rule: map, keys: { rule: flag }, values: { rule: share } }
              thing: { type: Thing?, rule: thing, sensitive: true }
              flag: { type: Flag, default: one, rule: flag }
          Digit: { conforms: [Codable], enum: { one: 1 }, type: int, public: true }

        """
}
