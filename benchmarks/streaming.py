"""A table with its stream on, people who follow and post, and jobs run by hand: what the worker's benchmarks share."""

import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import orjson
from django.conf import settings
from pynamodb.constants import STREAM_NEW_AND_OLD_IMAGE

from accounts.models import UserCount, UserInfo, UserSettings
from accounts.people.viewer import Viewer
from accounts.sessions import today
from benchmarks import site
from benchmarks.data import batches
from benchmarks.raw_client import BATCH_WRITE_LIMIT, RawClient
from feed.posts.models import Post, TimelineEntry
from feed.posts.reads import timeline_end
from relations.models import Follower
from socialsite.engine import process
from socialsite.engine.dynoxide import DYNOXIDE, database_path
from socialsite.streams import Change, Job, JobKind, Ledger
from socialsite.streams.dispatch import dispatch, load_handlers
from socialsite.table import Item, NotFound, RawItem, create, get, ids, keys
from socialsite.table.connection import table_name
from socialsite.table.transport.requests import query_request


@contextmanager
def engine() -> Iterator[process.Engine]:
    """The benchmark's engine with an empty table that has its stream."""
    with site.engine() as running:
        Item.Meta.stream_view_type = STREAM_NEW_AND_OLD_IMAGE
        DYNOXIDE.complete(database_path(settings.DATA_DIR))
        site.make_table(table_name())
        load_handlers()
        yield running


def fill(raw: RawClient, items: Iterable[Item | RawItem]) -> None:
    plain = (item.serialize() if isinstance(item, Item) else item for item in items)
    for batch in batches(plain, BATCH_WRITE_LIMIT):
        raw.write(table_name(), batch)


def author(
    handle: str, followers: Sequence[str], *, seen: str | None = None
) -> tuple[Viewer, Iterator[Item]]:
    """Someone with followers, and the items of both that a fan-out reads. `seen` is the day in the edges."""
    user_id = ids.new_id()
    count = UserCount.new(user_id=user_id)
    count.followers = len(followers)
    own = [UserInfo.new(user_id=user_id, handle=handle, name=handle.title()), count]
    edges = (Follower.new(user_id=user_id, follower_id=one, seen=seen) for one in followers)
    return Viewer(user_id), itertools.chain(own, edges)


def people(size: int) -> tuple[list[str], list[Item]]:
    """Ids of people who are here today, in order, and their settings."""
    found = sorted(ids.new_id() for _ in range(size))
    return found, [UserSettings.new(user_id=user_id, seen=today()) for user_id in found]


def fan_out(author_id: str, *, at_once: int) -> float:
    """Seconds for fanning a post out by the job's handler, step after step, as its records call it."""
    settings.FAN_OUT_AT_ONCE = at_once
    began = time.perf_counter()
    post_id = ids.new_id()
    create(Post.new(post_id=post_id, author_id=author_id, content="Hello"))
    job = Job.new(
        kind=JobKind.FAN_OUT, job_id=post_id, subject_id=post_id, author_id=author_id, total=0
    )
    create(job)
    while True:
        dispatch(Change("MODIFY", None, job, "0"), Ledger())
        try:
            job = get(Job, job.key, consistent=True)
        except NotFound:
            return time.perf_counter() - began


class Prepared(RawClient):
    """Requests whose bytes are made beforehand: what the engine itself can take."""

    def entries(
        self, user_ids: Sequence[str], author_id: str
    ) -> list[tuple[bytes, dict[str, str]]]:
        post_id = ids.new_id()
        end = timeline_end(ids.time_of(post_id))
        made = []
        for batch in batches(
            (
                TimelineEntry.new(
                    user_id=user_id, post_id=post_id, author_id=author_id, ttl=end
                ).serialize()
                for user_id in user_ids
            ),
            BATCH_WRITE_LIMIT,  # as the job does
        ):
            asked = {table_name(): [{"PutRequest": {"Item": item}} for item in batch]}
            body = orjson.dumps({"RequestItems": asked, "ReturnConsumedCapacity": "TOTAL"})
            made.append((body, self._headers("DynamoDB_20120810.BatchWriteItem", body)))
        return made

    def send(self, requests: Sequence[tuple[bytes, dict[str, str]]]) -> None:
        for body, headers in requests:
            self._connection.request("POST", "/", body, headers)
            answer = self._connection.getresponse()
            said = answer.read()
            if answer.status != 200 or b'"UnprocessedItems":{}' not in said:
                raise RuntimeError(f"the engine took less than the whole batch: {said[:200]!r}")


def write_prepared(url: str, user_ids: Sequence[str], author_id: str, *, connections: int) -> float:
    """Seconds that the engine takes to write the entries, over so many connections."""
    share = -(-len(user_ids) // connections)
    clients = [Prepared(url) for _ in range(connections)]
    work: list[Any] = [
        client.entries(user_ids[number * share :][:share], author_id)
        for number, client in enumerate(clients)
    ]
    with ThreadPoolExecutor(connections) as pool:
        began = time.perf_counter()
        list(pool.map(Prepared.send, clients, work))
        return time.perf_counter() - began


def read_edges(url: str, author_id: str) -> float:
    """Seconds that the engine takes to tell who follows an author, asked as the job asks, without a model."""
    raw = RawClient(url)
    asked = query_request(keys.followers(author_id), consistent=True, limit=settings.FAN_OUT_STEP)
    began = time.perf_counter()
    while last := raw.call("Query", asked).get("LastEvaluatedKey"):
        asked["ExclusiveStartKey"] = last
    return time.perf_counter() - began
