"""What must always hold for people's own items: none is missing, every claim leads to the person who holds it, each
passkey has its claim, and Credentials count them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta

from accounts.models import (
    Credentials,
    DomainEntry,
    EmailClaim,
    HandleClaim,
    Origin,
    OriginTrace,
    Passkey,
    PasskeyClaim,
    PersonKey,
    UserCount,
    UserInfo,
    UserSettings,
)
from accounts.people.reads import former_handles
from accounts.sign_in.browsers import DAYS
from socialsite.clock import utc_now, utc_now_iso
from socialsite.invariants import must_hold
from socialsite.table import Item, Key, keys


@must_hold
@dataclass
class PeopleInvariants:
    """Give it every item with `add`, then ask for `results`."""

    handle_of: dict[str, str] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    claims: dict[str, str] = field(default_factory=dict)  # the owner of each handle
    former: dict[str, str] = field(default_factory=dict)  # the same of former ones
    endless: list[str] = field(default_factory=list)  # former ones that would stay for ever
    listed: dict[str, str] = field(default_factory=dict)  # former ones, as their people list them
    email_claims: Counter[str] = field(default_factory=Counter)  # of those that are not only kept
    domains: Counter[str] = field(default_factory=Counter)  # entries of the domains of addresses
    confirmed: set[str] = field(default_factory=set)  # with a confirmed address
    unconfirmed: set[str] = field(default_factory=set)  # by their settings
    epochs: dict[str, set[int]] = field(default_factory=dict)  # in credentials and settings
    leaving: set[str] = field(default_factory=set)  # their claims go before they do
    keys: set[str] = field(default_factory=set)  # whose key is there
    sealed: set[str] = field(default_factory=set)  # whose values need one
    unsealed: list[str] = field(default_factory=list)  # whose values are from before

    def add(self, item: Item) -> None:
        match item:
            case UserInfo():
                self.handle_of[item.user_id] = item.handle
                if item.closing and item.closing <= utc_now_iso():
                    self.leaving.add(item.user_id)
            case UserCount():
                self.counted.add(item.user_id)
            case HandleClaim():
                self._add_claim(item)
            case EmailClaim() if item.ttl is None:
                self.email_claims[item.user_id] += 1
            case DomainEntry():
                self.domains[item.user_id] += 1
            case PersonKey():
                self.keys.add(item.user_id)
            case Credentials() | UserSettings():
                if isinstance(item, UserSettings):
                    self.listed |= {one.handle: item.user_id for one in former_handles(item)}
                self.epochs.setdefault(item.user_id, set()).add(int(item.epoch or 0))
        if isinstance(item, Credentials):
            self._add_credentials(item)
        if isinstance(item, UserSettings) and item.unconfirmed:
            self.unconfirmed.add(item.user_id)

    def _add_credentials(self, item: Credentials) -> None:
        self.sealed.add(item.user_id)
        if item.email:
            self.confirmed.add(item.user_id)
        values = item.email, item.wished_email, item.totp
        if any(isinstance(value, str) for value in values):
            self.unsealed.append(item.user_id)

    def _add_claim(self, item: HandleClaim) -> None:
        if not item.former:
            self.claims[item.handle] = item.user_id
        elif item.ttl is None:
            self.endless.append(item.handle)
        elif item.ttl > utc_now() and item.user_id:  # those of erased people lead to nobody
            self.former[item.handle] = item.user_id

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        people = self.handle_of.keys()
        return {
            "every person has info, counts and handle": sorted(
                ((people ^ self.counted) | (people ^ set(self.claims.values()))) - self.leaving
            ),
            "every confirmed address has one claim, and every claim its account": sorted(
                (self.confirmed ^ self.email_claims.keys()) - self.leaving
                | {user_id for user_id, claims in self.email_claims.items() if claims > 1}
            ),
            # `manage.py reencrypt` lists those who confirmed theirs in an earlier version.
            "every confirmed address is listed under its domain, once": sorted(
                (self.confirmed ^ self.domains.keys()) - self.leaving
                | {user_id for user_id, entries in self.domains.items() if entries > 1}
            ),
            "people are either confirmed or not": sorted(self.confirmed & self.unconfirmed),
            "handles lead to their person": [
                handle
                for handle, user_id in self.claims.items()
                if self.handle_of.get(user_id) != handle
            ],
            "private values are sealed with a key that is there": sorted(
                {*self.unsealed, *(self.keys ^ self.sealed)}
            ),
            "former handles expire, and their people list them": self.endless
            + sorted(
                handle
                for handle, user_id in self.former.items() ^ self.listed.items()
                if user_id in people - self.leaving  # the list goes with the person
            ),
            "credentials and settings are of one epoch": [
                user_id for user_id, found in self.epochs.items() if len(found) > 1
            ],
        }


@must_hold
@dataclass
class OriginInvariants:
    """Where people signed in from: each entry has its trace, and ends in time."""

    entries: set[Key] = field(default_factory=set)
    traced: set[Key] = field(default_factory=set)  # the entries that traces lead to
    endless: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        match item:
            case Origin():
                self._add(item, item.key, self.entries)
            case OriginTrace():
                where = keys.origin(item.kind, item.hmac, item.user_id)
                self._add(item, where, self.traced)

    def _add(self, item: Item, key: Key, keys_found: set[Key]) -> None:
        now = utc_now()
        if item.ttl is None or item.ttl > now + timedelta(days=DAYS, minutes=1):
            self.endless.append(f"{item.pk} / {item.sk}")
        elif item.ttl > now:
            keys_found.add(key)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {
            "every origin has its trace, and every trace its origin": sorted(
                f"{key.pk} / {key.sk}" for key in self.entries ^ self.traced
            ),
            "origins end within 90 days": sorted(self.endless),
        }


def wrong_counts(stored: Mapping[str, int], counted: Mapping[str, int]) -> Iterator[str]:
    """Returns a line for each person whose stored count differs from what was counted."""
    for user_id, count in stored.items():
        if count != counted.get(user_id, 0):
            yield f"{user_id}: {count}, {counted.get(user_id, 0)} counted"


@must_hold
@dataclass
class PasskeyInvariants:
    """Give it every item with `add`, then ask for `results`."""

    passkeys: set[tuple[str, str]] = field(default_factory=set)  # with the person
    claims: set[tuple[str, str]] = field(default_factory=set)
    stored_counts: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item) -> None:
        match item:
            case Passkey():
                self.passkeys.add((item.credential_hash, item.user_id))
            case PasskeyClaim():
                self.claims.add((item.credential_hash, item.user_id))
            case Credentials():
                self.stored_counts[item.user_id] = int(item.passkeys or 0)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        counted = Counter(user_id for _, user_id in self.passkeys)
        return {
            "each passkey has its claim": sorted(one for one, _ in self.passkeys ^ self.claims),
            "passkeys are counted": list(wrong_counts(self.stored_counts, counted)),
        }
