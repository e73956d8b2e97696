"""Brings one account under the present keys: a data key of its own, private values sealed with that, and what finds its
email address under the current `DATA_KEY`: the claim, and the entry of its domain, which older accounts lack."""

from dataclasses import replace

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.credentials.second_factor import decrypt_secret, seal_secret
from accounts.encryption.emails import (
    decrypt_email,
    domain_hmacs,
    email_hmacs,
    encrypt_email,
    list_under_domain,
)
from accounts.encryption.person_keys import NoPersonKey, OpenKey, new_person_key, open_person_key
from accounts.models import Credentials, EmailClaim, SealedAttribute
from socialsite.data_keys import data_keys
from socialsite.table import (
    Change,
    Check,
    Create,
    Delete,
    Erase,
    Moved,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    get,
    keys,
    row,
    transact,
    write_optimistically,
)


class EmailClaimed(TableError):
    """Another account has the email address under the current key."""


@access_pattern
def key_to_seal(user_id: str) -> OpenKey:
    """Returns the key with which someone's values are sealed. The transaction that writes them includes its `check()`.
    Raises `NoPersonKey` if it was erased.

    0.5 read units, as `open_person_key`. People from before people had keys get theirs at this moment, with all their
    credentials sealed: two consistent GetItems and one TransactWriteItems, 3 read and 4 write units once.
    """
    try:
        return open_person_key(user_id)
    except NoPersonKey:
        reencrypt(user_id, with_claim=False)
        return open_person_key(user_id, consistent=True)


@access_pattern
def reencrypt(user_id: str, *, with_claim: bool = True) -> bool:
    """Seals an account's values with its own key, moves its email claim and lists it under the domain of its address;
    False if that was done before.

    GetItem of Credentials and of the key, BatchGetItem of the domain's entries, and of the claims while there is an
    earlier `DATA_KEY`, all consistent; one TransactWriteItems of up to 6 items and more with more than one earlier key,
    12 write units. In all 4 to 12 write units and 3 to 6 read units. Raises `EmailClaimed`, `NotFound`, `NoPersonKey`
    if the key was erased, and `cryptography.exceptions.InvalidTag` where no key of the settings fits.
    """

    def attempt() -> bool:
        credentials = get(Credentials, keys.credentials(user_id), consistent=True)
        key, created = _key_of(credentials)
        sealed = _sealed_anew(credentials, key)
        moved = [*_moved_claim(credentials), *_listed(credentials)] if with_claim else []
        if not sealed and not moved:
            return False
        unchanged = _is(Credentials.email, credentials.email)
        unchanged &= _is(Credentials.wished_email, credentials.wished_email)
        unchanged &= _is(Credentials.totp, credentials.totp)
        transact(
            Change(Credentials, credentials.key, sealed, unchanged, Moved)
            if sealed
            else Check(credentials.key, unchanged, Moved),
            *(created or [key.check()]),
            *moved,
        )
        return True

    return write_optimistically(attempt)


def _key_of(credentials: Credentials) -> tuple[OpenKey, list[WriteAction]]:
    """Returns the account's key, and the action that creates it for an account from before people had keys. An account
    with sealed values has had one, so it gets no other."""
    try:
        return open_person_key(credentials.user_id, consistent=True), []
    except NoPersonKey:
        if isinstance(credentials.email or credentials.wished_email, bytes):
            raise
    key, create = new_person_key(credentials.user_id)
    return key, [replace(create, otherwise=Moved)]


def _sealed_anew(credentials: Credentials, key: OpenKey) -> list[Action]:
    actions: list[Action] = []
    for attribute, value in (
        (Credentials.email, credentials.email),
        (Credentials.wished_email, credentials.wished_email),  # one whose letters came back
    ):
        if isinstance(value, str):
            address = decrypt_email(value, user_id=key.user_id)
            actions.append(attribute.set(encrypt_email(address, key=key)))
    if isinstance(credentials.totp, str):
        secret = decrypt_secret(credentials.totp, user_id=key.user_id)
        actions.append(Credentials.totp.set(seal_secret(secret, key=key)))
    return actions


def _is(attribute: SealedAttribute, value: bytes | str | None) -> Condition:
    return attribute == value if value else attribute.does_not_exist()


def _moved_claim(credentials: Credentials) -> list[WriteAction]:
    """Returns the actions that claim the address under the current `DATA_KEY` instead of earlier ones."""
    if len(data_keys()) == 1 or not credentials.email:
        return []
    user_id = credentials.user_id
    hmacs = email_hmacs(decrypt_email(credentials.email, user_id=user_id))
    found = fetch([keys.email_claim(hmac) for hmac in hmacs], consistent=True)
    owners = {key: row(EmailClaim, raw).user_id for key, raw in found.items()}
    current, *earlier = (keys.email_claim(hmac) for hmac in hmacs)
    own = [key for key in earlier if owners.get(key) == user_id]
    if own and owners.get(current, user_id) != user_id:
        raise EmailClaimed(user_id)
    is_own = EmailClaim.user_id == user_id
    moved: list[WriteAction] = [Delete(key, is_own, Moved) for key in own]
    if own and current not in owners:
        claim = EmailClaim.new(email_hmac=hmacs[0], user_id=user_id)
        moved.append(Create(claim, Moved))
    return moved


def _listed(credentials: Credentials) -> list[WriteAction]:
    """Returns the actions that list the account under the domain of its address, by the current `DATA_KEY` alone."""
    if not credentials.email:
        return []
    user_id = credentials.user_id
    address = decrypt_email(credentials.email, user_id=user_id)
    places = [keys.domain_entry(hmac, user_id) for hmac in domain_hmacs(address)]
    found = fetch(places, consistent=True)
    if found.keys() == {places[0]}:
        return []
    gone = [Erase(place) for place in places[1:] if place in found]
    return [*list_under_domain(address, user_id=user_id), *gone]
