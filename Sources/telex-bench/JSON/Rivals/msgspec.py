# Reads a document into structs with msgspec: `msgspec.py NAME PATH`. Prints the CPU seconds of one reading,
# the best of five averages, and a sum over the values.
import sys
from time import thread_time

# This file has the name of the module that it imports.
sys.path.pop(0)
from msgspec import UNSET, UnsetType, defstruct, json  # noqa: E402


def model(name, /, **fields):
    """A struct. A field that may be missing has `| UnsetType`."""
    members = [
        (key, kind, UNSET) if "UnsetType" in str(kind) else (key, kind) for key, kind in fields.items()
    ]
    return defstruct(name, members, module=__name__, kw_only=True)


Hashtag = model("Hashtag", text=str, indices=list[int])
Link = model("Link", url=str, expanded_url=str, display_url=str, indices=list[int])
Mention = model("Mention", screen_name=str, name=str, id=int, indices=list[int])
Entities = model("Entities", hashtags=list[Hashtag], urls=list[Link], user_mentions=list[Mention])
Author = model(
    "Author", id=int, name=str, screen_name=str, location=str, description=str, url=str | None,
    followers_count=int, friends_count=int, listed_count=int, created_at=str, favourites_count=int,
    utc_offset=int | None, time_zone=str | None, verified=bool, statuses_count=int, lang=str,
    profile_image_url=str, profile_banner_url=str | UnsetType, default_profile=bool)
Tweet = model(
    "Tweet", created_at=str, id=int, text=str, source=str, truncated=bool,
    in_reply_to_user_id=int | None, in_reply_to_screen_name=str | None, user=Author,
    retweeted_status="Tweet | UnsetType", retweet_count=int, favorite_count=int, entities=Entities,
    possibly_sensitive=bool | UnsetType, lang=str)
Metadata = model("Metadata", completed_in=float, max_id=int, next_results=str, query=str, count=int)
Tweets = model("Tweets", statuses=list[Tweet], search_metadata=Metadata)

Event = model(
    "Event", id=int, logo=str | None, name=str, subTopicIds=list[int], topicIds=list[int])
Price = model("Price", amount=int, audienceSubCategoryId=int, seatCategoryId=int)
Area = model("Area", areaId=int, blockIds=list[int])
SeatCategory = model("SeatCategory", areas=list[Area], seatCategoryId=int)
Performance = model(
    "Performance", eventId=int, id=int, logo=str | None, name=str | None, prices=list[Price],
    seatCategories=list[SeatCategory], start=int, venueCode=str)
Names = dict[str, str]
Catalog = model(
    "Catalog", areaNames=Names, audienceSubCategoryNames=Names, events=dict[str, Event],
    performances=list[Performance], seatCategoryNames=Names, subTopicNames=Names, topicNames=Names,
    topicSubTopics=dict[str, list[int]], venueNames=Names)

Geometry = model("Geometry", type=str, coordinates=list[list[list[float]]])
Feature = model("Feature", type=str, properties=Names, geometry=Geometry)
Outlines = model("Outlines", type=str, features=list[Feature])

City = model("City", id=int, title=str)
LastSeen = model("LastSeen", platform=int, time=int)
Profile = model(
    "Profile", id=int, first_name=str, last_name=str, sex=int, screen_name=str, is_closed=bool,
    can_access_closed=bool, city=City | UnsetType, photo_50=str, photo_200=str,
    followers_count=int | UnsetType, last_seen=LastSeen, status=str, about=str, rating=float,
    tags=list[str])
Profiles = model("Profiles", response=list[Profile])


def values(x):
    match x:
        case Tweets():
            for tweet in x.statuses:
                yield tweet.user.followers_count + len(tweet.text.encode())
        case Catalog():
            yield len(x.events)
            for performance in x.performances:
                yield sum(price.amount for price in performance.prices)
                yield sum(len(category.areas) for category in performance.seatCategories)
        case Outlines():
            for feature in x.features:
                for ring in feature.geometry.coordinates:
                    for point in ring:
                        yield from point
        case Profiles():
            for profile in x.response:
                yield profile.id + len(profile.status.encode())


models = {"twitter": Tweets, "citm": Catalog, "canada": Outlines}
decoder = json.Decoder(models.get(sys.argv[1], Profiles))
data = open(sys.argv[2], "rb").read()
best = float("inf")
for _ in range(5):
    start = thread_time()
    runs, batch = 0, 1
    while thread_time() - start < 0.06:
        for _ in range(batch):
            decoder.decode(data)
        runs += batch
        batch = min(batch * 2, 64)
    best = min(best, (thread_time() - start) / runs)
print(best, float(sum(values(decoder.decode(data)))))
