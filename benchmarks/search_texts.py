"""Posts and searches of the benchmark of the search: words as rare as those of real texts, the same each time."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from socialsite.table import ids

DAYS = 80  # in which the posts were published; entries live for 90
WORDS = 10  # of a post
VOCABULARY, COMMON = 60_000, 120  # the most common ones are stop words, and in no index
KINDS = ("one word", "two words", "three words")


@dataclass(frozen=True, slots=True)
class Written:
    """A post, as both sides hold it."""

    post_id: str
    author_id: str
    content: str
    likes: int


class Texts:
    """Posts whose words are as rare as those of real texts: the n-th is used 1/n as often as the first. The same ones
    each time."""

    def __init__(self) -> None:
        self.chance = random.Random(39)
        letters = "aeioubdfgklmnprstvz"
        self.words = [
            "".join(self.chance.choice(letters) for _ in range(4 + number % 6)) + f"{number:x}"
            for number in range(VOCABULARY)
        ]
        self.weights = [1 / (COMMON + number) for number in range(VOCABULARY)]

    def posts(self, entries: int, authors: Sequence[str]) -> Iterator[Written]:
        count, now = entries // WORDS, datetime.now(UTC)
        for number in range(count):
            content = " ".join(self.chance.choices(self.words, self.weights, k=WORDS))
            at = now - timedelta(days=DAYS) * (1 - number / count)
            post_id = ids.id_at(at, self.chance.randbytes(10))
            yield Written(post_id, authors[number % len(authors)], content, number % 50)

    def searches(self, posts: Sequence[Written], count: int) -> dict[str, list[str]]:
        """Some of each kind, with words of some post, so that there is something to find."""
        made: dict[str, list[str]] = {}
        for size, kind in enumerate(KINDS, 1):
            said = (self.chance.choice(posts).content.split() for _ in range(count))
            made[kind] = [" ".join(self.chance.sample(words, size)) for words in said]
        return made
