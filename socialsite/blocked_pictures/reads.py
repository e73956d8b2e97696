"""Whether a picture is on the list, and all that is on it.

A perceptual hash is found by its bands: 16 parts of 16 bits, an item each. Hashes that differ in up to 15 bits have a
band in common. Of those that differ in 16 to 31, which still count as near, 99 of 100 (at 24 bits) to 9 of 10 (at 31)
have one (`tests/pictures/test_blocked_pictures.py` measures it). So a look costs the same however long the list is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from socialsite.blocked_pictures.models import BlockedBand, BlockedPicture
from socialsite.pictures.pdq import NEAR, distance
from socialsite.table import Key, access_pattern, fetch, keys, query, row

DIGITS = 4  # of a band, hexadecimal


class HashKind(StrEnum):
    SHA256 = "sha256"
    MD5 = "md5"
    PDQ = "pdq"


LENGTHS = {HashKind.SHA256: 64, HashKind.MD5: 32, HashKind.PDQ: 64}


@dataclass(frozen=True, slots=True)
class Hashes:
    """What a picture is known by. The exact ones are of the file as it was uploaded, as in the lists of others: what
    was only saved again is found by the perceptual one, and hashes of decoded pixels are in no list. There are two
    perceptual ones where a picture was cropped."""

    sha256: str = ""
    md5: str = ""
    pdq: tuple[str, ...] = ()

    @property
    def named(self) -> list[tuple[HashKind, str]]:
        exact = [(HashKind.SHA256, self.sha256), (HashKind.MD5, self.md5)]
        return [
            *((kind, value) for kind, value in exact if value),
            *((HashKind.PDQ, one) for one in self.pdq),
        ]


def bands_of(pdq: str) -> list[Key]:
    """Returns the keys of the bands of a perceptual hash."""
    parts = (pdq[start : start + DIGITS] for start in range(0, len(pdq), DIGITS))
    return [keys.blocked_band(number, part) for number, part in enumerate(parts)]


@access_pattern
def is_blocked(hashes: Hashes) -> bool:
    """Whether one of the hashes is on the list, or near a perceptual one on it.

    One BatchGetItem of the exact hashes and 16 bands for each perceptual one, 0.5 read units each: 9 read units, 17 for
    a picture that is cropped. More where a band holds more than 4 KB.
    """
    exact = [keys.blocked_picture(kind, one) for kind, one in hashes.named if kind != HashKind.PDQ]
    bands = [key for one in hashes.pdq for key in bands_of(one)]
    found = fetch([*exact, *bands]) if exact or bands else {}
    if any(row(BlockedPicture, found.get(key, {})).holders for key in exact):
        return True
    near = {one for key in bands for one in row(BlockedBand, found.get(key, {})).hashes or ()}
    return any(distance(one, mine) <= NEAR for one in near for mine in hashes.pdq)


@dataclass(frozen=True, slots=True)
class Entry:
    """One hash on the list."""

    kind: HashKind
    value: str
    added_at: str
    holders: tuple[str, ...]


@access_pattern
def list_blocked() -> Iterator[Entry]:
    """Yields the whole list, for exports and commands. A Query of each of the 16 partitions, 0.5 read units per 4 KB,
    which is about 20 hashes."""
    for shard in range(keys.BLOCKED_SHARDS):
        for raw in query(keys.blocked_pictures(shard)):
            entry = row(BlockedPicture, raw)
            if entry.holders:
                yield Entry(HashKind(entry.kind), entry.value, entry.added_at, tuple(entry.holders))


@access_pattern
def which_are_held(hashes: Sequence[tuple[HashKind, str]]) -> list[tuple[HashKind, str]]:
    """Returns those of the hashes that are on the list as they are. One consistent BatchGetItem for each 100, 1 read
    unit each."""
    asked = {keys.blocked_picture(kind, value): (kind, value) for kind, value in hashes}
    found = fetch(asked, consistent=True) if asked else {}
    return [asked[key] for key, raw in found.items() if row(BlockedPicture, raw).holders]
