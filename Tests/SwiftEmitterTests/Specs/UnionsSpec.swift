/// A spec with a union for each way of telling alternatives apart. `ClientTests` compile and use its
/// output.
enum UnionsSpec {
    static let spec = TestSpec(files: ["api.yaml": api, "drawings.yaml": drawings])

    static let api = """
        telex: 1
        api: Drawings
        servers: { production: https://drawings.example/ }

        """

    static let drawings = """
        methods:
          drawings.get: { get: "drawings/{id}", path: { id: int }, returns: Drawing }
          drawings.find: { get: drawings, returns: Wooden | Refusal }
          drawings.put:
            put: drawings
            json: { drawing: Drawing, by: Artist | string, notes: ["string | int"] }

        models:
          Drawing:
            conforms: [Hashable]
            fields:
              parts: "[Part]?"
              sticker: Sticker?
              change: Change? | null
              step: Step?
              note: Note?
              outline: Outline?
              frame: Frame?
              artist: "Artist | string?"
              payments: "{string: Payment}?"
              layer: Layer?
              size: "int | [int]?"

          Refusal: { reason: string }
          Artist: { id: int, name: { type: string, max-length: 5 } }

          Part:
            doc: Told apart by a key inside the object.
            one-of: { picture: Raster, group: Group, text: Text }
            tag: type
          Raster: { width: { type: int, min: 1 }, cover: Part? }
          Group: { parts: [Part] }
          Text: { fields: { type: string, text: string } }

          Sticker: { one-of: { raster: Raster, smile: string }, tag: kind, content: $tag }
          Change:
            one-of: { moved: { x: int }, at: { type: Date, as: unix }, gone: Text | null }
            tag: what
            content: data
            closed: true
          Step: { one-of: { line: Line, arc: double, marks: [Mark] }, tag: $key }
          Line: { length: double, next: Step? }
          Mark: { enum: [cross, dot] }
          Note: string | [NoteLine] | int
          NoteLine: { line: string, note: Note? }
          Outline: { one-of: [Circle, Square], closed: true }
          Circle: { form: { const: circle }, radius: double }
          Square: { form: { enum: [square] }, side: double }
          Frame: { one-of: [Wooden, Painted, string] }
          Wooden: { id: int, wood: string }
          Painted: { id: int, colour: string, thickness: int? }
          Payment: { one-of: { card: Card, none: Refusal }, tag: type }
          Card: { number: { type: string, sensitive: true } }
          Layer: { one-of: { 1: Raster, 2: Group }, tag: level }

        """
}
