"""The people of the demo, how they relate, and what each of them says and when."""

import math
import random
import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import accumulate
from pathlib import Path

from operations.demo.content import (
    DATA,
    DemoPerson,
    Language,
    Names,
    Texts,
    first_people,
    languages,
    read_tables,
)

# One weight per hour of the day, from midnight: quiet nights, a lunch break, long evenings.
HOUR_WEIGHTS = (
    *(14, 8, 5, 3, 3, 5, 11, 20, 26, 25, 24, 26),
    *(34, 32, 25, 24, 27, 34, 46, 58, 66, 64, 48, 28),
)
WEEKEND_FACTOR = 1.35
GROWTH = 0.6
NEWEST_SECONDS = 50 * 60
LATELY_SECONDS = 5 * 3600
LATELY = 10  # posts, so that a site started in the quiet hours still has recent posts


def post_times(rng: random.Random, count: int, now: datetime, days: float) -> list[datetime]:
    """Draw `count` moments in UTC within the last `days` days, oldest first.

    `now` must know its time zone. There are more moments in the evening, at the weekend and lately,
    whatever the hour; the newest one is less than an hour old.
    """
    if count < 1:
        return []
    if now.tzinfo is None:
        raise ValueError("now has no time zone")
    now = now.astimezone(UTC)
    start = now - timedelta(days=days)
    hours = max(1, int(days * 24))
    step = (now - start) / hours
    weights = list(accumulate(hour_weight(start + i * step, i / hours) for i in range(hours)))
    late = min(LATELY, count // 20)
    drawn = rng.choices(range(hours), cum_weights=weights, k=count - 1 - late)
    times = [start + (hour + rng.random()) * step for hour in drawn]
    ends = [*(LATELY_SECONDS for _ in range(late)), NEWEST_SECONDS]
    lately = [now - timedelta(seconds=rng.uniform(0, min(end, days * 86_400))) for end in ends]
    return sorted([*times, *lately])


def hour_weight(moment: datetime, progress: float) -> float:
    """How much is written in the hour around a moment; `progress` runs from 0 to 1."""
    weekend = WEEKEND_FACTOR if moment.weekday() >= 5 else 1.0
    return HOUR_WEIGHTS[moment.hour] * weekend * (1 + GROWTH * progress)


# Letters that Unicode does not take apart into a Latin letter and a mark.
PLAIN_LETTERS = str.maketrans({"ß": "ss", "ı": "i", "ø": "o", "đ": "d", "ł": "l", "æ": "ae"})
BARE_NAME_SHARE = 0.12
SYMBOL_SHARE = 0.14
BIO_SHARE = 0.88
PLACE_SHARE = 0.8


def more_people(rng: random.Random, count: int) -> Iterator[DemoPerson]:
    """Yield `count` people put together by chance; no handle is used twice."""
    used = {person.handle: 1 for person in first_people().people}
    spoken = list(languages().values())
    weights = [language.names.weight for language in spoken]
    for language in rng.choices(spoken, weights=weights, k=count):
        yield compose_person(rng, language, used)


def compose_person(rng: random.Random, language: Language, used: dict[str, int]) -> DemoPerson:
    """Put one person together."""
    names = language.names
    given, given_plain = read_name(rng.choice(names.given))
    family, family_plain = read_name(rng.choice(names.family))
    handle = unique_handle(rng, compose_handle(rng, given_plain, family_plain), used)
    return DemoPerson(
        handle=handle,
        name=compose_name(rng, given, family, names),
        bio=compose_bio(rng, names),
        location=rng.choice(names.places) if rng.random() < PLACE_SHARE else "",
        language=language.code,
    )


def read_name(part: str) -> tuple[str, str]:
    """Split `native=latin`; fold a Latin name into plain letters."""
    native, _, latin = part.partition("=")
    return native, latin or plain_letters(native)


def plain_letters(text: str) -> str:
    """Fold a Latin text into the letters a to z."""
    parts = unicodedata.normalize("NFKD", text.lower().translate(PLAIN_LETTERS))
    return re.sub(r"[^a-z]", "", parts)


def compose_name(rng: random.Random, given: str, family: str, names: Names) -> str:
    """The shown name: mostly both names, sometimes one, sometimes with a symbol."""
    if names.family_first:
        # Only scripts without Latin letters write both names without a space.
        name = f"{family} {given}" if family.isascii() or family[0] < "\u0590" else family + given
    else:
        name = f"{given} {family}"
    if rng.random() < BARE_NAME_SHARE:
        name = given
    if rng.random() < SYMBOL_SHARE:
        name += " " + rng.choice(first_people().symbols)
    return name


def compose_bio(rng: random.Random, names: Names) -> str:
    """A few things someone likes; some people say nothing about themselves."""
    if rng.random() > BIO_SHARE:
        return ""
    bio = " · ".join(rng.sample(names.likes, rng.randint(2, 4)))
    bio = bio[0].upper() + bio[1:]
    return f"{bio} {rng.choice(first_people().symbols)}" if rng.random() < SYMBOL_SHARE * 2 else bio


def compose_handle(rng: random.Random, given: str, family: str) -> str:
    """A handle without digits, so that a number behind it keeps it apart from all others."""
    forms = (
        f"{given}_{family}",
        f"{given}{family}",
        f"{family}_{given}",
        f"{given[0]}{family}",
        f"{given}_{rng.choice(first_people().handle_words)}",
        f"{given}_{family}_{rng.choice(first_people().handle_words)}",
    )
    return rng.choice(forms)[:22].strip("_").ljust(3, "_")


def unique_handle(rng: random.Random, base: str, used: dict[str, int]) -> str:
    """Put a number behind a handle that is taken. `used` counts what each base has used up."""
    last = used.get(base)
    if last is None:
        used[base] = 1
        return base
    # Steps of chance look less like a counter; numbers only grow, so none comes twice.
    used[base] = last + rng.randint(1, 6)
    return f"{base}{used[base]}"


# As many as `people.first_people()`: the written people are the well-known ones.
KNOWN_PEOPLE = 48
ZIPF_EXPONENT = 0.8
NEIGHBOUR_SHARE = 0.35
NEIGHBOUR_REACH = 8
OUT_DEGREE_SPREAD = 0.9
FIRST_FOLLOWS = 20
LIKE_EXPONENT = 1.25
LIKER_SKEW = 1.6
HOT_SHARE = 0.97


def rank_people(rng: random.Random, size: int) -> list[int]:
    """The people, most popular first: person 0, then the known ones, then the others."""
    known = list(range(1, min(size, KNOWN_PEOPLE)))
    others = list(range(KNOWN_PEOPLE, size))
    rng.shuffle(known)
    rng.shuffle(others)
    return [0, *known, *others]


def follow_graph(rng: random.Random, size: int, mean: float) -> Iterator[tuple[int, int]]:
    """Yield (follower, followed) pairs, ordered by follower, each pair once, nobody themselves.

    Popularity follows Zipf's law. Each person follows about `mean` others; a part of them are near
    in the numbering, so that people also follow back and have friends in common.
    """
    if size < 2:
        return
    ranked = rank_people(rng, size)
    weights = list(accumulate((rank + 1) ** -ZIPF_EXPONENT for rank in range(size)))
    for follower in range(size):
        if follower == 0:
            followed = first_follows(rng, size)
        else:
            wanted = out_degree(rng, mean, size - 1)
            followed = choose_followed(rng, follower, wanted, ranked, weights)
        for other in followed:
            yield follower, other


def out_degree(rng: random.Random, mean: float, most: int) -> int:
    """How many people someone follows: often a few, sometimes very many."""
    middle = math.log(max(mean, 0.1)) - OUT_DEGREE_SPREAD**2 / 2
    return min(most, round(rng.lognormvariate(middle, OUT_DEGREE_SPREAD)))


def first_follows(rng: random.Random, size: int) -> list[int]:
    """Returns the people that person 0 follows: mostly known people, and a few others."""
    known = range(1, min(size, KNOWN_PEOPLE))
    followed = dict.fromkeys(range(1, min(size, 4)))
    followed.update(dict.fromkeys(rng.sample(known, min(len(known), FIRST_FOLLOWS - 6))))
    crowd = range(min(size, KNOWN_PEOPLE), size)
    followed.update(dict.fromkeys(rng.sample(crowd, min(len(crowd), 4))))
    return list(followed)


def choose_followed(
    rng: random.Random, follower: int, wanted: int, ranked: list[int], weights: list[float]
) -> list[int]:
    """Choose `wanted` different people, the popular ones more often."""
    size = len(ranked)
    if wanted * 3 > size:
        return choose_among_few(rng, follower, wanted, ranked)
    # A dict is a set that keeps its order, and so the same seed gives the same graph.
    followed: dict[int, None] = {}
    for _ in range(round(wanted * NEIGHBOUR_SHARE)):
        near = (follower + rng.randint(-NEIGHBOUR_REACH, NEIGHBOUR_REACH)) % size
        if near != follower:
            followed[near] = None
    while len(followed) < wanted:
        missing = wanted - len(followed)
        for other in rng.choices(ranked, cum_weights=weights, k=missing):
            if other != follower:
                followed[other] = None
    return list(followed)


def choose_among_few(
    rng: random.Random, follower: int, wanted: int, ranked: list[int]
) -> list[int]:
    """Choose a large part of everyone, where drawing until all differ would take too long."""
    keys = {
        other: -math.log(1 - rng.random()) * (rank + 1) ** ZIPF_EXPONENT
        for rank, other in enumerate(ranked)
        if other != follower
    }
    return sorted(keys, key=keys.__getitem__)[:wanted]


def like_graph(
    rng: random.Random, posts: int, people: int, hot: int | None = 0
) -> Iterator[tuple[int, int]]:
    """Yield (person, post) pairs, ordered by post, each pair once.

    Most posts get a few likes and few get many. Nearly everyone likes the post `hot`. People with
    low numbers like more. Authors are not known here: skip the pairs of authors with their own
    posts if they shall not like them.
    """
    for post in range(posts):
        if post == hot:
            yield from ((person, post) for person in range(people) if rng.random() < HOT_SHARE)
        else:
            yield from ((person, post) for person in choose_likers(rng, people))


def choose_likers(rng: random.Random, people: int) -> list[int]:
    """Choose the different people who like an ordinary post."""
    most = max(1, people // 4)
    wanted = min(most, people, int(2 * rng.paretovariate(LIKE_EXPONENT)) - 2)
    likers: dict[int, None] = {}
    while len(likers) < wanted:
        likers[int(people * rng.random() ** LIKER_SKEW)] = None
    return list(likers)


SLOT = re.compile(r"\{(\w+)\}")
EMOJI_SHARE = 0.25
TAG_SHARE = 0.2
TAGGED_EACH = 3  # of hand-written posts
SECOND_SHARE = 0.15
SHORTEST = 20
MOST_TRIES = 30


class PostWriter:
    """Writes posts one after the other: each hand-written one once, then composed ones.

    Repetitions are avoided, so that even a million posts look different.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.written = {
            code: list(_with_tags(rng.sample(language.posts, len(language.posts)), language))
            for code, language in languages().items()
        }
        self.own = {one.handle: list(reversed(one.posts)) for one in first_people().people}
        self.seen: set[int] = set()

    def write_post(self, language: str, handle: str = "") -> str:
        """The next post in a language; `handle` lets the first people tell their own stories."""
        for stock in (self.own.get(handle), self.written.get(language)):
            if stock:
                return stock.pop()
        return self.compose_unseen(language)

    def compose_unseen(self, language: str) -> str:
        """Compose until the text is new; a grammar that is used up may repeat itself."""
        text = ""
        for _ in range(MOST_TRIES):
            text = compose_post(self.rng, languages()[language])
            # A checksum instead of the text keeps a million posts small in memory.
            key = zlib.crc32(text.encode())
            if key not in self.seen:
                self.seen.add(key)
                break
        return text


def _with_tags(texts: Sequence[str], language: Language) -> Iterator[str]:
    """Yields hand-written posts, some of them with a tag of their language."""
    tags = language.words["tag"]
    for number, text in enumerate(texts):
        tag = tags[number // TAGGED_EACH % len(tags)]
        yield f"{text} {tag}" if number % TAGGED_EACH == 0 and "#" not in text else text


def compose_post(rng: random.Random, language: Language) -> str:
    """Makes one post out of a language's grammar; some texts come twice in a long series."""
    words = language.words
    text = compose_part(rng, words)
    if len(text) < SHORTEST or rng.random() < SECOND_SHARE:
        text += "\n\n" + compose_part(rng, words)
    if rng.random() < EMOJI_SHARE:
        text += " " + rng.choice(words["emoji"])
    if rng.random() < TAG_SHARE:
        text += " " + rng.choice(words["tag"])
    return text


def compose_part(rng: random.Random, words: dict[str, Texts]) -> str:
    """Makes one paragraph."""
    text = fill_slots(rng, words, rng.choice(words["post"]))
    return text[0].upper() + text[1:]


def fill_slots(rng: random.Random, words: dict[str, Texts], text: str) -> str:
    """Replaces each `{slot}` of a text by one of its choices."""

    def choose(found: re.Match[str]) -> str:
        return fill_slots(rng, words, rng.choice(words[found[1]]))

    return SLOT.sub(choose, text)


@dataclass(frozen=True)
class DemoPhoto:
    """A picture of `data/photos/`, and what it shows; empty if its author did not say."""

    file: str
    alt: str = ""

    @property
    def path(self) -> Path:
        return DATA / "photos" / f"{self.file}.jpg"


@dataclass(frozen=True)
class DemoPoll:
    """A poll, for a `length` of `feed/polls/models.py`."""

    options: Texts
    length: str
    several: bool = False
    change: bool = False
    early: bool = False


@dataclass(frozen=True)
class DemoPost:
    """A post that shows or asks something."""

    by: str
    text: str
    photos: tuple[DemoPhoto, ...] = ()
    poll: DemoPoll | None = None


@cache
def composed() -> tuple[DemoPost, ...]:
    return tuple(
        DemoPost(
            one["by"],
            one["text"],
            tuple(DemoPhoto(**photo) for photo in one.get("photos", ())),
            DemoPoll(**one["poll"]) if "poll" in one else None,
        )
        for one in read_tables("composed")["posts"]
    )
