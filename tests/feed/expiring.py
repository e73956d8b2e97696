"""Posts that end by themselves, and a clock that tests move."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from accounts.viewer import Viewer
from feed.models import Post
from feed.services.publish_post import publish_post
from socialsite import clock
from socialsite.table import ids, keys, reading
from socialsite.table.connection import client, table_name
from socialsite.table.reading import RawItem, get, is_expired, key_of, scan, wire

SECOND = timedelta(seconds=1)


def ending_post(author: Viewer, content: str = "For an hour", **wish: Any) -> str:
    """Publishes a post that ends in an hour, if `wish` says nothing else."""
    wish = {"expires_in": "1h", "nonce": ids.new_id()} | wish
    return publish_post(by=author, content=content, **wish)


def end_of(author: Viewer, post_id: str) -> datetime:
    end = get(Post, keys.post(author.user_id, post_id), consistent=True).ttl
    assert end is not None
    return end


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


def now() -> datetime:
    return datetime.now(UTC)
