import ProcessSupport
import Testing

/// Programs of generated clients, with replies as servers send them.
@Suite("A generated client")
struct GeneratedClientTests {
    private static let spec = TestSpec(files: [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { production: https://shop.example/ }
        dates: local-date-time

        """,
        "orders.yaml": """
        methods:
          orders.list: { get: orders, query: { since: Date }, returns: [Order] }
          orders.change: { patch: "orders/{id}", path: { id: int }, returns: Order | null }
        models:
          Order: { id: int, made: Date, sent: { type: Date?, as: local-date-time } }

        """,
    ])

    private static let main = #"""
        import Foundation
        import TelexRuntime
        import TelexTesting

        let transport = InMemoryTransport { request in
            guard request.head.method == .get else { return .json("") }
            print(request.head.path ?? "")
            return .json(
                #"[{"id":1,"made":"2024-01-01T12:00:00","sent":"2024-01-01T12:00:00.123456"},"#
                    + #"{"id":2,"made":"2024-01-01T12:00:00Z","sent":"2024-01-01T13:00:00+01:00"}]"#)
        }
        let shop = APIManager<Shop>(transport: transport)
        for order in try await shop.orders.list(since: Date(timeIntervalSince1970: 1.5)).value {
            print(order.made.timeIntervalSince1970, order.sent?.timeIntervalSince1970 ?? 0)
        }
        let changed = shop.orders.change(id: 1)
        let status = try await changed.response.head?.status.code
        print(status ?? 0, try await changed.value as Any)
        """#

    private static let forms = TestSpec(files: [
        "api.yaml": "telex: 1\napi: Shop\nservers: { production: https://shop.example/ }\n",
        "things.yaml": """
        methods:
          things.put:
            put: things
            query:
              length: { type: Duration, as: clock }
              open: { type: bool, as: on/off }
              load: { type: double?, from: string }
              born: { type: Date, as: d.M.yyyy }
            headers: { Pause: { type: Duration, as: iso8601 } }
            json: { thing: Thing, text: { type: '[Meta]', from: string } }
            returns: Thing
        models:
          Meta: { id: { type: int, min: 1 }, name: string? }
          Level: { enum: { low: 1, high: 2 }, type: int }
          Sample: { as: array, fields: { time: double, value: { type: double, from: string }, note: string? } }
          Either: Meta | Sample
          Thing:
            meta: { type: Meta, from: string }
            none: { type: Meta | null, from: string }
            list: { type: "[Meta]", from: either }
            map: { type: "{string: Meta}", values: { from: string } }
            any: { type: Either, from: string }
            json: { type: json, from: string }
            pair: { fields: { x: int, y: int }, as: array, from: string }
            samples: [Sample]
            level: { type: Level, from: string }
            levels: { type: "[Level]", items: { from: either } }
            load: { type: double, from: either }
            url: { type: bytes, as: base64url }
            hex: { type: "[bytes]", items: { as: hex } }
            clock: { type: Duration, as: clock }
            iso: { type: Duration?, as: iso8601 }
            open: { type: bool, as: Y/N }
            born: { type: Date, as: d.M.yyyy }

        """,
    ])

    private static let formsMain = ##"""
        import Foundation
        import TelexRuntime
        import TelexTesting

        let good = #"""
            {"meta":"{\"id\":1,\"name\":\"é\\n\"}","none":null,"list":"[{\"id\":2}]",
            "map":{"a":"{\"id\":3}"},"any":"[4,\"5\"]","json":"{\"a\":[null]}","pair":"[1,2,3]",
            "samples":[[1.5,"NaN"],[2,"+Inf","x",9]],"level":"2","levels":[1,"7"],"load":"-Inf",
            "url":"__4","hex":["00FF",""],"clock":"1.02:03:04.5","iso":"P1DT1H","open":"Y",
            "born":"7.3.1990"}
            """#
        let bad = #"""
            {"meta":"{\"id\":0,\"name\":5}","none":"null","list":"{","map":{"a":"","b":"{}"},
            "any":"7","json":"","pair":"[1]","samples":[[1],["x","NaN"],{}],"level":"x",
            "levels":["1.5"],"load":"nan","url":"//4","hex":["0"],"clock":"24","iso":"P1Y","open":"y",
            "born":"31.2.1990"}
            """#
        let transport = InMemoryTransport { request in
            if request.head.path?.contains("off") == true { return .json(bad) }
            print(request.head.path ?? "", request.head.headerFields.first { $0.name.rawName == "Pause" }?.value ?? "")
            print(request.text)
            return .json(good)
        }
        let shop = APIManager<Shop>(transport: transport)
        let samples = [Sample(time: 1, value: -.infinity), Sample(time: 2, value: 0.5, note: "n")]
        let thing = Thing(
            meta: Meta(id: 1), none: nil, list: [], map: ["k": Meta(id: 2)], any: .sample(samples[1]),
            json: ["a": 1], pair: Thing.Pair(x: 1, y: 2), samples: samples, level: .high,
            levels: [.low], load: .nan, url: Data([255, 254]), hex: [Data([0, 171])],
            clock: .seconds(-61.5), iso: .seconds(90), open: false,
            born: Date(timeIntervalSince1970: 0))
        func call(_ isOpen: Bool, _ text: [Meta] = [Meta(id: 9)]) async throws -> Thing {
            try await shop.things.put(
                length: .seconds(600), open: isOpen, born: Date(timeIntervalSince1970: 0),
                pause: .seconds(5400), thing: thing, text: text, load: .infinity
            ).value
        }
        let read = try await call(true)
        print(read.meta.name ?? "", read.none as Any, read.list.map(\.id), read.map["a"]?.id ?? 0)
        print(read.any, read.json, read.pair.y, read.samples.map(\.value), read.samples[1].note ?? "")
        print(read.level.isKnown, read.levels.map(\.rawValue), read.load, Array(read.url))
        print(read.hex.map(Array.init), read.clock, read.iso ?? .zero, read.open, read.born)
        do { _ = try await call(false) } catch {
            let report = (error as? APIError)?.violations ?? []
            for violation in report { print(violation.path, violation.rule) }
        }
        do { _ = try await call(true, [Meta(id: 0)]) } catch {
            for violation in (error as? APIError)?.violations ?? [] { print(violation) }
        }
        """##

    @Test(
        "a client reads and writes all that is a text, or an array, in another form than usual",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"))
    func otherForms() async throws {
        var files = try Self.forms.emitted()
        files["main.swift"] = Self.formsMain
        let report = try await SwiftToolchain.run(files, [])
        #expect(
            report.text == #"""
                /things?length=00%3A10%3A00&open=on&load=Infinity&born=1.1.1970 PT1H30M
                {"thing":{"meta":"{\"id\":1}","none":null,"list":[],"map":{"k":"{\"id\":2}"},"\#
                any":"[2,\"0.5\",\"n\"]","json":"{\"a\":1}","pair":"[1,2]","samples":[[1,"-Inf\#
                inity"],[2,"0.5","n"]],"level":"2","levels":[1],"load":"NaN","url":"__4","hex"\#
                :["00ab"],"clock":"-00:01:01.5","iso":"PT1M30S","open":"N","born":"1.1.1970"},\#
                "text":"[{\"id\":9}]"}
                é
                 nil [2] 3
                sample(Client.Sample(time: 4.0, value: 5.0, note: nil)) {"a":[null]} 2 [nan, i\#
                nf] x
                true [1, 7] -inf [255, 254]
                [[0, 255], []] 93784.5 seconds 90000.0 seconds true 1990-03-07 00:00:00 +0000
                meta.id min
                meta.name type
                none type
                list type
                map.a type
                map.b.id required
                json type
                pair[1] required
                samples[0][1] required
                samples[1][0] type
                samples[2] type
                level type
                levels[0] type
                load type
                url type
                hex[0] type
                clock type
                iso type
                open type
                born type
                text[0].id: expected at least 1, found 0 [min]

                """#)
    }

    @Test(
        "a client reads dates with and without an offset, and a change's empty reply as nil",
        .enabled(if: SwiftToolchain.objects != nil, "needs the object files of the runtime"))
    func localDates() async throws {
        var files = try Self.spec.emitted()
        files["main.swift"] = Self.main
        let report = try await SwiftToolchain.run(files, [])
        #expect(
            report.text == """
                /orders?since=1970-01-01T00%3A00%3A01.500
                1704110400.0 1704110400.123456
                1704110400.0 1704110400.0
                200 nil

                """)
    }
}
