"""The search against a plain list in memory: whatever people do, in any order, and however often the worker dies or
reads a record again, the same posts are found, and at no moment one that someone may not see.

Some 90 steps, always the same; `FAULTS=long` makes 8,000, others each time.
"""

import itertools
import os
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from accounts.people.reads import read_actor
from accounts.people.viewer import VISITOR, Viewer
from accounts.profile.writes import save_privacy
from feed.posts.models import Audience
from feed.publishing.changes import change_audience, edit_post
from feed.publishing.writes import delete_post
from finding.query import read_query
from finding.reads import find_best, search_posts
from relations.blocks.writes import block, mute, unblock, unmute
from socialsite.streams.worker import Worker
from socialsite.table import ids
from socialsite.table.connection import client
from tests.conftest import publish_post
from tests.injected.conftest import clock, impatient
from tests.injected.faults import ALL, IS_LONG, Hook, Rounds
from tests.looks import broken_invariants, drain

__all__ = ["clock", "impatient"]

WORDS = ("soup", "salad", "bread", "Crème", "今天喝汤", "the", "soups", "#cats", "#Dogs")
LANGUAGES = ("", "en", "de")
ASKED = (
    *(
        "soup",
        "salad bread",
        "creme",
        "soup -bread",
        "-soup creme",
        "喝汤",
        "#cats",
        "#cats soup -#dogs",
    ),
    *('"soup salad"', "bread lang:de", "from:bob", "from:bob soup", "soups", "the soup"),
)
RUNS, STEPS = (40, 200) if IS_LONG else (1, 90)


@dataclass
class Written:
    """A post as the model has it."""

    author_id: str
    said: list[str]
    lang: str
    audience: str = ""
    version: int = 1

    def has(self, asked: str, bob: str) -> bool:
        """The rules once more, in the simplest words."""
        said = [word.lower().replace("è", "e") for word in self.said]
        for part in asked.replace('"soup salad"', "soup_salad").split():
            wanted, text = not part.startswith("-"), part.removeprefix("-")
            match text:
                case "the":
                    continue
                case "soup_salad":
                    has = any(two == ("soup", "salad") for two in itertools.pairwise(said))
                case "from:bob":
                    has = self.author_id == bob
                case "lang:de":
                    has = self.lang == "de"
                case "喝汤":
                    has = "今天喝汤" in said
                case _:
                    has = text in said
            if has != wanted:
                return False
        return True


