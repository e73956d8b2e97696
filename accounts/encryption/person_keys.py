"""Each person's own data key, with which their private values are sealed.

The table holds it wrapped by a master key, which never leaves its place: the settings, or AWS KMS, which wraps and
unwraps each key itself, checks the context of each request, and says in its own log which role asked for whose key. A
wrapped key can be unwrapped only with the context that it was wrapped with: the scope and the person. A master key
has an id, which stands beside each key that it wrapped, so that several can be in use while one replaces another;
wrapping all keys anew lets the earlier ones be destroyed. The keys of people with a role may have a master key of their
own (`KMS_KEY_OF_STAFF`). Only those that the settings name are used: an item cannot
choose another. Erasing a person's key makes every value that was sealed with it unreadable, in the table and in each
copy of the table, once the master key of that time is gone too.

A sealed value is binary: `version | generation of the key | nonce of 12 bytes | ciphertext and tag`. Older values are
strings, so the type of a value tells its scheme (`site_keys.py`). AES-GCM authenticates the place with it: the
partition key, the sort key and the attribute, but not the name of the table, because a restored table has a new name.

Unwrapped keys stay in the memory of this process for a minute, so a page of sealed values does not ask for the key
each time. After a key is erased, other processes can read with it for up to a minute, but none can seal: each write
checks that the key is there.
"""

import json
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Generic, Protocol, TypeVar

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import get_session
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from accounts.encryption.site_keys import decrypt
from accounts.models import PersonKey, Sealed
from socialsite.data_keys import DataKey, current_key, data_keys
from socialsite.process_state import kept_by_process
from socialsite.table import (
    Check,
    Create,
    Erase,
    Key,
    Moved,
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    change,
    get,
    keys,
    query,
    translated,
)
from socialsite.table.errors import error_code

SCOPE = "socialsite"  # the same in every table of every site
SEALED_VERSION = 2  # version 1 is `site_keys.py`
HEAD = 2  # bytes
NONCE = 12
SECRET = 32


def cipher_for(secret: bytes, use: str) -> AESGCM:
    """Returns the cipher for one use of a person's key."""
    derived = HKDF(hashes.SHA256(), length=SECRET, salt=None, info=use.encode()).derive(secret)
    return AESGCM(derived)


def seal(text: str, *, cipher: AESGCM, generation: int, key: Key, attribute: str) -> bytes:
    """Seals the text for this attribute of the item at `key`. 30 bytes longer than the text."""
    nonce = os.urandom(NONCE)
    place = _sealed_place(key, attribute)
    return bytes((SEALED_VERSION, generation)) + nonce + cipher.encrypt(nonce, text.encode(), place)


def unseal(sealed: bytes, *, cipher: AESGCM, generation: int, key: Key, attribute: str) -> str:
    """Returns the text. Raises `cryptography.exceptions.InvalidTag` if the value was altered, belongs to another place,
    or was sealed with another key."""
    nonce, text = sealed[HEAD : HEAD + NONCE], sealed[HEAD + NONCE :]
    if sealed[:HEAD] != bytes((SEALED_VERSION, generation)) or len(nonce) < NONCE:
        raise InvalidTag(f"no sealed value in {attribute} of {key}")
    return cipher.decrypt(nonce, text, _sealed_place(key, attribute)).decode()


def _sealed_place(key: Key, attribute: str) -> bytes:
    return json.dumps([SCOPE, *key, attribute, SEALED_VERSION]).encode()


Context = dict[str, str]

PREFIX = "kms:"
CONFIG = Config(
    connect_timeout=1.0,
    read_timeout=2.0,
    retries={"mode": "standard", "total_max_attempts": 2},
    user_agent="socialsite",
)
# Another context, another key, bytes that were altered, or a key that was destroyed.
UNREADABLE = {"IncorrectKeyException", "InvalidCiphertextException", "NotFoundException"}


class KmsMaster:
    """A key of AWS KMS, by its ARN. A wrapped key has about 200 bytes.

    Every method makes one call. Each raises `Unavailable` while KMS does not answer, or refuses because the key is
    disabled or the role lacks the right.
    """

    def __init__(self, arn: str) -> None:
        self.arn = arn
        self.id = f"{PREFIX}{arn}"

    def new_secret(self, context: Context) -> tuple[bytes, bytes]:
        made = self._call("generate_data_key", context, KeyId=self.arn, KeySpec="AES_256")
        return bytes(made["Plaintext"]), bytes(made["CiphertextBlob"])

    def wrap(self, secret: bytes, context: Context) -> bytes:
        made = self._call("encrypt", context, KeyId=self.arn, Plaintext=secret)
        return bytes(made["CiphertextBlob"])

    def unwrap(self, wrapped: bytes, context: Context) -> bytes:
        """Raises `cryptography.exceptions.InvalidTag` if this is not what was wrapped with this key and context."""
        made = self._call("decrypt", context, KeyId=self.arn, CiphertextBlob=wrapped)
        return bytes(made["Plaintext"])

    def rewrap_within_kms(self, wrapped: bytes, context: Context, *, earlier: "KmsMaster") -> bytes:
        """Returns what an earlier key of KMS wrapped, wrapped with this one. No process sees the key meanwhile."""
        with _refusals_translated():
            made = _client(self.arn).re_encrypt(
                CiphertextBlob=wrapped,
                SourceKeyId=earlier.arn,
                SourceEncryptionContext=context,
                DestinationKeyId=self.arn,
                DestinationEncryptionContext=context,
            )
        return bytes(made["CiphertextBlob"])

    def _call(self, operation: str, context: Context, **request: Any) -> dict[str, Any]:
        with _refusals_translated():
            answer: dict[str, Any] = getattr(_client(self.arn), operation)(
                EncryptionContext=context, **request
            )
        return answer


