"""The stream of the new place begins with the copy itself, which has no effects that are not among it. So the worker
there is to begin behind it, as after any load (`bulk_load` in `socialsite/streams/worker.py`)."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from operations.moving.place import Place
from socialsite import keys
from socialsite.clock import utc_now
from socialsite.due.models import StreamHost
from socialsite.streams.leases import DONE_KEPT_FOR
from socialsite.streams.models import Lease
from socialsite.streams.shards import EMPTY_ANSWERS, LOCAL_EMPTY_ANSWERS, Stream, TrimmedData
from socialsite.table import RawItem, row

QUIET_FOR = timedelta(minutes=1)


class StreamThere(Stream):
    """The stream of another place's table."""

    def __init__(self, place: Place) -> None:
        # In place of what these would find out about this process's own table.
        self.__dict__ |= {"arn": place.stream_arn, "_client": place.stream_client}
        self._is_amazon = place.is_amazon

    @property
    def empty_answers(self) -> int:
        return EMPTY_ANSWERS if self._is_amazon else LOCAL_EMPTY_ANSWERS


@dataclass
class Checkpoints:
    """Reads the stream there while the copy goes on, so that little is left of it when the site is only read."""

    place: Place
    positions: dict[str, str] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)

    def follow(self) -> None:
        """Reads on, to the end of what there is now."""
        stream = StreamThere(self.place)
        for shard in stream.shards():
            if shard.shard_id not in self.closed:
                self._read(stream, shard.shard_id)

    def _read(self, stream: Stream, shard_id: str) -> None:
        iterator: str | None
        try:
            iterator = stream.iterator(shard_id, self.positions.get(shard_id, ""))
        except TrimmedData:
            iterator = stream.iterator(shard_id, "")
        empty = 0
        while iterator and empty < stream.empty_answers:
            records, iterator = stream.read(iterator)
            empty = 0 if records else empty + 1
            if records:
                self.positions[shard_id] = str(records[-1]["dynamodb"]["SequenceNumber"])
        if iterator is None:
            self.closed.add(shard_id)

    def write(self) -> None:
        """Lets the worker there begin behind what was read."""
        shards = [shard.shard_id for shard in StreamThere(self.place).shards()]
        before = self.place.get([keys.lease(shard_id) for shard_id in shards])
        for shard_id in shards:
            lease = _lease(
                shard_id,
                before.get(keys.lease(shard_id)),
                checkpoint=self.positions.get(shard_id, ""),
                is_done=shard_id in self.closed,
            )
            self.place.put(lease.serialize())


def _lease(shard_id: str, before: RawItem | None, *, checkpoint: str, is_done: bool) -> Lease:
    return Lease(
        *keys.lease(shard_id),
        shard_id=shard_id,
        epoch=row(Lease, before).epoch + 1
        if before
        else 0,  # an owner of before never commits again
        checkpoint=checkpoint,
        is_done=int(is_done),
        ttl=utc_now() + DONE_KEPT_FOR if is_done else None,
    )


def who_works(place: Place) -> str:
    """Returns which process of a site has been at work there within a minute, empty if none has."""
    after = utc_now() - QUIET_FOR
    shards = [keys.lease(shard.shard_id) for shard in StreamThere(place).shards()]
    found = place.get([*shards, keys.stream_host()])
    host = row(StreamHost, found.pop(keys.stream_host(), {}))
    leases = [row(Lease, raw) for raw in found.values()]
    if any(one.owner and _is_after(one.beaten_at, after) for one in leases):
        return "a worker"
    if _is_after(host.beaten_at, after):
        return "the worker under Lambda"
    return "a clock" if _is_after(host.clock_beaten_at, after) else ""


def _is_after(beaten: str | None, moment: datetime) -> bool:
    return bool(beaten) and datetime.fromisoformat(str(beaten)) > moment
