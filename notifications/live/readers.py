"""The open pages of the site, and what is new for each: connections by what they watch.

News of a moment wait in each connection as names, so a flood is a few bytes, and a slow reader gets one line for
all of it. What was told in the last minute is kept, as a page was drawn a moment before it connected.
"""

import asyncio
import random
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from socialsite.keys import sign_ins, user
from socialsite.news import News, topic_of
from socialsite.observing import metrics

KEPT_SECONDS, MOST_KEPT = 60.0, 50_000
# A second's worth of people who may ask the site at once, and how long the last of a crowd waits.
AT_ONCE, LONGEST_WAIT = 200, 4.0
EVERYTHING = "any"  # what the reader missed nobody knows any more


class TooMany(Exception):
    """As many connections are open as may be, for all or from this address."""


@dataclass(slots=True, eq=False)
class Reader:
    """An open connection. `news` are the names that it has not been sent, `later` those that wait for its turn in a
    crowd; `wake` is set when there is something to do."""

    user_id: str
    secret_hash: str
    address: str
    topics: frozenset[bytes]
    news: set[str] = field(default_factory=set)
    later: set[str] = field(default_factory=set)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    must_prove: bool = False
    is_over: bool = False

    def tell(self, name: str) -> None:
        self.later.discard(name)
        self.news.add(name)
        self.wake.set()

    def tell_later(self, name: str, longest: float) -> None:
        """Tells it within these seconds. Until then the same news wait with it, so a flood is one timer."""
        if name not in self.later:
            self.later.add(name)
            pause = random.uniform(0, longest)
            asyncio.get_running_loop().call_later(pause, self.tell, name)

    def prove(self) -> None:
        """Has the sign-in looked at again."""
        self.must_prove = True
        self.wake.set()

    def end(self) -> None:
        self.is_over = True
        self.wake.set()


def own_topics(user_id: str) -> frozenset[bytes]:
    """Returns what everybody watches: their bell, home and conversations, and their own sign-ins."""
    return frozenset(
        (topic_of(News.BELL, user(user_id)), topic_of(News.SIGN_IN, sign_ins(user_id)))
    )


class Readers:
    """All open connections. It belongs to one loop, so nothing in it needs a lock."""

    def __init__(
        self,
        *,
        most: int,
        per_person: int,
        per_address: int,
        counted: metrics.Gauge = metrics.LIVE_OPEN,
    ) -> None:
        self.most, self.per_person, self.per_address = most, per_person, per_address
        self.counted = counted
        self._watching: dict[bytes, set[Reader]] = defaultdict(set)
        self._of_person: dict[str, list[Reader]] = defaultdict(list)
        self._of_address: dict[str, int] = defaultdict(int)
        self._recent: dict[tuple[bytes, News], float] = {}
        self._order: deque[tuple[float, bytes, News]] = deque()
        self._count = 0
        self.when_doubted: Callable[[bytes], None] = lambda topic: None

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Reader]:
        return (one for some in list(self._of_person.values()) for one in some)

    def must_have_room(self, address: str) -> None:
        """Raises `TooMany`."""
        if self._count >= self.most or self._of_address.get(address, 0) >= self.per_address:
            raise TooMany

    def add(self, reader: Reader, *, ago: float) -> None:
        """Enters a connection, and tells it what came since its page was drawn. Of a person with many connections the
        oldest ends: it is often one whose network went."""
        while len(own := self._of_person[reader.user_id]) >= self.per_person:
            self._leave(own[0])
        own.append(reader)
        self._of_address[reader.address] += 1
        self._count += 1
        for topic in reader.topics:
            self._watching[topic].add(reader)
        self.counted.set(self._count)
        self._catch_up(reader, ago)

    def remove(self, reader: Reader) -> None:
        own = self._of_person.get(reader.user_id, [])
        if reader not in own:
            return
        own.remove(reader)
        if not own:
            del self._of_person[reader.user_id]
        self._of_address[reader.address] -= 1
        if not self._of_address[reader.address]:
            del self._of_address[reader.address]
        self._count -= 1
        for topic in reader.topics:
            self._forget(reader, topic)
        self.counted.set(self._count)

    def make_room(self, reader: Reader, per_token: int) -> None:
        """Ends the oldest connections of the same sign-in, or token, so that with this one there are so many."""
        own = self._of_person.get(reader.user_id, [])
        same = [one for one in own if one.secret_hash == reader.secret_hash]
        for one in same[: max(0, len(same) + 1 - per_token)]:
            self._leave(one)

    def watch(self, reader: Reader, topic: bytes) -> None:
        """Has it hear of one more topic, unless it has ended meanwhile: nothing would take it out again."""
        if reader.is_over:
            return
        reader.topics |= {topic}
        self._watching[topic].add(reader)

    def unwatch(self, reader: Reader, topic: bytes) -> None:
        reader.topics -= {topic}
        self._forget(reader, topic)

    def hear(self, told: Iterable[tuple[News, bytes]]) -> None:
        """Tells those who watch. A crowd hears of it one after the other, as all will ask the site."""
        now = time.monotonic()
        for news, topic in told:
            if news == News.SIGN_IN:
                self.when_doubted(topic)
                for one in self._watching.get(topic, ()):
                    one.prove()
                continue
            if news != News.CHANGED:  # of what they show, readers who come have the newest
                self._keep(now, topic, news)
            # Of a post the reader must know which.
            name = f"{news} {topic.hex()}" if news == News.CHANGED else str(news)
            crowd = self._watching.get(topic, ())
            wait = min(LONGEST_WAIT, len(crowd) / AT_ONCE) if len(crowd) > AT_ONCE / 10 else 0
            for one in crowd:
                if wait:
                    one.tell_later(name, wait)
                else:
                    one.tell(name)

    def end_all(self) -> None:
        for one in self:
            one.end()

    def _forget(self, reader: Reader, topic: bytes) -> None:
        watching = self._watching[topic]
        watching.discard(reader)
        if not watching:
            del self._watching[topic]

    def _leave(self, reader: Reader) -> None:
        self.remove(reader)
        reader.end()

    def _catch_up(self, reader: Reader, ago: float) -> None:
        if ago > KEPT_SECONDS:
            reader.tell(EVERYTHING)
            return
        since = time.monotonic() - ago
        for topic in reader.topics:
            for news in News:
                if self._recent.get((topic, news), 0) >= since:
                    reader.tell(news)

    def _keep(self, now: float, topic: bytes, news: News) -> None:
        self._recent[topic, news] = now
        self._order.append((now, topic, news))
        while self._order and (
            self._order[0][0] < now - KEPT_SECONDS or len(self._order) > MOST_KEPT
        ):
            at, old, named = self._order.popleft()
            if self._recent.get((old, named)) == at:
                del self._recent[old, named]
