import Foundation

/// Makes documents with the shape of well-known ones: their keys and the order of these, sizes, forms
/// of numbers, share of escapes and of text beyond ASCII, and white space.
///
/// The same seed makes the same bytes on every machine.
struct DocumentMaker {
    private var state: UInt64 = 2026

    /// A number from 0 up to `bound`, without it (SplitMix64).
    private mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }

    private mutating func int(_ range: Range<Int>) -> JSONNode {
        JSONNode(range.lowerBound + number(below: range.count))
    }

    /// Whether a thing happens that happens so many times in a hundred.
    private mutating func happens(_ percent: Int) -> Bool { number(below: 100) < percent }

    private mutating func text(_ words: [String], count: Range<Int>) -> String {
        let count = count.lowerBound + number(below: count.count)
        return (0..<count).map { _ in words[number(below: words.count)] }.joined()
    }

    // MARK: twitter.json

    /// The words of texts: mostly of three bytes a character, as in the file.
    private static let words = [
        "今日の", "時間割は", "お前は一生もんの", "ダチ", "💖", "ご冥福をお祈りします", "名前:", "\n",
        "第一印象:", "なんか", "ありすぎ", "😊", "RT ", "@user ", "http://t.co/a1B2c3", "…", "！",
    ]

    /// Search results, indented by two spaces.
    static func tweets(_ count: Int = 100) -> [UInt8] {
        var maker = DocumentMaker()
        let statuses = JSONNode.list(count) { _ in
            maker.tweet(retweeting: maker.happens(73) ? maker.tweet(retweeting: .absent) : .absent)
        }
        let metadata: JSONNode = [
            "completed_in": .literal("0.087"), "max_id": JSONNode(505_874_924_095_815_700),
            "max_id_str": "505874924095815681",
            "next_results": "?max_id=505874847260352512&q=%E4%B8%80&count=100&include_entities=1",
            "query": "%E4%B8%80", "count": JSONNode(count), "since_id": JSONNode(0),
        ]
        let document: JSONNode = ["statuses": statuses, "search_metadata": metadata]
        return document.bytes(indentation: 2) + [0x0A]
    }

    private mutating func tweet(retweeting original: JSONNode) -> JSONNode {
        let id = 505_874_847_260_352_512 + number(below: 99_999_999_999)
        let isReply = happens(9)
        let other = 100_000_000 + number(below: 2_000_000_000)
        let text = text(Self.words, count: 8..<26)
        let isSensitive = happens(15)
        return [
            "metadata": ["result_type": "recent", "iso_language_code": "ja"],
            "created_at": "Sun Aug 31 00:29:15 +0000 2014", "id": JSONNode(id), "id_str": "\(id)",
            "text": .text(text),
            "source": """
            <a href="http://twitter.com/download/iphone" rel="nofollow">Twitter for iPhone</a>
            """,
            "truncated": false, "in_reply_to_status_id": nil, "in_reply_to_status_id_str": nil,
            "in_reply_to_user_id": isReply ? JSONNode(other) : nil,
            "in_reply_to_user_id_str": isReply ? "\(other)" : nil,
            "in_reply_to_screen_name": isReply ? "user\(other)" : nil,
            "user": author(), "geo": nil, "coordinates": nil, "place": nil, "contributors": nil,
            "retweeted_status": original, "retweet_count": int(0..<5000),
            "favorite_count": int(0..<500), "entities": entities(other), "favorited": false,
            "retweeted": false, "possibly_sensitive": isSensitive ? false : .absent, "lang": "ja",
        ]
    }

    private mutating func author() -> JSONNode {
        let id = 100_000_000 + number(below: 2_000_000_000)
        let hasZone = happens(19)
        let images = "http://abs.twimg.com/images/themes/theme1/bg.png"
        let hasBanner = happens(86)
        return [
            "id": JSONNode(id), "id_str": "\(id)", "name": .text(text(Self.words, count: 1..<3)),
            "screen_name": "user\(id % 100_000)", "location": happens(50) ? "" : "東京都",
            "description": .text(text(Self.words, count: 6..<30)),
            "url": happens(11) ? "http://t.co/QMLJeFmfMT" : nil,
            "entities": ["description": ["urls": []]], "protected": false,
            "followers_count": int(0..<90_000), "friends_count": int(0..<3000),
            "listed_count": int(0..<100), "created_at": "Sat Feb 16 13:40:25 +0000 2013",
            "favourites_count": int(0..<9000), "utc_offset": hasZone ? JSONNode(32400) : nil,
            "time_zone": hasZone ? "Irkutsk" : nil, "geo_enabled": JSONNode(happens(30)),
            "verified": false, "statuses_count": int(0..<99_999), "lang": "ja",
            "contributors_enabled": false, "is_translator": false, "is_translation_enabled": false,
            "profile_background_color": "C0DEED", "profile_background_image_url": .text(images),
            "profile_background_image_url_https": .text(images), "profile_background_tile": false,
            "profile_image_url": "http://pbs.twimg.com/profile_images/\(id)/LDjAwR_y_normal.jpeg",
            "profile_image_url_https": "https://pbs.twimg.com/profile_images/\(id)/LDjAwR_y.jpeg",
            "profile_banner_url": hasBanner
                ? "https://pbs.twimg.com/profile_banners/\(id)/1409318784" : .absent,
            "profile_link_color": "0084B4", "profile_sidebar_border_color": "C0DEED",
            "profile_sidebar_fill_color": "DDEEF6", "profile_text_color": "333333",
            "profile_use_background_image": true, "default_profile": JSONNode(happens(60)),
            "default_profile_image": false, "following": false, "follow_request_sent": false,
            "notifications": false,
        ]
    }

    private mutating func entities(_ other: Int) -> JSONNode {
        let hashtag: JSONNode = ["text": "拡散希望", "indices": [int(0..<70), int(70..<140)]]
        let link: JSONNode = [
            "url": "http://t.co/QMLJeFmfMT", "expanded_url": "http://example.jp/blog/\(other)",
            "display_url": "example.jp/blog/…", "indices": [int(0..<70), int(70..<140)],
        ]
        let mention: JSONNode = [
            "screen_name": "user\(other)", "name": .text(text(Self.words, count: 1..<3)),
            "id": JSONNode(other), "id_str": "\(other)", "indices": [int(0..<9), int(9..<20)],
        ]
        return [
            "hashtags": happens(8) ? [hashtag] : [], "symbols": [],
            "urls": happens(12) ? [link] : [], "user_mentions": happens(83) ? [mention] : [],
        ]
    }

    // MARK: citm_catalog.json

    /// Performances with prices and seats, indented by four spaces.
    static func catalog(performances: Int = 243) -> [UInt8] {
        var maker = DocumentMaker()
        let events = (0..<max(performances * 3 / 4, 1)).map { 138_586_341 + $0 * 4 }
        let document: JSONNode = [
            "areaNames": maker.names(17, from: 205_705_993, "Arrière-scène central"),
            "audienceSubCategoryNames": ["337100890": "Abonné"], "blockNames": [:],
            "events": .object(events.map { (key: "\($0)", value: maker.event($0)) }),
            "performances": .list(performances) { maker.performance($0, of: events) },
            "seatCategoryNames": maker.names(64, from: 338_937_235, "1ère catégorie"),
            "subTopicNames": maker.names(19, from: 337_184_262, "Musique amplifiée"),
            "subjectNames": [:], "topicNames": maker.names(4, from: 107_888_604, "Activité"),
            "topicSubTopics": .object(
                (0..<4).map { (key: "\(107_888_604 + $0)", value: maker.topics(2..<14)) }),
            "venueNames": ["PLEYEL_PLEYEL": "Salle Pleyel"],
        ]
        return document.bytes(indentation: 4) + [0x0A]
    }

    private func names(_ count: Int, from first: Int, _ name: String) -> JSONNode {
        .object((0..<count).map { (key: "\(first + $0)", value: "\(name) \($0)") })
    }

    private mutating func topics(_ count: Range<Int>) -> JSONNode {
        .list(count.lowerBound + number(below: count.count)) { _ in
            int(337_184_262..<337_184_300)
        }
    }

    private mutating func event(_ id: Int) -> JSONNode {
        [
            "description": nil, "id": JSONNode(id),
            "logo": happens(51) ? "/images/UE0AAAAACEKo6QAAAAZDSVRN" : nil,
            "name": "Anniversary Tour of the Orchestra \(id % 100)", "subTopicIds": topics(1..<5),
            "subjectCode": nil, "subtitle": nil, "topicIds": topics(1..<4),
        ]
    }

    private mutating func performance(_ index: Int, of events: [Int]) -> JSONNode {
        let categories = [1, 1, 4, 4, 4, 5, 5, 5][number(below: 8)]
        return [
            "eventId": JSONNode(events[index % events.count]), "id": JSONNode(339_887_544 + index),
            "logo": happens(44) ? "/images/UE0AAAAACEKo6QAAAAZDSVRN" : nil, "name": nil,
            "prices": .list(categories) { category in
                [
                    "amount": JSONNode(9500 * (number(below: 10) + 1)),
                    "audienceSubCategoryId": JSONNode(337_100_890),
                    "seatCategoryId": JSONNode(338_937_295 + category),
                ]
            },
            "seatCategories": .list(categories) { category in
                let areas = JSONNode.list(5 + number(below: 10)) { _ in
                    ["areaId": int(205_705_993..<205_706_010), "blockIds": []]
                }
                return ["areas": areas, "seatCategoryId": JSONNode(338_937_295 + category)]
            },
            "seatMapImage": nil, "start": JSONNode(1_372_701_600_000 + index * 3_600_000),
            "venueCode": "PLEYEL_PLEYEL",
        ]
    }

    // MARK: canada.json

    /// Rings of points in GeoJSON: numbers of up to 17 digits, on one line.
    static func outlines(rings: Int = 480) -> [UInt8] {
        var maker = DocumentMaker()
        let coordinates = (0..<rings).map { _ in "[" + maker.ring() + "]" }.joined(separator: ",")
        return Array(
            """
            { "type": "FeatureCollection",
              "features": [
            {
                "type": "Feature",
            "properties": { "name": "Canada" },
            "geometry": {"type":"Polygon","coordinates":[\(coordinates)]}
            }
            ]
            }

            """.utf8)
    }

    private mutating func ring() -> String {
        var x = -141_000_000 + number(below: 88_000_000)
        var y = 41_000_000 + number(below: 41_000_000)
        let points = 9 + number(below: 25) + (happens(22) ? number(below: 870) : 0)
        return (0..<points).map { _ in
            x += number(below: 60_001) - 30_000
            y += number(below: 30_001) - 15_000
            return "[\(digits(x)),\(digits(y))]"
        }.joined(separator: ",")
    }

    /// A number of millionths with errors of rounding in its last digits, as in the file.
    private mutating func digits(_ millionths: Int) -> String {
        let number = Double(millionths) / 1e6
        return String(format: "%.17g", number + Double(self.number(below: 17) - 8) * number.ulp)
    }

    // MARK: The reply of a social network

    /// Users in the envelope `response`, without white space.
    ///
    /// - Parameter phrases: The number of sentences of each user's text.
    static func profiles(_ count: Int = 1_000, phrases: Int = 0) -> [UInt8] {
        let document: JSONNode = ["response": .list(count) { profile($0, phrases: phrases) }]
        return document.bytes()
    }

    /// One user.
    static func profile(_ index: Int, phrases: Int) -> JSONNode {
        let phrase =
            index % 3 == 0 ? "Живу и работаю в Москве. " : "Nothing much to say here, really. "
        let photo = "https://sun\(index % 80).userapi.example/v1/a\(index)bcdef.jpg"
        return [
            "id": JSONNode(100_000 + index * 7919), "first_name": "Иван\(index % 10)",
            "last_name": "Петров", "sex": JSONNode(index % 3), "screen_name": "user\(index)",
            "is_closed": JSONNode(index % 2 == 0), "can_access_closed": true,
            "city": ["id": JSONNode(index % 100), "title": "Санкт-Петербург"],
            "photo_50": "\(photo)?size=50x50", "photo_200": "\(photo)?size=200",
            "followers_count": JSONNode(index * 3),
            "last_seen": ["platform": JSONNode(index % 8), "time": .literal("17\(index)")],
            "status": index % 7 == 0 ? "a \"quoted\" status\n" : "Всё будет хорошо",
            "about": .text(String(repeating: phrase, count: phrases)),
            "rating": .literal("\(index % 50).25"), "tags": ["one", "two", "three"],
            "extra": ["a": [JSONNode(1), JSONNode(2), JSONNode(3)], "b": nil],
        ]
    }
}
