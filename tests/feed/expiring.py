"""Posts that end by themselves, and a clock that tests move."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from accounts.models import UserCount, end_text
from accounts.people.reads import get_user_info
from accounts.people.viewer import VISITOR, Viewer
from feed.posts.models import LikeCount, Post, ThreadGate
from feed.publishing.writes import publish_post
from socialsite import clock
from socialsite.table import (
    RawItem,
    change,
    get,
    ids,
    is_expired,
    key_of,
    keys,
    reading,
    write_batch,
)
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan
from socialsite.table.transport.requests import wire

SECOND = timedelta(seconds=1)


def ending_post(author: Viewer, content: str = "For an hour", **wish: Any) -> str:
    """Publishes a post that ends in an hour, if `wish` says nothing else."""
    wish = {"expires_in": "1h", "nonce": ids.new_id()} | wish
    return publish_post(by=author, content=content, **wish)


def end_of(author: Viewer, post_id: str) -> datetime:
    end = get(Post, keys.post(author.user_id, post_id), consistent=True).ttl
    assert end is not None
    return end


def posts_shown(author: Viewer, viewer: Viewer = VISITOR) -> int | None:
    """The number of posts on the page of a person."""
    return get_user_info(author.user_id, viewer=viewer).posts


@contextmanager
def clock_at(moment: datetime) -> Iterator[None]:
    """Until the end of the block it is this moment, for whatever asks the site's clock or what is expired."""
    utc_now = clock.utc_now
    with pytest.MonkeyPatch.context() as patch:
        for module in list(sys.modules.values()):
            if getattr(module, "utc_now", None) is utc_now:
                patch.setattr(module, "utc_now", lambda: moment)
        stopped = SimpleNamespace(time=moment.timestamp, monotonic=time.monotonic, sleep=time.sleep)
        patch.setattr(reading, "time", stopped)
        yield


def remove_expired() -> list[RawItem]:
    """Deletes what is past its time, as the engine's owner does, in an order that nobody may rely on."""
    gone = sorted(filter(is_expired, scan()), key=lambda raw: hash(key_of(raw)))
    for raw in gone:
        client().delete_item(TableName=table_name(), Key=wire(key_of(raw)))
    return gone


def end_now(author_id: str, post_id: str) -> None:
    """Moves the end of a post to a second ago, in all items that have it, where a test cannot move the clock."""
    past = datetime.now(UTC).replace(microsecond=0) - SECOND
    change(Post, keys.post(author_id, post_id), [Post.ttl.set(past)])
    change(LikeCount, keys.like_count(post_id), [LikeCount.ttl.set(past)])
    root_ends = [ThreadGate.root_ends.set(int(past.timestamp()))]
    change(ThreadGate, keys.thread_gate(post_id), root_ends)
    key = keys.user_count(author_id)
    count = get(UserCount, key, consistent=True)
    others = {end for end in count.ends or () if post_id not in end}
    change(UserCount, key, [UserCount.ends.set({*others, end_text(past, post_id)})])


def let_go(author_id: str, post_id: str) -> None:
    """Deletes a post and its counts as the table does with what is past its time, one item after the other."""
    for key in (keys.like_count(post_id), keys.post(author_id, post_id)):
        write_batch(deletes=[key])
