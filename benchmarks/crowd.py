"""A thousand people and their posts of a month, the same for the site's table and for PostgreSQL.

One reader follows a hundred people who post all the time, another one ten who were quiet for weeks: the best and the
worst case of a database that looks for the newest posts by anyone followed.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from accounts.models import SignIn, UserCount, UserInfo
from accounts.sessions import hash_secret, today
from benchmarks.data import SECRET, TEXTS, avatar_of, photo_of
from feed.likes.models import Like
from feed.posts.models import LikeCount, LikeTrace, Post, TimelineEntry
from relations.models import Follower, Following
from socialsite.table import Item, ids

PEOPLE, FOLLOWED = 1000, 100
QUIET, QUIET_POSTS = 10, 20
LIKED_EVERY, LIKED_OF, PHOTO_EVERY = 7, 700, 5
DAYS, QUIET_FROM = 28, 26  # days ago: how old posts may be, and those of the quiet at least
BUSY, SLEEPY = "busy", "quiet"  # the readers


@dataclass(frozen=True, slots=True)
class Person:
    user_id: str
    handle: str
    name: str


@dataclass(frozen=True, slots=True)
class Said:
    post_id: str
    author_id: str
    content: str
    likes: int
    has_photo: bool


class Crowd:
    def __init__(self, posts: int) -> None:
        self._now = datetime.now(UTC)
        ids_ = [_id(self._now - timedelta(days=400, minutes=one)) for one in range(PEOPLE + 2)]
        self.people = [
            Person(user_id, f"person{number}", f"Person {number} Lindqvist")
            for number, user_id in enumerate(ids_)
        ]
        self.readers = {BUSY: ids_[-1], SLEEPY: ids_[-2]}
        quiet, busy = ids_[:QUIET], ids_[QUIET:PEOPLE]
        self.follows = {ids_[-1]: random.sample(busy, FOLLOWED), ids_[-2]: quiet}
        moments = [(one, QUIET_FROM) for one in quiet for _ in range(QUIET_POSTS)]
        moments += [(random.choice(busy), 0) for _ in range(posts - len(moments))]
        self.posts = sorted(
            (
                self._said(number, author_id, least)
                for number, (author_id, least) in enumerate(moments)
            ),
            key=lambda post: post.post_id,
        )

    def timeline(self, reader_id: str) -> list[Said]:
        """Returns the posts of the people that a reader follows, oldest first."""
        followed = set(self.follows[reader_id])
        return [post for post in self.posts if post.author_id in followed]

    def likes(self, reader_id: str) -> list[Said]:
        """Returns those of the newest posts in a timeline that the reader likes."""
        return self.timeline(reader_id)[-LIKED_OF::LIKED_EVERY]

    def items(self) -> Iterator[Item]:
        """What the site's table holds of it."""
        for person in self.people:
            info = UserInfo.new(user_id=person.user_id, handle=person.handle, name=person.name)
            info.avatar = avatar_of(person.user_id)
            yield info
            yield UserCount.new(user_id=person.user_id)
        for post in self.posts:
            photos = [photo_of(post.post_id)] if post.has_photo else ()
            yield Post.new(
                post_id=post.post_id, author_id=post.author_id, content=post.content, photos=photos
            )
            count = LikeCount.new(post_id=post.post_id)
            count.likes = post.likes
            yield count
        for reader_id in self.readers.values():
            yield from self._reader(reader_id)

    def _reader(self, reader_id: str) -> Iterator[Item]:
        until = self._now + timedelta(days=30)
        yield SignIn.new(
            user_id=reader_id,
            secret_hash=hash_secret(SECRET),
            browser="benchmark",
            seen=today(),
            ttl=until,
            epoch=0,
        )
        for other in self.follows[reader_id]:
            yield Following.new(user_id=reader_id, followed_id=other)
            yield Follower.new(user_id=other, follower_id=reader_id)
        for post in self.timeline(reader_id):
            yield TimelineEntry.new(
                user_id=reader_id, post_id=post.post_id, author_id=post.author_id, ttl=until
            )
        for post in self.likes(reader_id):
            for kind in (Like, LikeTrace):
                yield kind.new(post_id=post.post_id, author_id=post.author_id, user_id=reader_id)

    def _said(self, number: int, author_id: str, least: int) -> Said:
        age = timedelta(days=random.uniform(least, DAYS))
        return Said(
            _id(self._now - age),
            author_id,
            TEXTS[number % len(TEXTS)],
            likes=number % 50,
            has_photo=random.randrange(PHOTO_EVERY) == 0,
        )


def _id(moment: datetime) -> str:
    return ids.id_at(moment, random.randbytes(10))
