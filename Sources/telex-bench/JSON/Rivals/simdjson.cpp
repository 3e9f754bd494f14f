// Reads a document into structs with simdjson On-Demand: `simdjson NAME PATH`. Prints the CPU seconds of
// one reading, the best of five averages, and a sum over the values.
#include <simdjson.h>

#include <cstdio>
#include <ctime>
#include <unordered_map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace json = simdjson::ondemand;
using Text = std::string;
using Int = int64_t;
template <class T> using Maybe = std::optional<T>;
template <class T> using List = std::vector<T>;
template <class T> using Map = std::unordered_map<Text, T>;

void read(json::value v, int64_t &x) { x = v.get_int64(); }
void read(json::value v, double &x) { x = v.get_double(); }
void read(json::value v, bool &x) { x = v.get_bool(); }
void read(json::value v, Text &x) { x = Text(std::string_view(v.get_string())); }
template <class T> void read(json::value v, List<T> &x);
template <class T> void read(json::value v, Map<T> &x);
template <class T> void read(json::value v, Maybe<T> &x);
template <class T> void read(json::value v, std::unique_ptr<T> &x);

// A struct and its reader: one pass over the object, in the order of the document.
#define DECLARE(Type, NAME) Type NAME;
#define READ(Type, NAME) if (key == #NAME) read(member, x.NAME); else
#define MODEL(Type, FIELDS) \
    struct Type { FIELDS(DECLARE) }; \
    void read(json::value v, Type &x) { \
        for (auto field : v.get_object()) { \
            std::string_view key = field.unescaped_key(); \
            json::value member = field.value(); \
            FIELDS(READ) {} \
        } \
    }

#define HASHTAG(F) F(Text, text) F(List<Int>, indices)
MODEL(Hashtag, HASHTAG)
#define LINK(F) F(Text, url) F(Text, expanded_url) F(Text, display_url) F(List<Int>, indices)
MODEL(Link, LINK)
#define MENTION(F) F(Text, screen_name) F(Text, name) F(Int, id) F(List<Int>, indices)
MODEL(Mention, MENTION)
#define ENTITIES(F) F(List<Hashtag>, hashtags) F(List<Link>, urls) F(List<Mention>, user_mentions)
MODEL(Entities, ENTITIES)
#define AUTHOR(F) \
    F(Int, id) F(Text, name) F(Text, screen_name) F(Text, location) F(Text, description) \
    F(Maybe<Text>, url) F(Int, followers_count) F(Int, friends_count) F(Int, listed_count) \
    F(Text, created_at) F(Int, favourites_count) F(Maybe<Int>, utc_offset) F(Maybe<Text>, time_zone) \
    F(bool, verified) F(Int, statuses_count) F(Text, lang) F(Text, profile_image_url) \
    F(Maybe<Text>, profile_banner_url) F(bool, default_profile)
MODEL(Author, AUTHOR)
#define TWEET(F) \
    F(Text, created_at) F(Int, id) F(Text, text) F(Text, source) F(bool, truncated) \
    F(Maybe<Int>, in_reply_to_user_id) F(Maybe<Text>, in_reply_to_screen_name) F(Author, user) \
    F(std::unique_ptr<Tweet>, retweeted_status) F(Int, retweet_count) F(Int, favorite_count) \
    F(Entities, entities) F(Maybe<bool>, possibly_sensitive) F(Text, lang)
MODEL(Tweet, TWEET)
#define METADATA(F) \
    F(double, completed_in) F(Int, max_id) F(Text, next_results) F(Text, query) F(Int, count)
MODEL(Metadata, METADATA)
#define TWEETS(F) F(List<Tweet>, statuses) F(Metadata, search_metadata)
MODEL(Tweets, TWEETS)

#define EVENT(F) \
    F(Int, id) F(Maybe<Text>, logo) F(Text, name) F(List<Int>, subTopicIds) F(List<Int>, topicIds)
MODEL(Event, EVENT)
#define PRICE(F) F(Int, amount) F(Int, audienceSubCategoryId) F(Int, seatCategoryId)
MODEL(Price, PRICE)
#define AREA(F) F(Int, areaId) F(List<Int>, blockIds)
MODEL(Area, AREA)
#define SEATS(F) F(List<Area>, areas) F(Int, seatCategoryId)
MODEL(SeatCategory, SEATS)
#define PERFORMANCE(F) \
    F(Int, eventId) F(Int, id) F(Maybe<Text>, logo) F(Maybe<Text>, name) F(List<Price>, prices) \
    F(List<SeatCategory>, seatCategories) F(Int, start) F(Text, venueCode)
