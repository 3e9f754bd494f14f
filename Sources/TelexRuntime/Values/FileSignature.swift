import TelexTransport

/// The bytes at the beginning of a binary format.
struct FileSignature: Sendable {
    private let type: MediaType
    private let bytes: [UInt8]
    /// The form type after four more bytes, in chunk-based formats; empty for others.
    private let form: [UInt8]

    private init(_ type: MediaType, bytes: [UInt8], form: String = "") {
        self.type = type
        self.bytes = bytes
        self.form = Array(form.utf8)
    }

    private init(_ type: MediaType, text: String, form: String = "") {
        self.init(type, bytes: Array(text.utf8), form: form)
    }

    private static let all: [FileSignature] = [
        FileSignature(.jpeg, bytes: [0xFF, 0xD8, 0xFF]),
        FileSignature(.png, bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        FileSignature(.gif, text: "GIF87a"), FileSignature(.gif, text: "GIF89a"),
        FileSignature(.tiff, text: "II*\0"), FileSignature(.tiff, text: "MM\0*"),
        FileSignature(.pdf, text: "%PDF-"),
        FileSignature(.zip, text: "PK\u{3}\u{4}"), FileSignature(.zip, text: "PK\u{5}\u{6}"),
        FileSignature(.zip, text: "PK\u{7}\u{8}"),
        FileSignature(.gzip, bytes: [0x1F, 0x8B, 0x08]),
        FileSignature(.ole, bytes: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
        FileSignature(.webP, text: "RIFF", form: "WEBP"),
        FileSignature(.wav, text: "RIFF", form: "WAVE"),
        FileSignature(.mp3, text: "ID3"),
    ]

    /// Returns the binary format of bytes; nil if none matches.
    static func type(of bytes: [UInt8]) -> MediaType? {
        if let found = all.first(where: { $0.matches(bytes) }) { return found.type }
        return media(bytes) ?? (isMP3(bytes) ? .mp3 : nil) ?? (isBMP(bytes) ? .bmp : nil)
    }

    private func matches(_ start: [UInt8]) -> Bool {
        start.starts(with: bytes)
            && (form.isEmpty || start.dropFirst(bytes.count + 4).starts(with: form))
    }

    /// Detects a file of boxes (ISO/IEC 14496-12, section 4.3): the first box lists brands, the
    /// major one first.
    private static func media(_ bytes: [UInt8]) -> MediaType? {
        guard bytes.count >= 12 else { return nil }
        let box = bytes[4..<8]
        // Older QuickTime files have no brands.
        guard box.elementsEqual("ftyp".utf8) else {
            return ["moov", "mdat"].contains { box.elementsEqual($0.utf8) } ? .quickTime : nil
        }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(max(size, 12), bytes.count)
        // The four bytes after the major brand are its version.
        let starts = [8] + stride(from: 16, to: end - 3, by: 4)
        let brands = starts.map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
        return brands.lazy.compactMap(type(ofBrand:)).first ?? .mp4
    }

    private static func type(ofBrand brand: String) -> MediaType? {
        switch brand {
        case "avif", "avis": .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx": .heic
        case "qt  ": .quickTime
        case "M4A ", "M4B ": .m4a
        case "isom", "iso2", "mp41", "mp42", "avc1", "dash", "M4V ": .mp4
        case _ where brand.hasPrefix("3gp"): .threeGP
        default: nil
        }
    }

    /// Whether the bytes are a layer III frame without a tag before it (ISO/IEC 11172-3, section
    /// 2.4.2.3).
    private static func isMP3(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE6 == 0xE2 else { return false }
        let hasVersion = bytes[1] & 0x18 != 0x08
        let hasRates = bytes[2] >> 4 != 0 && bytes[2] >> 4 != 15 && bytes[2] & 0x0C != 0x0C
        return hasVersion && hasRates
    }

    /// Whether the bytes are a BMP header. Words may begin with `BM` too, so the two reserved
    /// fields have to be zero, and the size of the next header has to be a defined one.
    private static func isBMP(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 18, bytes.starts(with: "BM".utf8) else { return false }
        return bytes[6..<10].allSatisfy { $0 == 0 } && bytes[15..<18].allSatisfy { $0 == 0 }
            && [12, 16, 40, 52, 56, 64, 108, 124].contains(bytes[14])
    }
}

extension MediaType {
    static let jpeg = MediaType("image/jpeg", "jpg")
    static let png = MediaType("image/png", "png")
    static let gif = MediaType("image/gif", "gif")
    static let tiff = MediaType("image/tiff", "tiff")
    static let bmp = MediaType("image/bmp", "bmp")
    static let webP = MediaType("image/webp", "webp")
    static let heic = MediaType("image/heic", "heic")
    static let avif = MediaType("image/avif", "avif")
    static let mp4 = MediaType("video/mp4", "mp4")
    static let quickTime = MediaType("video/quicktime", "mov")
    static let threeGP = MediaType("video/3gpp", "3gp")
    static let mp3 = MediaType("audio/mpeg", "mp3")
    static let m4a = MediaType("audio/mp4", "m4a")
    static let wav = MediaType("audio/wav", "wav")
    static let pdf = MediaType("application/pdf", "pdf")
    static let zip = MediaType("application/zip", "zip")
    static let gzip = MediaType("application/gzip", "gz")
    /// The format of older office programs; the beginning does not reveal which program.
    static let ole = MediaType("application/x-ole-storage", "ole")
}
