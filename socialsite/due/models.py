"""What waits for a time, and the sign of life of those who do such work."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import Item, keys


class StreamHost(Item, discriminator="StreamHost"):
    """Whether our workers or Lambda read the stream (`socialsite/streams/hosts.py`). For Lambda also when it last
    did, and how many seconds behind it was; and the same of the clock beside it (`socialsite/due/clock.py`), with since
    when no letter has gone out, if the last ones failed."""

    host = UnicodeAttribute()
    beaten_at = UnicodeAttribute(null=True)
    lag = NumberAttribute(default=0)
    clock_beaten_at = UnicodeAttribute(null=True)
    clock_lag = NumberAttribute(default=0)
    letters_fail_since = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, host: str) -> Self:
        return cls(*keys.stream_host(), host=host)


class PushHost(Item, discriminator="PushHost"):
    """Which process sends the pushes, and until when it may: others stand by. `public` is the key that browsers are
    given, whose other half signs what it sends, `lag` how many seconds late the oldest push was that it found. One that
    has not written for long is gone."""

    owner = UnicodeAttribute()
    until = UnicodeAttribute()
    public = UnicodeAttribute()
    lag = NumberAttribute(default=0)


class Due(Item, discriminator="Due"):
    """Work that the worker does at a moment (`socialsite/due/`). `facts` is what it needs to know, `tries` how often it
    was taken up."""

    kind = UnicodeAttribute()
    moment = UnicodeAttribute()
    subject = UnicodeAttribute()
    facts = JSONAttribute(default=dict)
    tries = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, kind: str, moment: datetime, subject: str, facts: dict[str, str]) -> Self:
        key = keys.due(moment, kind, subject)
        return cls(*key, kind=kind, moment=moment.isoformat(), subject=subject, facts=facts)