MODEL(Performance, PERFORMANCE)
#define CATALOG(F) \
    F(Map<Text>, areaNames) F(Map<Text>, audienceSubCategoryNames) F(Map<Event>, events) \
    F(List<Performance>, performances) F(Map<Text>, seatCategoryNames) F(Map<Text>, subTopicNames) \
    F(Map<Text>, topicNames) F(Map<List<Int>>, topicSubTopics) F(Map<Text>, venueNames)
MODEL(Catalog, CATALOG)

#define GEOMETRY(F) F(Text, type) F(List<List<List<double>>>, coordinates)
MODEL(Geometry, GEOMETRY)
#define FEATURE(F) F(Text, type) F(Map<Text>, properties) F(Geometry, geometry)
MODEL(Feature, FEATURE)
#define OUTLINES(F) F(Text, type) F(List<Feature>, features)
MODEL(Outlines, OUTLINES)

#define CITY(F) F(Int, id) F(Text, title)
MODEL(City, CITY)
#define LAST_SEEN(F) F(Int, platform) F(Int, time)
MODEL(LastSeen, LAST_SEEN)
#define PROFILE(F) \
    F(Int, id) F(Text, first_name) F(Text, last_name) F(Int, sex) F(Text, screen_name) \
    F(bool, is_closed) F(bool, can_access_closed) F(Maybe<City>, city) F(Text, photo_50) \
    F(Text, photo_200) F(Maybe<Int>, followers_count) F(LastSeen, last_seen) F(Text, status) \
    F(Text, about) F(double, rating) F(List<Text>, tags)
MODEL(Profile, PROFILE)
#define PROFILES(F) F(List<Profile>, response)
MODEL(Profiles, PROFILES)

template <class T> void read(json::value v, List<T> &x) {
    for (auto element : v.get_array()) read(element.value(), x.emplace_back());
}
template <class T> void read(json::value v, Map<T> &x) {
    for (auto field : v.get_object()) {
        Text key(std::string_view(field.unescaped_key()));
        read(json::value(field.value()), x[std::move(key)]);
    }
}
template <class T> void read(json::value v, Maybe<T> &x) {
    if (!v.is_null()) read(v, x.emplace());
}
template <class T> void read(json::value v, std::unique_ptr<T> &x) {
    x = std::make_unique<T>();
    read(v, *x);
}

double sum(const Tweets &x) {
    double sum = 0;
    for (auto &t : x.statuses) sum += t.user.followers_count + t.text.size();
    return sum;
}
double sum(const Catalog &x) {
    double sum = x.events.size();
    for (auto &p : x.performances) {
        for (auto &price : p.prices) sum += price.amount;
        for (auto &category : p.seatCategories) sum += category.areas.size();
    }
    return sum;
}
double sum(const Outlines &x) {
    double sum = 0;
    for (auto &f : x.features)
        for (auto &ring : f.geometry.coordinates)
            for (auto &point : ring)
                for (double number : point) sum += number;
    return sum;
}
double sum(const Profiles &x) {
    double sum = 0;
    for (auto &p : x.response) sum += p.id + p.status.size();
    return sum;
}

double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

template <class T> int measure(const char *path) {
    auto bytes = simdjson::padded_string::load(path).take_value();
    json::parser parser;
    auto map = [&](T &value) {
        json::document document = parser.iterate(bytes);
        read(document.get_value(), value);
    };
    double best = 1e9;
    for (int round = 0; round < 5; round++) {
        double start = now(), runs = 0, batch = 1;
        do {
            for (int run = 0; run < batch; run++) {
                T value;
                map(value);
            }
            runs += batch;
            batch = std::min(batch * 2, 64.0);
        } while (now() - start < 0.06);
        best = std::min(best, (now() - start) / runs);
    }
    T value;
    map(value);
    std::printf("%.9g %.17g\n", best, sum(value));
    return 0;
}

int main(int count, char **arguments) {
    if (count != 3) return 64;
    Text name = arguments[1];
    if (name == "twitter") return measure<Tweets>(arguments[2]);
    if (name == "citm") return measure<Catalog>(arguments[2]);
    if (name == "canada") return measure<Outlines>(arguments[2]);
    return measure<Profiles>(arguments[2]);
}
