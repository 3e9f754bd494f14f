// Reads a document into structs with serde_json: `serde_json NAME PATH`. Prints the CPU seconds of one
// reading, the best of five averages, and a sum over the values.
#![allow(dead_code, non_snake_case)]
use serde::{de::DeserializeOwned, Deserialize};
use std::collections::HashMap;

#[derive(Deserialize)] struct Hashtag { text: String, indices: Vec<i64> }
#[derive(Deserialize)] struct Link { url: String, expanded_url: String, display_url: String, indices: Vec<i64> }
#[derive(Deserialize)] struct Mention { screen_name: String, name: String, id: i64, indices: Vec<i64> }
#[derive(Deserialize)] struct Entities { hashtags: Vec<Hashtag>, urls: Vec<Link>, user_mentions: Vec<Mention> }
#[derive(Deserialize)] struct Author {
    id: i64, name: String, screen_name: String, location: String, description: String,
    url: Option<String>, followers_count: i64, friends_count: i64, listed_count: i64,
    created_at: String, favourites_count: i64, utc_offset: Option<i64>, time_zone: Option<String>,
    verified: bool, statuses_count: i64, lang: String, profile_image_url: String,
    profile_banner_url: Option<String>, default_profile: bool,
}
#[derive(Deserialize)] struct Tweet {
    created_at: String, id: i64, text: String, source: String, truncated: bool,
    in_reply_to_user_id: Option<i64>, in_reply_to_screen_name: Option<String>, user: Author,
    retweeted_status: Option<Box<Tweet>>, retweet_count: i64, favorite_count: i64,
    entities: Entities, possibly_sensitive: Option<bool>, lang: String,
}
#[derive(Deserialize)] struct Metadata { completed_in: f64, max_id: i64, next_results: String, query: String, count: i64 }
#[derive(Deserialize)] struct Tweets { statuses: Vec<Tweet>, search_metadata: Metadata }

#[derive(Deserialize)] struct Event { id: i64, logo: Option<String>, name: String, subTopicIds: Vec<i64>, topicIds: Vec<i64> }
#[derive(Deserialize)] struct Price { amount: i64, audienceSubCategoryId: i64, seatCategoryId: i64 }
#[derive(Deserialize)] struct Area { areaId: i64, blockIds: Vec<i64> }
#[derive(Deserialize)] struct SeatCategory { areas: Vec<Area>, seatCategoryId: i64 }
#[derive(Deserialize)] struct Performance {
    eventId: i64, id: i64, logo: Option<String>, name: Option<String>, prices: Vec<Price>,
    seatCategories: Vec<SeatCategory>, start: i64, venueCode: String,
}
#[derive(Deserialize)] struct Catalog {
    areaNames: HashMap<String, String>, audienceSubCategoryNames: HashMap<String, String>,
    events: HashMap<String, Event>, performances: Vec<Performance>,
    seatCategoryNames: HashMap<String, String>, subTopicNames: HashMap<String, String>,
    topicNames: HashMap<String, String>, topicSubTopics: HashMap<String, Vec<i64>>,
    venueNames: HashMap<String, String>,
}

#[derive(Deserialize)] struct Geometry { r#type: String, coordinates: Vec<Vec<Vec<f64>>> }
#[derive(Deserialize)] struct Feature { r#type: String, properties: HashMap<String, String>, geometry: Geometry }
#[derive(Deserialize)] struct Outlines { r#type: String, features: Vec<Feature> }

#[derive(Deserialize)] struct City { id: i64, title: String }
#[derive(Deserialize)] struct LastSeen { platform: i64, time: i64 }
#[derive(Deserialize)] struct Profile {
    id: i64, first_name: String, last_name: String, sex: i64, screen_name: String, is_closed: bool,
    can_access_closed: bool, city: Option<City>, photo_50: String, photo_200: String,
    followers_count: Option<i64>, last_seen: LastSeen, status: String, about: String, rating: f64,
    tags: Vec<String>,
}
#[derive(Deserialize)] struct Profiles { response: Vec<Profile> }

#[repr(C)]
struct Time { seconds: i64, nanoseconds: i64 }
extern "C" {
    fn clock_gettime(clock: i32, time: *mut Time) -> i32;
}

/// `CLOCK_THREAD_CPUTIME_ID`.
const THREAD_TIME: i32 = if cfg!(target_os = "macos") { 16 } else { 3 };

/// The CPU seconds of this thread.
fn now() -> f64 {
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(THREAD_TIME, &mut time) };
    time.seconds as f64 + time.nanoseconds as f64 / 1e9
}

fn measure<T: DeserializeOwned>(bytes: &[u8], sum: impl Fn(T) -> f64) {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let (start, mut runs, mut batch) = (now(), 0, 1);
        while now() - start < 0.06 {
            for _ in 0..batch {
                let bytes = std::hint::black_box(bytes);
                std::hint::black_box(serde_json::from_slice::<T>(bytes).unwrap());
            }
            runs += batch;
            batch = 64.min(batch * 2);
        }
        best = best.min((now() - start) / runs as f64);
    }
    println!("{} {}", best, sum(serde_json::from_slice(bytes).unwrap()));
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let bytes = std::fs::read(&arguments[2]).unwrap();
    match arguments[1].as_str() {
        "twitter" => measure(&bytes, |x: Tweets| {
            x.statuses.iter().map(|t| t.user.followers_count as f64 + t.text.len() as f64).sum()
        }),
        "citm" => measure(&bytes, |x: Catalog| {
            let prices = x.performances.iter().flat_map(|p| &p.prices).map(|p| p.amount as f64);
            let seats = x.performances.iter().flat_map(|p| &p.seatCategories);
            x.events.len() as f64 + prices.sum::<f64>() + seats.map(|s| s.areas.len() as f64).sum::<f64>()
        }),
        "canada" => measure(&bytes, |x: Outlines| {
            x.features.iter().flat_map(|f| &f.geometry.coordinates).flatten().flatten().sum()
        }),
        _ => measure(&bytes, |x: Profiles| {
            x.response.iter().map(|p| p.id as f64 + p.status.len() as f64).sum()
        }),
    }
}
