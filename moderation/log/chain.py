"""Checks whether the audit log is whole: walks the chain from its first entry to the head and reports every fault.

Holds one entry at a time, so a log of any length can be checked. It also reads entries that are written meanwhile.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from accounts.encryption.site_keys import AUDIT_LOG, secrets_for
from moderation.log.writes import hash_of
from moderation.models import AuditEntry, AuditHead
from socialsite.clock import utc_now_iso
from socialsite.table import RawItem, access_pattern, fetch, keys, query, reading, row

FIRST_POSSIBLE_MONTH = "2025-01"  # no log is older than the code that writes it
MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
HASH = re.compile(r"[0-9a-f]{64}")
MAY_MISS = {"case", "person_id", "detail"}
MUST_BE = {
    *("PK", "SK", "type"),
    *("number", "at", "moderator_id", "action", "previous", "hash"),
}


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the chain: the number and hash of its last entry. Operators save it as `number:hash`."""

    number: int
    hash: str
    first_month: str = ""
    month: str = ""

    def __str__(self) -> str:
        return f"{self.number}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> "Head":
        """Reads `number:hash`. Raises `ValueError` for any other text."""
        number, _, digest = text.strip().partition(":")
        if not number.isdecimal() or not HASH.fullmatch(digest):
            raise ValueError(text)
        return cls(int(number), digest)


@access_pattern
def read_head() -> Head | None:
    """Returns where the log ends, None if it is empty. One consistent read, 1 read unit."""
    key = keys.audit_head()
    raw = fetch([key], consistent=True).get(key)
    if raw is None or raw["type"] != {"S": AuditHead.__name__}:
        return None
    head = row(AuditHead, raw)
    return Head(int(head.number), head.hash, head.first_month, head.month)


@access_pattern
def list_chain(month: str, *, after: int = 0) -> Iterator[RawItem]:
    """Yields a month's entries after a number, oldest first. Query consistent, 1 read unit per 4 KB."""
    start = keys.audit_entry(month, after) if after else None
    yield from query(keys.audit_entries(month), after=start, consistent=True)


@dataclass(slots=True)
class Walk:
    """A walk along the chain: how far it got, and one line for each fault."""

    noted: Head | None = None  # that an operator saved earlier
    number: int = 0
    hash: str = ""
    month: str = ""
    faults: list[str] = field(default_factory=list)
    _first_month: str = ""
    _true_hash: str = ""  # of the last entry, whatever it says itself
    _is_lost: bool = False  # the last entry's own hash cannot be known
    _met_noted: bool = False
    _secrets: list[bytes] = field(default_factory=lambda: list(secrets_for(AUDIT_LOG)))

    def steps(self) -> Iterator[int]:
        """Checks entry after entry, then the head. Yields the total number before each."""
        head = read_head()
        while True:
            before = self.number
            for raw, month in self._rest(head):
                yield head.number if head else 0
                self._look_at(raw, month)
            head = read_head()
            if head is None or head.number <= self.number or self.number == before:
                break  # at the end, or where the chain is broken off
        self._compare(head)

    def _rest(self, head: Head | None) -> Iterator[tuple[RawItem, str]]:
        now = utc_now_iso()[:7]
        begin, number = self.month, self.number
        for month in months_between(
            begin or FIRST_POSSIBLE_MONTH, max(now, head.month if head else "")
        ):
            for raw in list_chain(month, after=number if month == begin else 0):
                yield raw, month

    def _look_at(self, raw: RawItem, month: str) -> None:
        place = f"{month}, {raw['SK']['S']}"
        entry = _read(raw)
        if entry is None:
            self.faults.append(f"{place}: altered: no entry is written like this")
            self._pass_over(raw, month)
            return
        number = int(entry.number)
        if keys.audit_entry(entry.at[:7], number) != reading.key_of(raw):
            said = f"it says that it is number {number} of {entry.at[:7]}"
            self.faults.append(f"{place}: altered or moved: {said}")
            self._pass_over(raw, month)
            return
        place = f"{month}, number {number}"
        true_hash = self._hash_of(entry)
        if entry.hash != true_hash:
            self.faults.append(f"{place}: altered: its hash does not fit what it says")
        if number <= self.number:
            self.faults.append(f"{place}: forked: there was a number {number} before")
            return
        if number > self.number + 1:
            self.faults.append(f"{place}: dropped before it: {_span(self.number + 1, number - 1)}")
        elif entry.hash == true_hash and not self._follows(entry):
            self.faults.append(f"{place}: forked: it does not follow number {self.number}")
        if self.noted and self.noted.number == number:
            self._met_noted = True
            if self.noted.hash != entry.hash:
                self.faults.append(f"{place}: written anew: another hash was noted")
        self._first_month = self._first_month or month
        self.number, self.month = number, month
        self.hash, self._true_hash, self._is_lost = entry.hash, true_hash, False

    def _hash_of(self, entry: AuditEntry) -> str:
        """Returns the hash that the entry should have, made with the key it was written with."""
        hashes = [hash_of(entry, secret) for secret in self._secrets]
        return entry.hash if entry.hash in hashes else hashes[0]

    def _follows(self, entry: AuditEntry) -> bool:
        return self._is_lost or entry.previous in (self.hash, self._true_hash)

    def _pass_over(self, raw: RawItem, month: str) -> None:
        """Continues after an entry that leads nowhere, so that it counts as one fault and not several."""
        if reading.key_of(raw) == keys.audit_entry(month, self.number + 1):
            self._first_month = self._first_month or month
            self.number, self.month, self._is_lost = self.number + 1, month, True

    def _compare(self, head: Head | None) -> None:
        last = f"the last entry is {self.number}"
        if head is None and self.number:
            self.faults.append(f"the head is gone, {last}")
        elif head and head.number > self.number:
            self.faults.append(f"cut off at the end: the head says {head.number}, {last}")
        elif head and head.number < self.number:
            self.faults.append(f"the head was turned back: it says {head.number}, {last}")
        elif head and not self._is_lost and head.hash not in (self.hash, self._true_hash):
            self.faults.append("the head was altered: its hash is not that of the last entry")
        elif head and (head.first_month, head.month) != (self._first_month, self.month):
            self.faults.append("the head was altered: it names other months than the entries")
        if self.noted and not self._met_noted:
            self.faults.append(f"cut off: the noted head {self.noted.number} is not in the log")


def months_between(first: str, last: str) -> Iterator[str]:
    """Yields the months from the first to the last: `2026-11`, `2026-12`, and so on."""
    year, month = int(first[:4]), int(first[5:7])
    while f"{year:04}-{month:02}" <= last:
        yield f"{year:04}-{month:02}"
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)


def _read(raw: RawItem) -> AuditEntry | None:
    """Returns the entry, None if the site never writes such an item: unknown, missing or empty attributes, a number
    like 1.5."""
    names = set(raw)
    if not MUST_BE <= names <= MUST_BE | MAY_MISS:
        return None
    try:
        entry = reading.as_model(AuditEntry, raw)
    except Exception:  # an intruder can put anything there
        return None
    is_whole = raw["number"] == {"N": str(int(entry.number))}
    is_whole &= all(getattr(entry, name) for name in names & MAY_MISS)
    return entry if is_whole and MONTH.fullmatch(entry.at[:7]) else None


def _span(first: int, last: int) -> str:
    return f"number {first}" if first == last else f"numbers {first} to {last}"
