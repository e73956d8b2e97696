"""How long a post takes into its followers' timelines, as someone sees it who looks again and again."""

import random
import time
from collections.abc import Sequence

from accounts.people.viewer import Viewer
from benchmarks.raw_client import RawClient
from feed.publishing.writes import publish_post
from socialsite.streams import JobKind
from socialsite.streams.worker import POLL_EVERY
from socialsite.table import ids, keys, query
from socialsite.table.connection import table_name
from socialsite.table.transport.requests import wire

LOOK_EVERY = 0.004  # seconds
LOOKED_AT = 20  # followers of all, at even distances: more looks would be what is measured
PATIENCE = 60


def freshness(raw: RawClient, author: Viewer, followers: Sequence[str]) -> list[float]:
    """Posts at some moment between two polls of the worker; seconds until each follower has it, in their order."""
    time.sleep(random.uniform(0, POLL_EVERY))
    began = time.perf_counter()
    post_id = publish_post(by=author, content="How fresh is this?", nonce=ids.new_id())
    ages = []
    for follower_id in followers[:: max(1, len(followers) // LOOKED_AT)]:
        key = wire(keys.timeline_entry(follower_id, post_id, author.user_id))
        while "Item" not in raw.call("GetItem", {"TableName": table_name(), "Key": key}):
            if time.perf_counter() - began > PATIENCE:
                raise RuntimeError("the worker does not work")
            time.sleep(LOOK_EVERY)
        ages.append(time.perf_counter() - began)
    return ages


def job_is_open() -> bool:
    return any(
        True
        for partition in keys.job_partitions(JobKind.FAN_OUT)
        for _ in query(partition, limit=1)
    )
