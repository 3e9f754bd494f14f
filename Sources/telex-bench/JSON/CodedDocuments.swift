/// The models of `specs/documents`, as an app declares them for `JSONDecoder` and `JSONEncoder`.
enum CodedDocuments {
    struct Tweets: Codable, Equatable {
        struct Metadata: Codable, Equatable {
            let completed_in: Double
            let max_id: Int
            let next_results: String
            let query: String
            let count: Int
        }

        let statuses: [Tweet]
        let search_metadata: Metadata
    }

    struct Tweet: Codable, Equatable {
        let created_at: String
        let id: Int
        let text: String
        let source: String
        let truncated: Bool
        let in_reply_to_user_id: Int?
        let in_reply_to_screen_name: String?
        let user: Author
        let retweeted_status: Original?
        let retweet_count: Int
        let favorite_count: Int
        let entities: Entities
        let possibly_sensitive: Bool?
        let lang: String
    }

    /// A tweet inside a tweet, which a struct cannot hold directly.
    final class Original: Codable, Equatable {
        let tweet: Tweet

        init(from decoder: any Decoder) throws { tweet = try Tweet(from: decoder) }

        func encode(to encoder: any Encoder) throws { try tweet.encode(to: encoder) }

        static func == (one: Original, other: Original) -> Bool { one.tweet == other.tweet }
    }

    struct Author: Codable, Equatable {
        let id: Int
        let name: String
        let screen_name: String
        let location: String
        let description: String
        let url: String?
        let followers_count: Int
        let friends_count: Int
        let listed_count: Int
        let created_at: String
        let favourites_count: Int
        let utc_offset: Int?
        let time_zone: String?
        let verified: Bool
        let statuses_count: Int
        let lang: String
        let profile_image_url: String
        let profile_banner_url: String?
        let default_profile: Bool
    }

    struct Entities: Codable, Equatable {
        struct Hashtag: Codable, Equatable {
            let text: String
            let indices: [Int]
        }

        struct Link: Codable, Equatable {
            let url: String
            let expanded_url: String
            let display_url: String
            let indices: [Int]
        }

        struct Mention: Codable, Equatable {
            let screen_name: String
            let name: String
            let id: Int
            let indices: [Int]
        }

        let hashtags: [Hashtag]
        let urls: [Link]
        let user_mentions: [Mention]
    }

    struct Catalog: Codable, Equatable {
        struct Event: Codable, Equatable {
            let id: Int
            let logo: String?
            let name: String
            let subTopicIds: [Int]
            let topicIds: [Int]
        }

        struct Performance: Codable, Equatable {
            let eventId: Int
            let id: Int
            let logo: String?
            let name: String?
            let prices: [Price]
            let seatCategories: [SeatCategory]
            let start: Int
            let venueCode: String
        }

        struct Price: Codable, Equatable {
            let amount: Int
            let audienceSubCategoryId: Int
            let seatCategoryId: Int
        }

        struct SeatCategory: Codable, Equatable {
            let areas: [Area]
            let seatCategoryId: Int
        }

        struct Area: Codable, Equatable {
            let areaId: Int
            let blockIds: [Int]
        }

        let areaNames: [String: String]
        let audienceSubCategoryNames: [String: String]
        let events: [String: Event]
        let performances: [Performance]
        let seatCategoryNames: [String: String]
        let subTopicNames: [String: String]
        let topicNames: [String: String]
        let topicSubTopics: [String: [Int]]
        let venueNames: [String: String]
    }

    struct Outlines: Codable, Equatable {
        struct Feature: Codable, Equatable {
            let type: String
            let properties: [String: String]
            let geometry: Geometry
        }

        struct Geometry: Codable, Equatable {
            let type: String
            let coordinates: [[[Double]]]
        }

        let type: String
        let features: [Feature]
    }

    struct Profiles: Codable, Equatable {
        let response: [Profile]
    }

    struct Profile: Codable, Equatable {
        struct City: Codable, Equatable {
            let id: Int
            let title: String
        }

        struct LastSeen: Codable, Equatable {
            let platform: Int
            let time: Int
        }

        let id: Int
        let first_name: String
        let last_name: String
        let sex: Int
        let screen_name: String
        let is_closed: Bool
        let can_access_closed: Bool
        let city: City?
        let photo_50: String
        let photo_200: String
        let followers_count: Int?
        let last_seen: LastSeen
        let status: String
        let about: String
        let rating: Double
        let tags: [String]
    }
}
