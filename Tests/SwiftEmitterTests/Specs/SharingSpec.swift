/// Models that share fields, keep or refuse unknown keys, and differ by direction.
enum SharingSpec {
    static let spec = TestSpec(files: ["api.yaml": api, "zones.yaml": zones])

    static let api = """
        telex: 1
        api: Zones
        servers: { production: https://zones.example/ }
        dates: unix

        """

    static let zones = """
        methods:
          all: { get: zones, returns: Page<Zone> }
          both: { get: both, returns: "Result<[int], Zone | null>" }
          closed: { get: closed, returns: Page<Closed> }
          pairs:
            put: pairs
            json: { closed: Pair<Closed>, times: Pair<Times> }
            returns: "Result<Pair<Closed>, Pair<Times>>"
          settings: { get: settings, returns: Settings }
          change: { put: settings, body: Settings }
          accounts: { get: accounts, returns: [Account] }
          places: { get: places, returns: "{PlaceID: Place}" }
          put: { put: places, json: { all: "[{PlaceID: string}]" } }
          save: { put: accounts, json: { accounts: "{string: Account}" } }
        models:
          Page<Item>: { count: int, items: [Item], next: Page<Item>? }
          Result<A, B>: { a: A?, b: B, meta: { total: int } }
          Pair<Item>: { a: Item, more: { type: "{string: Item}", max-keys: 2 }, next: Pair<Item>? }
          Timestamps: { created: Date, updated: Date? }
          Zone: { with: Timestamps, id: int, name: string? }
          Settings:
            additional: { type: int, min: 0 }
            fields: { first name: string, self: int?, secrets: Secrets?, closed: Closed? }
          Secrets: { additional: { type: "[Code | null]", sensitive: true }, fields: {} }
          Closed: { closed: true, fields: { a: json?, when: Times? } }
          Times: { additional: Date, fields: { name: string? } }
          Code: { enum: [a, b] }
          PlaceID: { type: int, min: 1, max: 9 }
          Place:
            additional: json
            fields:
              id: int
              city: { at: city.title, type: string }
              hasStep0: { at: city.hasStep0, type: int? }
              mayor: { at: city.mayor.name, type: string, max-length: 9 }
              street: { at: [street, "a b"], type: string? | null }
              password: { at: login.password, type: string? }
          Account:
            conforms: [Hashable, Identifiable]
            fields:
              id: { type: int, only: reply }
              password: { type: string, only: request }
              kind: { enum: [a, b] }
              owner: { id: int, rank: { type: int, only: reply } }
              friends: { type: "[Account]", unique-by: id }
              parent: Account?

        """
}