def kms_masters() -> list[KmsMaster]:
    """Returns all keys of the settings, the current one first. None without `KMS_KEY_ID`, that of staff and earlier
    ones."""
    arns = [settings.KMS_KEY_ID, settings.KMS_KEY_OF_STAFF, *settings.KMS_KEY_FALLBACKS]
    return [KmsMaster(arn) for arn in arns if arn]


@contextmanager
def _refusals_translated() -> Iterator[None]:
    with translated():
        try:
            yield
        except ClientError as error:
            if error_code(error) in UNREADABLE:
                raise InvalidTag(error_code(error)) from error
            raise


@cache
def _client(arn: str) -> Any:
    region = arn.split(":")[3]
    return get_session().create_client("kms", region_name=region, config=CONFIG)


class Master(Protocol):
    """One master key."""

    @property
    def id(self) -> str: ...

    def new_secret(self, context: Context) -> tuple[bytes, bytes]:
        """Returns 32 new random bytes, and the same wrapped."""

    def wrap(self, secret: bytes, context: Context) -> bytes: ...

    def unwrap(self, wrapped: bytes, context: Context) -> bytes:
        """Raises `cryptography.exceptions.InvalidTag` if this is not what was wrapped with this key and context."""


class LocalMaster:
    """A master key that is derived from a `DATA_KEY`, and used in this process. A wrapped key has 60 bytes."""

    def __init__(self, data_key: DataKey) -> None:
        self.id = f"data-key:{data_key.id}"
        self._cipher = AESGCM(data_key.secret("person keys"))

    def new_secret(self, context: Context) -> tuple[bytes, bytes]:
        secret = os.urandom(SECRET)
        return secret, self.wrap(secret, context)

    def wrap(self, secret: bytes, context: Context) -> bytes:
        nonce = os.urandom(NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, _authenticated(context))

    def unwrap(self, wrapped: bytes, context: Context) -> bytes:
        return self._cipher.decrypt(wrapped[:NONCE], wrapped[NONCE:], _authenticated(context))


def current_master() -> Master:
    """Returns the master key that wraps new keys: that of `KMS_KEY_ID`, else one derived from `DATA_KEY`."""
    return kms_masters()[0] if settings.KMS_KEY_ID else LocalMaster(current_key())


def master_for(*, is_staff: bool) -> Master:
    """Returns the master key that wraps new keys of this group: people with a role have that of `KMS_KEY_OF_STAFF`, if
    there is one, and all others the current one."""
    if is_staff and settings.KMS_KEY_OF_STAFF:
        return KmsMaster(settings.KMS_KEY_OF_STAFF)
    return current_master()


def master_of(master_id: str) -> Master:
    """Returns the master key of this id. Raises `cryptography.exceptions.InvalidTag` if the settings have none."""
    known: list[Master] = [*kms_masters()]
    if not master_id.startswith(PREFIX):
        known = [LocalMaster(data_key) for data_key in data_keys()]
    for master in known:
        if master.id == master_id:
            return master
    raise InvalidTag(f"no master key {master_id}")


def rewrapped(wrapped: bytes, context: Context, *, earlier: Master, master: Master) -> bytes:
    """Returns what an earlier master key wrapped, wrapped with this one. Between two keys of KMS no process sees what
    they wrap."""
    if isinstance(master, KmsMaster) and isinstance(earlier, KmsMaster):
        return master.rewrap_within_kms(wrapped, context, earlier=earlier)
    return master.wrap(earlier.unwrap(wrapped, context), context)


def context_of(user_id: str) -> Context:
    return {"scope": SCOPE, "person": user_id}


def _authenticated(context: Context) -> bytes:
    return json.dumps(context, sort_keys=True).encode()


MOST_KEYS = 1_000
CACHED_SECONDS = 60.0

T = TypeVar("T")


