"""Timelines filled without the worker, hot posts, and authors whose posts are pulled."""

import os
from datetime import UTC, datetime, timedelta

from accounts.models import PULLED, UserInfo
from accounts.people.viewer import Viewer
from feed.posts.models import LikeCount, Poll, Post, TimelineEntry
from feed.timelines.big_authors import get_news, learn_to_pull
from feed.timelines.local import day_of, shard_of
from feed.timelines.models import PublicEntry
from relations.follows.writes import follow
from relations.models import Following
from socialsite.table import Item, change, get, ids, keys, query, write_batch
from tests.conftest import person
from tests.streams.crowd import returning

FUTURE = timedelta(days=20)


def authors(size: int) -> list[UserInfo]:
    """People with the least that a page of their posts needs."""
    return [
        UserInfo.new(user_id=ids.new_id(), handle=f"author_{number}", name=f"Author {number}")
        for number in range(size)
    ]


def follow_all(viewer, people: list[UserInfo]) -> None:
    write_batch(
        puts=[Following.new(user_id=viewer.user_id, followed_id=one.user_id) for one in people]
    )


def fill_home(
    viewer, people: list[UserInfo], *, each: int = 1, poll: Poll | None = None
) -> list[str]:
    """Every author's posts in a home timeline, newest first."""
    items: list[Item] = list(people)
    posts: list[str] = []
    for _ in range(each):
        for author in people:
            post_id = ids.new_id()
            items += _post(author.user_id, post_id, poll)
            items.append(_entry(viewer.user_id, post_id, author.user_id, FUTURE))
            posts.append(post_id)
    write_batch(puts=items)
    return posts[::-1]


def point_at(viewer, post_id: str, author_id: str, *, lasts: timedelta = FUTURE) -> None:
    """A pointer in someone's home timeline, as the worker's fan-out writes it."""
    write_batch(puts=[_entry(viewer.user_id, post_id, author_id, lasts)])


def fill_local(author_id: str, moments: list[datetime]) -> list[str]:
    """Posts of these moments in the local timeline; their ids in the given order."""
    posts = [ids.id_at(moment, os.urandom(10)) for moment in moments]
    items: list[Item] = []
    for post_id in posts:
        items += _post(author_id, post_id)
        end = datetime.now(UTC) + FUTURE
        where = {"day": day_of(post_id), "shard": shard_of(post_id)}
        items.append(PublicEntry.new(**where, post_id=post_id, author_id=author_id, ttl=end))
    write_batch(puts=items)
    return posts


def _post(author_id: str, post_id: str, poll: Poll | None = None) -> list[Item]:
    post = Post.new(post_id=post_id, author_id=author_id, content=f"I am {post_id}", poll=poll)
    return [post, LikeCount.new(post_id=post_id)]


def _entry(user_id: str, post_id: str, author_id: str, lasts: timedelta) -> TimelineEntry:
    end = datetime.now(UTC) + lasts
    return TimelineEntry.new(user_id=user_id, post_id=post_id, author_id=author_id, ttl=end)


def posting(count: int) -> list[str]:
    """So many people posted, each a minute before the other; the newest first."""
    handles = [f"author{number:02}" for number in range(count)]
    for number, handle in enumerate(handles):
        fill_local(person(handle).user_id, [datetime.now(UTC) - timedelta(minutes=number + 1)])
    return handles


# Readers of widely followed authors, and what of them is in their timelines.


def pull(reader: Viewer, *authors: Viewer) -> None:
    for author in authors:
        change(UserInfo, keys.user_info(author.user_id), [UserInfo.reading.set(PULLED)])
        follow(by=reader, user_id=author.user_id)
        learn_to_pull(reader.user_id, author.user_id)


def entries_of(reader: Viewer) -> list[str]:
    rows = query(keys.timeline(reader.user_id), forward=False)
    return [raw["post_id"]["S"] for raw in rows]


def news_of(reader: Viewer) -> list[str]:
    return [raw["post_id"]["S"] for raw in get_news(returning(reader)).entries]


# Over how many shards a post's likes are spread, looked up and set by hand.


def shards_of(post_id: str, author: Viewer) -> int:
    return int(get(Post, keys.post(author.user_id, post_id), consistent=True).like_shards or 0)


def raise_to(shards: int | None, post_id: str, author: Viewer) -> None:
    raised = Post.like_shards.set(shards) if shards else Post.like_shards.remove()
    change(Post, keys.post(author.user_id, post_id), [raised])
