"""What comes at once: the busiest minute of a usual day, and what may come on top of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.scale.people import (
    FOLLOWERS,
    OWN_HOME,
    PAGES,
    TEN_MILLION,
    day_curve,
    habits,
)
from benchmarks.scale.replay import Flow, Hot
from feed.likes.reads import SHARDS as LIKE_SHARDS

ACTIVE = TEN_MILLION.count / 5  # people on a day, as in the tables of docs/scale.md
PEAK = 3.0  # times the mean, as there
MEASURED_FOLLOWERS = 50  # of the author whose post was measured
STAR, STARS_POST = "star", "their post"
SEEN = (
    TEN_MILLION.star_share
)  # share of home pages that show what the best known person posted last
OF_THE_STAR = TEN_MILLION.most / TEN_MILLION.edges(
    TEN_MILLION.pulled
)  # share of follows of the widely followed

ON_A_PAGE = {"<user>": Hot(STAR, SEEN), "<star>": Hot(STAR, SEEN), "<post>": Hot(STARS_POST, SEEN)}
ON_THE_STAR = {
    "<author>": Hot(STAR, 0.01),
    "<handle>": Hot(STAR, 0.01),
    "<the post>": Hot(STARS_POST, 0.01),
    "#likelist": Hot("", LIKE_SHARDS),
}
IN_A_THREAD = {
    "p#<the post>#likecount": 1
}  # its replies lie in one partition, so one worker counts them
# Of whatever is looked for or used, the most usual has so large a share; assumed.
USUAL = {
    "<word>": Hot("the commonest word", 0.1),
    "<the word>": Hot("the commonest word", 0.05),
    "<the tag>": Hot("the commonest tag", 0.02),
    "<first 1 or 2 letters>": Hot("ma", 0.03),
}
HOT: Mapping[str, Mapping[str, Hot]] = {
    "home": ON_A_PAGE,
    "home that merges": ON_A_PAGE,
    "pulse": ON_A_PAGE,
    "thread": ON_THE_STAR,
    "profile": ON_THE_STAR,
    "like": ON_THE_STAR,
    "reply": ON_THE_STAR | USUAL,
    "vote": ON_THE_STAR,
    "follow a star": {"<author>": Hot(STAR, OF_THE_STAR), "<handle>": Hot(STAR, OF_THE_STAR)},
}


def usual(behaviour: str, a_second: float) -> Flow:
    """Returns a behaviour as it comes on a usual day."""
    followers = TEN_MILLION.mean_between(500, 5000) if behaviour == "publish to many" else FOLLOWERS
    each = {"<follower>": followers / MEASURED_FOLLOWERS}
    return Flow(behaviour, a_second, HOT.get(behaviour, USUAL), each=each)


def day(times: float = 1.0) -> list[Flow]:
    """Returns what comes in a second of a usual day, at so many times the mean."""
    return [usual(one.behaviour, ACTIVE * one.times * times / 86_400) for one in habits()]


@dataclass(frozen=True, slots=True)
class Storm:
    """What comes on top of a usual minute, which is `times` the mean of the day."""

    name: str
    what: str
    flows: Sequence[Flow] = ()
    times: float = PEAK
    without: tuple[str, ...] = ()

    @property
    def all(self) -> list[Flow]:
        kept = [one for one in day(self.times) if one.behaviour not in self.without]
        return [*kept, *self.flows]


def _on(name: str, author: str = "") -> dict[str, Hot]:
    """Returns what a storm meets: one post with its author."""
    author = author or f"its author, {name}"
    return {
        "<the post>": Hot(name),
        "<author>": Hot(author),
        "<handle>": Hot(author),
        "<the vote>": Hot(name),
        "<the chat>": Hot(name),
        "#likelist": Hot("", LIKE_SHARDS),
    }


def storms() -> list[Storm]:
    minute = 1 / 60
    midnight = next(iter(day_curve(PEAK)))
    pages = ACTIVE * PAGES / 86_400
    raid = {
        "<the word>": Hot("raided"),
        "<the tag>": Hot("raided"),
        "<the rule>": Hot("its filter"),
    }
    raid |= {"<hint>": Hot("one text"), "<first 1 or 2 letters>": Hot("ra")}
    star = {"<star>": Hot(STAR), "<user>": Hot(STAR), "<post>": Hot(STARS_POST)}
    of_star = _on(STARS_POST, STAR)
    return [
        Storm("evening", "the busiest minute of a usual day"),
        Storm(
            "midnight",
            "the first minute of a day in UTC: nine of ten pages are their reader’s first of the day",
            [usual("first page of a day", 0.9 * pages * midnight)],
            times=midnight,
            without=("first page of a day",),
        ),
        Storm(
            "star",
            "the best known person posts in the evening: half as many home pages more, all of followers, "
            "10,000 likes and 600 replies a minute",
            [
                Flow("publish to very many", minute, {"<actor>": Hot(STAR)}),
                Flow("home that merges", pages * OWN_HOME * PEAK / 2, star),
                Flow("like", 10_000 * minute, of_star, sources=LIKE_SHARDS),
                Flow("reply", 600 * minute, of_star, sources_of=IN_A_THREAD),
            ],
        ),
        Storm(
            "raid",
            "10,000 posts a minute with one word, which a filter flags, and as many with one tag, all of one text; "
            "6,000 searches for the word and 12,000 looks at the tag a minute",
            [
                Flow("publish a word of a filter", 10_000 * minute, raid),
                Flow("publish with a tag", 10_000 * minute, raid),
                Flow("search", 6_000 * minute, raid),
                Flow("look at a tag", 12_000 * minute, raid),
            ],
        ),
        Storm(
            "poll",
            "a poll of 100,000 votes a minute, and half as many looks at its post",
            [
                Flow("vote", 100_000 * minute, _on("the poll"), sources=LIKE_SHARDS),
                Flow("thread", 50_000 * minute, _on("the poll")),
            ],
        ),
        Storm(
            "site vote",
            "a vote of the whole site with 100,000 ballots a minute",
            [Flow("vote of the site", 100_000 * minute, _on("the vote"))],
        ),
        Storm(
            "likes",
            "10,000 likes a minute of a post by someone whom few follow, and three looks at it for each",
            [
                Flow("like", 10_000 * minute, _on("the post"), sources=LIKE_SHARDS),
                Flow("thread", 30_000 * minute, _on("the post")),
            ],
        ),
        Storm(
            "replies",
            "10,000 replies a minute to one post, and three looks at it for each",
            [
                Flow("reply", 10_000 * minute, _on("the post"), sources_of=IN_A_THREAD),
                Flow("thread", 30_000 * minute, _on("the post")),
            ],
        ),
        Storm(
            "group",
            "ten people in one group write two messages a second, and look every second",
            [
                Flow("message to a group", 2, _on("the group")),
                Flow("look for messages", 10, _on("the group")),
            ],
        ),
    ]
