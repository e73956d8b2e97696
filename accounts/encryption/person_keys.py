"""Each person's own data key, with which their private values are sealed.

The table holds it wrapped by a master key (`masters.py`). Erasing it makes every value that was sealed with it
unreadable, in the table and in each copy of the table, once the master key of that time is gone too.
"""

from dataclasses import dataclass, field
from functools import cached_property

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from accounts.encryption import sealed_values
from accounts.encryption.key_cache import KeyCache
from accounts.encryption.masters import context_of, current_master, master_of
from accounts.models.person_keys import PersonKey
from socialsite.table import keys
from socialsite.table.actions import Check, Create, Erase
from socialsite.table.errors import NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact

FIRST_GENERATION = 1
SEALED_VALUES = "sealed values"


class NoPersonKey(NotFound):
    """The person has no key: it was erased, or they are from before people had keys."""


@dataclass(frozen=True)
class OpenKey:
    """Someone's key, unwrapped. Values that it seals carry its `generation`."""

    user_id: str
    generation: int
    secret: bytes = field(repr=False)

    @cached_property
    def _cipher(self) -> AESGCM:
        return sealed_values.cipher_for(self.secret, SEALED_VALUES)

    def seal(self, text: str, *, key: Key, attribute: str) -> bytes:
        """Seals a text for one attribute of the item at `key`. The transaction that writes it includes `check()`."""
        return sealed_values.seal(
            text, cipher=self._cipher, generation=self.generation, key=key, attribute=attribute
        )

    def unseal(self, sealed: bytes, *, key: Key, attribute: str) -> str:
        """Returns the text. Raises `cryptography.exceptions.InvalidTag` if it was altered, or sealed for another place
        or with another key."""
        return sealed_values.unseal(
            sealed,
            cipher=self._cipher,
            generation=self.generation,
            key=key,
            attribute=attribute,
        )

    def check(self) -> Check:
        """Returns the condition that the key is still there, so that nobody seals with an erased key."""
        same = PersonKey.generation == self.generation
        return Check(keys.person_key(self.user_id), same, NoPersonKey)


_open: KeyCache[OpenKey] = KeyCache()


def new_person_key(user_id: str) -> tuple[OpenKey, Create]:
    """Returns a new key, and the action that stores it, for the transaction that creates the person."""
    master = current_master()
    secret, wrapped = master.new_secret(context_of(user_id))
    stored = PersonKey.new(
        user_id=user_id, wrapped=wrapped, master=master.id, generation=FIRST_GENERATION
    )
    return OpenKey(user_id, FIRST_GENERATION, secret), Create(stored)


@access_pattern
def open_person_key(user_id: str, *, consistent: bool = False) -> OpenKey:
    """Returns someone's key. Raises `NoPersonKey`, and `cryptography.exceptions.InvalidTag` if no master key of the
    settings fits.

    GetItem, 0.5 read units, 1 if consistent; nothing for a minute after that.
    """
    kept = _open.get(user_id)
    if kept is None:
        kept = _read(user_id, consistent=consistent)
        _open.keep(user_id, kept)
    return kept


@access_pattern
def erase_person_key(user_id: str) -> None:
    """Deletes someone's key, for ever: the last step of erasing a person. Safe to repeat. 2 write units."""
    transact(erasing_person_key(user_id))
    _open.forget(user_id)


def erasing_person_key(user_id: str) -> Erase:
    """Returns the action that deletes someone's key, for the transaction that ends their erasure."""
    return Erase(keys.person_key(user_id))


def forget_open_keys() -> None:
    """Forgets the keys that this process has unwrapped. For tests."""
    _open.forget_all()


def _read(user_id: str, *, consistent: bool) -> OpenKey:
    try:
        stored = get(PersonKey, keys.person_key(user_id), consistent=consistent)
    except NotFound as error:
        raise NoPersonKey(user_id) from error
    secret = master_of(stored.master).unwrap(stored.wrapped, context_of(user_id))
    return OpenKey(user_id, int(stored.generation), secret)