class KeyCache(Generic[T]):
    """The keys that were used last, each until it is a minute old. Threads may share it."""

    def __init__(self, *, most: int = MOST_KEYS, seconds: float = CACHED_SECONDS) -> None:
        self._most, self._seconds = most, seconds
        self._kept: OrderedDict[str, tuple[float, T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, user_id: str) -> T | None:
        with self._lock:
            until, value = self._kept.get(user_id, (0.0, None))
            if value is None or until <= time.monotonic():
                self._kept.pop(user_id, None)
                return None
            self._kept.move_to_end(user_id)
            return value

    def keep(self, user_id: str, value: T) -> None:
        with self._lock:
            self._kept[user_id] = time.monotonic() + self._seconds, value
            self._kept.move_to_end(user_id)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget_all(self) -> None:
        with self._lock:
            self._kept.clear()


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
        return cipher_for(self.secret, SEALED_VALUES)

    def seal(self, text: str, *, key: Key, attribute: str) -> bytes:
        """Seals a text for one attribute of the item at `key`. The transaction that writes it includes `check()`."""
        return seal(
            text, cipher=self._cipher, generation=self.generation, key=key, attribute=attribute
        )

    def unseal(self, sealed: bytes, *, key: Key, attribute: str) -> str:
        """Returns the text. Raises `cryptography.exceptions.InvalidTag` if it was altered, or sealed for another place
        or with another key."""
        return unseal(
            sealed,
            cipher=self._cipher,
            generation=self.generation,
            key=key,
            attribute=attribute,
        )

    def text_of(self, sealed: Sealed, *, key: Key, attribute: str) -> str:
        """Returns the text of a binary value, empty if it cannot be read: for pages that go on without it."""
        if isinstance(sealed, str):
            return ""
        try:
            return self.unseal(sealed, key=key, attribute=attribute)
        except InvalidTag:
            return ""

    def check(self) -> Check:
        """Returns the condition that the key is still there, so that nobody seals with an erased key."""
        same = PersonKey.generation == self.generation
        return Check(keys.person_key(self.user_id), same, NoPersonKey)


_open: KeyCache[OpenKey] = KeyCache()
kept_by_process(_open.forget_all)


def new_person_key(user_id: str, *, is_staff: bool = False) -> tuple[OpenKey, Create]:
    """Returns a new key, and the action that stores it, for the transaction that creates the person. Whoever gets or
    loses a role later keeps their master key until `manage.py reencrypt --keys`."""
    master = master_for(is_staff=is_staff)
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


def keys_to_open(user_ids: Iterable[str]) -> list[Key]:
    """Returns the keys of the items that `open_found` needs, for a BatchGetItem that reads other things, too. None for
    those whose key is open in this process."""
    return [keys.person_key(user_id) for user_id in user_ids if _open.get(user_id) is None]


def open_found(user_ids: Iterable[str], found: Mapping[Key, RawItem | None]) -> dict[str, OpenKey]:
    """Returns the people's keys, from what was read of `keys_to_open`. Those that were erased are missing."""
    opened = {}
    for user_id in user_ids:
        kept = _open.get(user_id)
        if kept is None and (raw := found.get(keys.person_key(user_id))):
            kept = _unwrapped(as_model(PersonKey, raw))
            _open.keep(user_id, kept)
        if kept is not None:
            opened[user_id] = kept
    return opened


def erasing_person_key(user_id: str) -> Erase:
    """Returns the action that deletes someone's key, for the transaction that ends their erasure."""
    return Erase(keys.person_key(user_id))


def _read(user_id: str, *, consistent: bool) -> OpenKey:
    try:
        stored = get(PersonKey, keys.person_key(user_id), consistent=consistent)
    except NotFound as error:
        raise NoPersonKey(user_id) from error
    return _unwrapped(stored)


def _unwrapped(stored: PersonKey) -> OpenKey:
    secret = master_of(stored.master).unwrap(stored.wrapped, context_of(stored.user_id))
    return OpenKey(stored.user_id, int(stored.generation), secret)


def private_text(value: Sealed, *, user_id: str, purpose: str, key: Key, attribute: str) -> str:
    """Returns the readable text. Raises `NoPersonKey`, and `cryptography.exceptions.InvalidTag` if it was altered,
    belongs to another place, or no key fits. 0.5 read units, as `open_person_key`."""
    if isinstance(value, str):
        return decrypt(value, purpose=purpose, key=key, attribute=attribute)
    return open_person_key(user_id).unseal(value, key=key, attribute=attribute)


@access_pattern
def list_person_keys(shard: int) -> Iterator[PersonKey]:
    """Yields all keys of people in one of the 16 partitions. One Query, consistent: 1 read unit for about 20 keys."""
    for raw in query(keys.person_keys(shard), consistent=True):
        yield as_model(PersonKey, raw)


@access_pattern
def rewrap(stored: PersonKey, *, master: Master) -> bool:
    """Wraps a key with this master key; False if that was done before, also if the key was erased meanwhile.

    One UpdateItem on the condition that the wrapped key is as it was read, 1 write unit. A call or two of
    KMS, if it has one of the keys. Raises
    `cryptography.exceptions.InvalidTag` if no master key of the settings fits.
    """
    if stored.master == master.id:
        return False
    context = context_of(stored.user_id)
    earlier = master_of(stored.master)
    wrapped = rewrapped(stored.wrapped, context, earlier=earlier, master=master)
    actions = [PersonKey.wrapped.set(wrapped), PersonKey.master.set(master.id)]
    as_read = PersonKey.wrapped == stored.wrapped
    try:
        change(PersonKey, stored.key, actions, condition=as_read, otherwise=Moved)
    except Moved:
        return False
    return True
