"""What the benchmark's tables hold: three viewers, the thousand people they follow, and strangers to any
number. Everyone has a picture of themselves, and one post in five a photo."""

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from accounts.models import SignIn, UserCount, UserInfo
from accounts.sessions import hash_secret, today
from feed.likes.models import Like
from feed.posts.models import LikeCount, LikeTrace, Post, PostPhoto, TimelineEntry
from relations.models import Follower, Following
from socialsite.table import Item, RawItem, ids

PEOPLE = 1000
FOLLOWED = (10, 100, 1000)
MOST_SAID = 5  # posts of each of the first ten people; the others have one each
LIKED_EVERY = 7
PHOTO_EVERY = 5
SECRET = "the secret in a viewer's cookie"
TEXTS = (
    "The tram was late again, so I walked along the river and saw the first swallows of the year.",
    "@person7 the recipe works with oat milk too. Two more minutes in the oven & it is perfect.",
    "Reading about how lighthouses were run: https://example.org/lighthouses/keepers?page=2 (long, but worth it).",
    "Does anybody have a good way to keep basil alive in winter? Mine gives up every January.",
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A post, by its place."""

    post_id: str
    author_id: str
    content: str
    has_photo: bool = False


class Society:
    """The same people, posts and ids for every table that is filled from it."""

    def __init__(self) -> None:
        self._now = datetime.now(UTC)
        self._until = self._now + timedelta(days=30)
        long_ago = self._now - timedelta(days=400)
        self.people = [_id(long_ago + timedelta(hours=hour)) for hour in range(PEOPLE)]
        self.viewers = {count: _id(long_ago) for count in FOLLOWED}
        self._posts = self._make_posts()
        self._strangers = itertools.count()

    def items(self) -> Iterator[RawItem]:
        """What the viewers' pages are made of."""
        for number, user_id in enumerate(self.people):
            yield from self._person(user_id, f"person{number}", f"Person {number} Lindqvist")
        for count, user_id in self.viewers.items():
            yield from self._person(user_id, f"viewer{count}", f"Viewer {count}")
            yield from self._viewer(count, user_id)
        for post in self._posts:
            yield from self._post(post, likes=len(post.post_id + post.content) % 50)

    def strangers(self) -> Iterator[RawItem]:
        """Yields people no viewer follows, and their posts, without end."""
        for number in self._strangers:
            user_id, post_id = ids.new_id(), ids.new_id()
            yield from self._person(user_id, f"stranger{number}", f"Stranger {number}")
            post = Spoken(post_id, user_id, TEXTS[number % len(TEXTS)])
            yield from self._post(post, likes=number % 50)
            for _ in range(6):
                yield self._entry(ids.new_id(), post)

    def _make_posts(self) -> list[Spoken]:
        posts = []
        for wave in range(MOST_SAID):
            authors = self.people if wave == 0 else self.people[: min(FOLLOWED)]
            for number, author_id in enumerate(authors):
                # A page of anyone who follows twenty has twenty authors: all speak once before the first ten do again.
                moment = self._now - timedelta(minutes=wave * 7000 + number * 5 + 3)
                content = TEXTS[number % len(TEXTS)]
                posts.append(Spoken(_id(moment), author_id, content, number % PHOTO_EVERY == 0))
        return posts

    def _person(self, user_id: str, handle: str, name: str) -> Iterator[RawItem]:
        info = UserInfo.new(user_id=user_id, handle=handle, name=name)
        info.bio = "Walks, bread, old maps. Mostly here for the pictures of other people's gardens."
        info.location = "Uppsala"
        info.avatar = avatar_of(user_id)
        yield _raw(info)
        yield _raw(UserCount.new(user_id=user_id))

    def _viewer(self, count: int, user_id: str) -> Iterator[RawItem]:
        followed = self.people[:count]
        for other in followed:
            yield _raw(Following.new(user_id=user_id, followed_id=other))
            yield _raw(Follower.new(user_id=other, follower_id=user_id))
        yield _raw(
            SignIn.new(
                user_id=user_id,
                secret_hash=hash_secret(SECRET),
                browser="benchmark",
                seen=today(),
                ttl=self._until,
                epoch=0,
            )
        )
        known = set(followed)
        for number, post in enumerate(post for post in self._posts if post.author_id in known):
            yield self._entry(user_id, post)
            if number % LIKED_EVERY == 0:
                for kind in (Like, LikeTrace):
                    yield _raw(
                        kind.new(post_id=post.post_id, author_id=post.author_id, user_id=user_id)
                    )

    def _post(self, post: Spoken, *, likes: int) -> Iterator[RawItem]:
        yield _raw(
            Post.new(
                post_id=post.post_id,
                author_id=post.author_id,
                content=post.content,
                photos=[photo_of(post.post_id)] if post.has_photo else (),
            )
        )
        count = LikeCount.new(post_id=post.post_id)
        count.likes = likes
        yield _raw(count)

    def _entry(self, user_id: str, post: Spoken) -> RawItem:
        return _raw(
            TimelineEntry.new(
                user_id=user_id, post_id=post.post_id, author_id=post.author_id, ttl=self._until
            )
        )


def avatar_of(user_id: str) -> str:
    """Returns the name of a picture that nobody fetches here."""
    return f"avatars/{user_id}.webp"


def photo_of(post_id: str) -> PostPhoto:
    """Returns a photo that everyone may see, as its post holds it."""
    return PostPhoto(
        photo_id=post_id,
        secret=f"s{post_id}",
        width=2048,
        height=1536,
        thumbhash="1QcSHQRnh493V4dIh4eXh1h4kJUI",
        alt="A wooden jetty in fog, with two rowing boats tied to it.",
        public_secret=f"p{post_id}",
    )


def batches(items: Iterator[RawItem], size: int) -> Iterator[Sequence[RawItem]]:
    while batch := list(itertools.islice(items, size)):
        yield batch


def _id(moment: datetime) -> str:
    return ids.id_at(moment, random.randbytes(10))


def _raw(item: Item) -> RawItem:
    raw: RawItem = item.serialize()
    return raw