@dataclass
class World:
    """What people did, the worker, and what may go wrong below it."""

    people: list[Viewer]
    chance: random.Random
    posts: dict[str, Written] = field(default_factory=dict)
    blocks: set[tuple[str, str]] = field(default_factory=set)
    mutes: set[tuple[str, str]] = field(default_factory=set)
    silent: set[str] = field(default_factory=set)  # who does not want to be found
    hook: Hook = field(default_factory=Hook)

    def __post_init__(self) -> None:
        self.hook.listen(client())
        self.worker = self._new_worker()

    def _new_worker(self) -> Worker:
        """A worker that seems dead as soon as another one looks."""
        worker = Worker()
        host = worker.worker_id.split(":")[0]
        worker.worker_id = f"{host}:999999:{worker.worker_id[-26:]}"
        self.hook.listen(worker.stream._client)
        return worker

    def some_words(self) -> list[str]:
        return [self.chance.choice(WORDS) for _ in range(self.chance.randint(1, 5))]

    def step(self) -> None:
        acts = [self.publish] * 5 + [self.edit, self.delete, self.close, self.block, self.mute]
        acts += [self.choose, self.work, self.work, self.die]
        self.chance.choice(acts)()

    def publish(self) -> None:
        by, said, lang = self.anyone(), self.some_words(), self.chance.choice(LANGUAGES)
        audience = self.chance.choice(("", "", "", Audience.FOLLOWERS, Audience.ONLY_ME))
        how = {"nonce": ids.new_id(), "audience": audience, "lang": lang}
        post_id = publish_post(by=by, content=" ".join(said), **how)
        self.posts[post_id] = Written(by.user_id, said, lang, audience)

    def edit(self) -> None:
        if post := self.any_post():
            post_id, one = post
            said = self.some_words()
            if one.audience != Audience.ONLY_ME and said != one.said:
                how = {"version": one.version, "lang": one.lang}
                edit_post(by=self.of(one), post_id=post_id, content=" ".join(said), **how)
                one.said, one.version = said, one.version + 1

    def delete(self) -> None:
        if post := self.any_post():
            delete_post(by=self.of(post[1]), post_id=post[0])
            del self.posts[post[0]]

    def close(self) -> None:
        if post := self.any_post():
            audience = self.chance.choice(("", Audience.FOLLOWERS, Audience.ONLY_ME))
            narrower = ("", Audience.FOLLOWERS, Audience.ONLY_ME)
            if narrower.index(audience) > narrower.index(post[1].audience):
                change_audience(by=self.of(post[1]), post_id=post[0], audience=audience)
                post[1].audience = audience

    def block(self) -> None:
        one, other = self.chance.sample(self.people, 2)
        pair = (one.user_id, other.user_id)
        if pair in self.blocks:
            unblock(by=one, user_id=other.user_id)
            self.blocks.remove(pair)
        else:
            block(by=one, user_id=other.user_id)
            self.blocks.add(pair)

    def mute(self) -> None:
        one, other = self.chance.sample(self.people, 2)
        pair = (one.user_id, other.user_id)
        (unmute if pair in self.mutes else mute)(by=one, user_id=other.user_id)
        self.mutes ^= {pair}

    def choose(self) -> None:
        one = self.anyone()
        self.silent ^= {one.user_id}
        choice = {"locked": False, "archived_before": None, "not_suggested": False}
        is_silent = one.user_id in self.silent
        save_privacy(by=one, not_indexed=False, not_searched=is_silent, **choice)

    def work(self) -> None:
        self.worker.run(Rounds(self.chance.randint(1, 2)))

    def die(self) -> None:
        """In the middle of whatever it does: the next one reads the records again."""
        self.hook.arm(self.chance.choice(ALL), at=self.chance.randint(0, 6), times=1)
        with suppress(Exception):
            self.worker.step()
        self.hook.disarm()
        self.worker = self._new_worker()

    def anyone(self) -> Viewer:
        one = self.chance.choice(self.people)
        return read_actor(one.user_id) or one

    def of(self, post: Written) -> Viewer:
        return read_actor(post.author_id) or VISITOR

    def any_post(self) -> tuple[str, Written] | None:
        return self.chance.choice(list(self.posts.items())) if self.posts else None

    def expected(self, viewer: Viewer, asked: str) -> list[str]:
        bob = self.people[1].user_id
        return [
            post_id
            for post_id, one in sorted(self.posts.items(), reverse=True)
            if not one.audience
            and one.author_id not in self.silent
            and not {(viewer.user_id, one.author_id), (one.author_id, viewer.user_id)} & self.blocks
            and (viewer.user_id, one.author_id) not in self.mutes
            and one.has(asked, bob)
        ]

    def nothing_is_shown_that_may_not_be(self) -> None:
        for viewer in (VISITOR, *self.people):
            asked = self.chance.choice(ASKED)
            assert set(found(viewer, asked)) <= set(self.expected(viewer, asked)), asked

    def all_is_found(self) -> None:
        self.hook.disarm()
        drain(self.worker)
        assert broken_invariants() == {}
        for viewer in (VISITOR, *self.people):
            for asked in ASKED:
                wanted = self.expected(viewer, asked)
                assert found(viewer, asked) == wanted, asked
                best = find_best(read_query(asked), viewer=viewer).hits.items
                newest = [card.post_id for card in best]
                assert newest == [one for one in wanted if one in newest], asked


def found(viewer: Viewer, asked: str) -> list[str]:
    """All pages, on their way through the cursors."""
    return list(_pages(viewer, asked))


def _pages(viewer: Viewer, asked: str) -> Iterator[str]:
    cursor = None
    while True:
        page = search_posts(read_query(asked), viewer=viewer, cursor=cursor, size=3)
        yield from (card.post_id for card in page.items)
        if not (cursor := page.next_cursor):
            return


@pytest.mark.timeout(3600 if IS_LONG else 300)
@pytest.mark.usefixtures("clock", "impatient")
@pytest.mark.parametrize("run", range(RUNS))
def test_the_same_posts_are_found_as_in_a_list(alice, bob, carol, run):
    seed = os.urandom(4).hex() if IS_LONG else str(run)
    world = World([alice, bob, carol], random.Random(seed))
    try:
        for number in range(STEPS):
            world.step()
            if number % 5 == 0:
                world.nothing_is_shown_that_may_not_be()
            if number % 45 == 44:
                world.all_is_found()
    except Exception as error:
        error.add_note(f"The seed is {seed}.")
        raise
    finally:
        world.hook.leave([client(), world.worker.stream._client])
