"""The passkeys of a person, as pages show them and as browsers are told of them."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Self

from accounts.models import Credentials, Passkey
from accounts.signing_in.second_factor import SecondFactor
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, query
from socialsite.table.row import row
from socialsite.texts.unseen import isolated

MOST_PASSKEYS = 20


@dataclass(frozen=True, slots=True)
class PasskeyRow:
    """One passkey. `used` is None until it was used, and `is_synced` says that it is on other devices too."""

    credential_hash: str
    credential_id: str
    transports: tuple[str, ...]
    name: str
    added: date
    used: date | None
    is_synced: bool

    @classmethod
    def from_raw(cls, raw: RawItem) -> Self:
        """Builds it from a raw `Passkey`."""
        passkey = row(Passkey, raw)
        return cls(
            credential_hash=passkey.credential_hash,
            credential_id=passkey.credential_id,
            transports=tuple(passkey.transports),
            name=isolated(passkey.name),
            added=datetime.fromisoformat(passkey.created).date(),
            used=datetime.fromisoformat(passkey.used).date() if passkey.used else None,
            is_synced=passkey.backed_up,
        )


@dataclass(frozen=True, slots=True)
class Keyring:
    """Someone's passkeys, the oldest first, with their two-step verification. `user_handle` is empty before the first
    passkey."""

    factor: SecondFactor
    user_handle: str = ""
    passkeys: tuple[PasskeyRow, ...] = ()

    @property
    def is_full(self) -> bool:
        return len(self.passkeys) >= MOST_PASSKEYS

    def find(self, credential_hash: str) -> PasskeyRow:
        """Returns one of them. Raises `NotFound`."""
        for passkey in self.passkeys:
            if passkey.credential_hash == credential_hash:
                return passkey
        raise NotFound("no such passkey")


@access_pattern
def get_keyring(user_id: str) -> Keyring:
    """Returns someone's passkeys. One consistent Query of `u#<id>#auth`, which holds Credentials too: 1 read unit for
    each 8 or so."""
    raws = list(query(keys.ways_in(user_id), consistent=True))
    place = keys.credentials(user_id).sk
    credentials = next((raw for raw in raws if raw["SK"]["S"] == place), {})
    passkeys = [raw for raw in raws if raw["SK"]["S"] != place]
    passkeys.sort(key=lambda raw: row(Passkey, raw).created)
    return Keyring(
        SecondFactor.from_raw(user_id, credentials),
        row(Credentials, credentials).user_handle,
        tuple(map(PasskeyRow.from_raw, passkeys)),
    )
