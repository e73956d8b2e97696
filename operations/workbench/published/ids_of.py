"""Ids for what the published model numbers. Addresses and times need ids of our own kind.

The same file gives the same ids: moments come from the file, the rest is a digest of the model's name, the kind and the
published id.
"""

import hashlib
from datetime import UTC, datetime, timedelta

from operations.workbench.published.reading import Named
from socialsite.table import ids

STEP = timedelta(seconds=1)


def ids_of_posts(named: Named, *, model: str) -> dict[str, str]:
    """Returns the id of each post: of the moment of its `timestamp`; of a post that is only named, a second after that
    of the next smaller number."""
    written = {
        post: datetime.fromtimestamp(int(raw["timestamp"]["S"]), UTC)
        for (_, post), raw in named.posts.items()
    }
    moment = _earliest(named)
    found = {}
    for post in sorted(named.authors, key=int):
        moment = written.get(post, moment + STEP)
        found[post] = _id(moment, model, "p", post)
    return found


def ids_of_people(named: Named, *, model: str) -> dict[str, str]:
    """Returns the id of each person: a millisecond apart in the order of their numbers, from a day before the oldest
    post."""
    first = _earliest(named) - timedelta(days=1)
    return {
        person: _id(first + timedelta(milliseconds=number), model, "u", person)
        for number, person in enumerate(sorted(named.people, key=int))
    }


def _earliest(named: Named) -> datetime:
    moments = [int(raw["timestamp"]["S"]) for raw in named.posts.values()]
    return datetime.fromtimestamp(min(moments, default=0) or 1_000_000_000, UTC)


def _id(moment: datetime, model: str, kind: str, published: str) -> str:
    digest = hashlib.sha256(f"{model} {kind} {published}".encode()).digest()
    return ids.id_at(moment, digest[:10])
