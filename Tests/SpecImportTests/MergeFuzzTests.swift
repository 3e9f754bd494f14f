import SpecDiagnostics
import SpecSyntax
import TestSupport
import Testing

@Suite("Whatever bytes an edited spec has")
struct MergeFuzzTests {
    private static let base = """
        doc: A file.
        headers: { X-A: { type: string } }

        methods:
          a.get: { get: a, query: { id: int, name: string? }, returns: [A] }
          a.add: { post: a, json: { id: int, sort: { enum: [up, down] } } }

        models:
          A: { id: int, name: string, tags: [string], b: B }
          B: { doc: A text., fields: { type: string, more: { string: int } } }
          C: int

        """
    private static let theirs = """
        doc: The file.
        timeout: 3s

        methods:
          a.list: { get: list }
          a.get: { get: a, query: { id: string, name: { type: string?, doc: Text } }, returns: A }
          a.add: { post: a, json: { sort: { enum: [up, down, none] }, last: int } }

        models:
          A: { doc: "New, and long.", fields: { id: int, tags: [int], b: B?, c: string } }
          B: { fields: { type: string, more: { string: string } } }
          D: int

        """
    /// The base in many layouts.
    private static let ours = """
        # head
        doc: >- # why
          A
          file.
        headers:
          ? X-A
          : { type: string }
        methods: # all
          "a.get":

            get: a  # get

            # query
            query: {id: int,
              name: string?, # name
            }
            returns: [A]
          a.add: &add { post: a, json: { ? id : int, sort: { enum: [
            up, down] } } }

          a.copy: *add
        # models
        models: {A: {id: int, name: &s string, tags: [string], b: B}, B:
            {doc: A text., fields: {type: *s, "more": {string: int}}}, C: int}
        # end
        """
    private static let special = Array("{}[]:,-?&*!'\"#|>\n\t ~<a".utf8)

    @Test("a merge of a spec of any bytes ends, and leaves YAML in which another changes nothing")
    func mutated() async {
        await onThreadForLongTests {
            var generator = SeededGenerator(11)
            for text in [Self.base, Self.ours] {
                for _ in 0..<700 {
                    var bytes = Array(text.utf8)
                    for _ in 0..<Int.random(in: 0...2, using: &generator) {
                        let place = Int.random(in: 0..<bytes.count, using: &generator)
                        if Bool.random(using: &generator) {
                            bytes[place] = Self.special.randomElement(using: &generator)!
                        } else {
                            bytes.remove(at: place)
                        }
                    }
                    check(String(decoding: bytes, as: UTF8.self))
                }
            }
        }
    }

    private func check(_ ours: String) {
        let merged = Merged(Self.base, ours, Self.theirs)
        guard merged.problems == "", let text = merged.files["a.yaml"] else { return }
        let again = Merged(
            base: ["a.yaml": Self.theirs], ours: ["a.yaml": text], theirs: ["a.yaml": Self.theirs])
        #expect(again.problems == "", "\(ours)\n\(text)")
        #expect(again.result.changes.isEmpty, "\(ours)\n\(text)")
        // What is neither in conflict nor edited is as the new import has it.
        if merged.conflicts == "", again.result.counts.kept == 0 {
            #expect(again.result.counts == .init(), "\(ours)\n\(text)")
        }
    }

    @Test("whatever bytes an edited spec has is merged where its layout allows it")
    func layouts() {
        let merged = Merged(Self.base, Self.ours, Self.theirs)
        #expect(merged.problems == "")
        #expect(
            merged.text == """
                # head
                doc: The file.

                timeout: "3s"
                methods: # all
                  a.list: { get: list }

                  "a.get":

                    get: a  # get

                    # query
                    query: {id: string,
                      name: { type: string?, doc: Text }, # name
                    }
                    returns: A
                  a.add: &add { post: a, json: { ? id : int, sort: { enum: [
                    up, down] } } }

                  a.copy: *add
                # models
                models: {A: { doc: "New, and long.", fields: { id: int, tags: [int], b: B?, c: string } }, B:
                    { fields: { type: string, more: { string: string } } }, D: int}
                # end
                """)
        #expect(merged.conflicts.hasPrefix("a.yaml:17:3: error: the description changed `a.add`"))
        #expect(merged.result.counts.conflicts == 1, "the one with an anchor")
    }
}
