"""The vital sign of sign-ups: how many there were in the last hour."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice

from django.conf import settings

from socialsite.clock import utc_now
from socialsite.table import access_pattern, ids, keys, query
from socialsite.vital_signs import Vital, vital_signs

MOST_COUNTED = 500  # of a shard, from where on it is a flood for any site


@vital_signs()
def of_sign_ups() -> Iterator[Vital]:
    """As `count_sign_ups`."""
    yield Vital("sign_ups_an_hour", "People who signed up in the last hour", count_sign_ups())
    most = settings.ALARM_SIGN_UPS
    yield Vital("sign_ups_an_hour_most", "As many are usual (ALARM_SIGN_UPS)", most)


@access_pattern
def count_sign_ups() -> int:
    """Returns how many people signed up in the last hour, at most 500 of each shard. In the first hour of a month only
    those of that month count.

    A Query of each of 4 shards, 0.5 read units per 4 KB: 2 read units on a usual day.
    """
    now = utc_now()
    since = max(now - timedelta(hours=1), now.replace(day=1, hour=0, minute=0, second=0))
    between = keys.new_people_since(ids.first_id_at(since))
    return sum(
        1
        for shard in range(keys.PEOPLE_SHARDS)
        for _ in islice(
            query(
                keys.new_people(f"{now:%Y-%m}", shard),
                between=between,
                forward=False,
                limit=MOST_COUNTED,
            ),
            MOST_COUNTED,
        )
    )
