import TelexJSON
import Testing

@Suite("The page on unions")
struct UnionsPageTests {
    @Test("the page on unions handles each alternative, and those of newer servers")
    func alternatives() {
        let drawing = Group(parts: [
            .picture(Raster(width: 5)), .text(Text(type: "text", text: "Dusk")),
            .group(Group(parts: [.unknown("x")])), .unknown(["type": "film"]),
        ])
        var widths: [Int] = []
        var texts: [String] = []
        var count = 0
        var newer: [JSONValue?] = []
        for part in drawing.parts {
            switch part {
            case .picture(let picture): widths.append(picture.width)
            case .text(let text): texts.append(text.text)
            case .group(let group): count += group.parts.count
            case .unknown(let value): newer.append(value["type"])
            }
        }
        #expect(widths == [5])
        #expect(texts == ["Dusk"])
        #expect(count == 1)
        #expect(newer == ["film"])
    }
}
