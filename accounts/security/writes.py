"""Changing a password, or choosing a new one by a link that is sent to the confirmed email address; two-step
verification and its recovery codes; adding, renaming and removing passkeys.

A new password signs every other browser out. So does each change of two-step verification, because the other sign-ins
were proved by other means. The passkeys that were added since a moment are those of a thief, when a change of address
is taken back.
"""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from pynamodb.expressions.condition import Condition

from accounts.credentials.passkeys import (
    MOST_PASSKEYS,
    Answer,
    RelyingParty,
    WrongPasskey,
    read_new_key,
    use_up,
)
from accounts.credentials.passwords import WrongPassword, hash_password
from accounts.credentials.reencrypt import key_to_seal
from accounts.credentials.second_factor import (
    SecondFactor,
    WrongCode,
    decrypt_secret,
    encrypt_new_secret,
    hash_recovery_code,
    make_recovery_codes,
    matching_step,
    plain,
    seal_secret,
)
from accounts.encryption.emails import email_hmacs
from accounts.mail.tokens import LinkGone, Purpose, read_token, use_token
from accounts.models import Credentials, Passkey, PasskeyClaim, SignIn, Token, UserInfo
from accounts.notices import (
    CODES_RENEWED,
    PASSKEY_ADDED,
    PASSKEY_REMOVED,
    PASSWORD_CHANGED,
    RESET_PASSWORD,
    SECOND_FACTOR_OFF,
    SECOND_FACTOR_ON,
    SECOND_FACTOR_REPLACED,
)
from accounts.people.viewer import BY_CODE, BY_PASSWORD, Viewer
from accounts.proof.writes import check_own_password, get_own_credentials, note_proof
from accounts.sessions import end_sign_ins_with, new_sign_in, this_moment, unchanged
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    AlreadyExists,
    Change,
    Check,
    Create,
    Delete,
    NotFound,
    RawItem,
    TableError,
    WriteAction,
    access_pattern,
    change,
    fetch,
    ids,
    key_of,
    keys,
    query,
    row,
    transact,
)
from socialsite.telling import Cause, Kind, tell
from socialsite.web.limits import Limit, hit


@access_pattern
def change_password(
    *, by: Viewer, password: str, new_password: str, browser: str, code: str = ""
) -> str:
    """Sets a new password and returns the secret of a new sign-in for this browser. All earlier sign-ins end, this one
    too. Raises `WrongPassword`, also if the password was changed meanwhile, and `WrongCode`.

    One consistent read of Credentials, 1 unit, and what `end_sign_ins_with` costs. In all 8 write units, 2 for each
    sign-in, and 2 read units. The new sign-in counts as proved.
    """
    credentials = get_own_credentials(by=by, password=password)
    epoch = int(row(Credentials, credentials).epoch)
    factor = SecondFactor.from_raw(by.user_id, credentials)
    change = factor.use(code) if factor.is_on else unchanged(by.user_id)
    chosen = Credentials.password.set(hash_password(new_password))
    secret = secrets.token_urlsafe(32)
    here = new_sign_in(by.user_id, secret, browser=browser, epoch=epoch + 1)
    here.proved_at, here.proved_with = this_moment(), BY_CODE if factor.is_on else BY_PASSWORD
    end_sign_ins_with(
        replace(change, actions=[*change.actions, chosen]),
        user_id=by.user_id,
        kept=Create(here),
        epoch=epoch,
        and_also=tell(by.user_id, PASSWORD_CHANGED).actions(),
    )
    note_event(Event.PASSWORD_CHANGED, account=by.user_id)
    return secret


ONE_A_MINUTE = Limit(
    "reset-minute", 1, 60
)  # for one address, so that a form sent twice is one letter


@dataclass(frozen=True, slots=True)
class Reset:
    """What a link may do: set a new password for this account, with a code if `has_factor`."""

    user_id: str
    handle: str
    has_factor: bool


class _AskedAlready(TableError):
    """A letter to this address was asked for within this minute."""


@access_pattern
def ask_for_reset(*, email: str) -> None:
    """Posts a letter with a link to the person who has confirmed this address. Nobody learns whether anyone has: the
    same is written for every address, and the account is looked up when the letter is sent.

    One TransactWriteItems of a counter and the letter, 4 write units. A second letter within a minute is left out.
    """
    hmacs = email_hmacs(email)
    facts = {"email": " ".join(hmacs), "token": ids.new_id()}
    try:
        transact(
            *tell("", RESET_PASSWORD, Cause(facts=facts)).actions(),
            hit(ONE_A_MINUTE, hmacs[0], otherwise=_AskedAlready),
        )
    except _AskedAlready:
        return
    note_event(Event.RESET_ASKED)


@access_pattern
def get_reset(secret: str) -> Reset:
    """Returns what a link may do. Raises `LinkGone`.

    GetItem of the token and BatchGetItem of UserInfo and Credentials, consistent: 3 read units.
    """
    token, info, credentials = _read(secret)
    factor = SecondFactor.from_raw(token.user_id, credentials)
    return Reset(token.user_id, row(UserInfo, info).handle, factor.is_on)


@access_pattern
def reset_password(*, secret: str, new_password: str, code: str = "") -> None:
    """Sets a new password and uses the link up. All sign-ins of the account end. Raises `LinkGone`, and `WrongCode` if
    the account has two-step verification, which a reset never skips.

    Reads as `get_reset` does, 3 units, and costs what `end_sign_ins_with` does, and 4 write units for the token and the
    letter that tells of it. In all 8 write units, 2 for each sign-in, and 4 read units. The owner of an account that
    staff secured is back with it, 2 write units more.
    """
    token, info, credentials = _read(secret)
    user_id = token.user_id
    factor = SecondFactor.from_raw(user_id, credentials)
    change = factor.use(code) if factor.is_on else unchanged(user_id)
    chosen = Credentials.password.set(hash_password(new_password))
    told = tell(user_id, PASSWORD_CHANGED).actions()
    try:
        end_sign_ins_with(
            replace(change, actions=[*change.actions, chosen, Credentials.set_aside.remove()]),
            user_id=user_id,
            epoch=int(token.epoch or 0),
            and_also=[use_token(token), *told, *_is_back(info)],
        )
    except WrongPassword as error:  # it was changed in another way meanwhile
        raise LinkGone("of an earlier epoch") from error
    note_event(Event.PASSWORD_RESET, account=user_id)


def _is_back(info: RawItem) -> list[WriteAction]:
    if "secured" not in info:
        return []
    return [Change(UserInfo, key_of(info), [UserInfo.secured.remove()])]


def _read(secret: str) -> tuple[Token, RawItem, RawItem]:
    """Returns the token, and its account's raw UserInfo and Credentials."""
    token = read_token(Purpose.RESET, secret)
    info_key, credentials_key = keys.user_info(token.user_id), keys.credentials(token.user_id)
    found = fetch([info_key, credentials_key], consistent=True)
    if info_key not in found or credentials_key not in found:
        raise LinkGone("the account is gone")
    if row(Credentials, found[credentials_key]).epoch != int(token.epoch or 0):
        raise LinkGone("of an earlier epoch")
    return token, found[info_key], found[credentials_key]


ALL_OF_IT = (
    Credentials.totp.remove(),
    Credentials.totp_step.remove(),
    Credentials.totp_since.remove(),
    Credentials.recovery.remove(),
)


class AlreadyOn(AlreadyExists):
    """Two-step verification is on. Turn it off before setting it up again."""


class StaffNeedsIt(TableError):
    """Staff cannot turn off two-step verification."""


@access_pattern
def begin_second_factor(*, by: Viewer, password: str) -> str:
    """Returns a new key, encrypted for this person. Their session keeps it until a first code proves that an app has
    it. Raises `WrongPassword`, `AlreadyOn`.

    One consistent read of Credentials, 1 unit; nothing is written.
    """
    if check_own_password(by=by, password=password).is_on:
        raise AlreadyOn
    return encrypt_new_secret(user_id=by.user_id)


@access_pattern
def turn_on_second_factor(*, by: Viewer, encrypted: str, code: str) -> list[str]:
    """Stores the key, sealed, if the code was made with it. Returns ten recovery codes, which are shown once. Raises
    `WrongCode`, `AlreadyOn`.

    Costs what `end_sign_ins_with` does, 0.5 read units for the person's key, and 2 write units to check that it is
    there. In all 10 write units, 2 for each, and 1.5 read units. The SignIn of this browser then counts as proved.
    """
    was_off = Credentials.totp.does_not_exist()
    codes = _store_key(by, encrypted, code, was_off, AlreadyOn, letter=SECOND_FACTOR_ON)
    note_event(Event.FACTOR_ON, account=by.user_id)
    return codes


@access_pattern
def begin_replacement(*, by: Viewer, password: str, code: str) -> str:
    """Returns a new key for another phone, encrypted for this person, and uses up a code of the old one or a recovery
    code. Nothing else changes until the new app has shown a code. Raises `WrongPassword`, `WrongCode`.

    One consistent read of Credentials, 1 unit; one TransactWriteItems, 2 write units.
    """
    factor = check_own_password(by=by, password=password)
    if not factor.is_on:
        raise WrongCode
    transact(factor.use(code))
    return encrypt_new_secret(user_id=by.user_id)


@access_pattern
def replace_second_factor(*, by: Viewer, encrypted: str, code: str) -> list[str]:
    """Stores the key of `begin_replacement` in place of the old one if the code was made with it, so that two-step
    verification is on all the time. Returns ten recovery codes, which are shown once; the old ones stop working. Raises
    `WrongCode`, also if two-step verification is off by now.

    Costs what `turn_on_second_factor` does. In all 10 write units, 2 for each, and 1.5 read units.
    """
    was_on = Credentials.totp.exists()
    codes = _store_key(by, encrypted, code, was_on, WrongCode, letter=SECOND_FACTOR_REPLACED)
    note_event(Event.FACTOR_REPLACED, account=by.user_id)
    return codes


def _store_key(
    by: Viewer,
    encrypted: str,
    code: str,
    condition: Condition,
    otherwise: type[TableError],
    *,
    letter: Kind,
) -> list[str]:
    secret = decrypt_secret(encrypted, user_id=by.user_id)
    step = matching_step(secret, plain(code))
    codes = make_recovery_codes()
    key = key_to_seal(by.user_id)
    actions = [
        Credentials.totp.set(seal_secret(secret, key=key)),
        Credentials.totp_step.set(step),
        Credentials.totp_since.set(this_moment()),
        Credentials.recovery.set(_hashes(by, codes)),
    ]
    stored = Change(
        Credentials,
        keys.credentials(by.user_id),
        actions,
        condition=condition,
        otherwise=otherwise,
    )
    _end_sign_ins(stored, by, key.check(), kept=note_proof(by, BY_CODE), letter=letter)
    return codes


@access_pattern
def renew_recovery_codes(*, by: Viewer, password: str, code: str) -> list[str]:
    """Replaces the remaining recovery codes with ten new ones. Raises `WrongPassword`, `WrongCode`.

    One consistent read of Credentials, 1 unit, and what `end_sign_ins_with` costs. In all 8 write units, 2 for each,
    and 2 read units.
    """
    factor = check_own_password(by=by, password=password)
    if not factor.is_on:
        raise WrongCode
    codes = make_recovery_codes()
    used = factor.use(code, new_recovery=_hashes(by, codes))
    _end_sign_ins(used, by, kept=note_proof(by, BY_CODE), letter=CODES_RENEWED)
    note_event(Event.CODES_RENEWED, account=by.user_id)
    return codes


@access_pattern
def turn_off_second_factor(*, by: Viewer, password: str, code: str) -> None:
    """Deletes the key and the recovery codes. Safe to repeat. Raises `WrongPassword`, `WrongCode`, and with
    `STAFF_SECOND_FACTOR` `StaffNeedsIt` for anyone with a role.

    One consistent read of Credentials, 1 unit, and what `end_sign_ins_with` costs. In all 8 write units, 2 for each,
    and 2 read units.
    """
    if by.is_staff and settings.STAFF_SECOND_FACTOR:
        raise StaffNeedsIt
    factor = check_own_password(by=by, password=password)
    if not factor.is_on:
        return
    unproved = [SignIn.proved_at.remove(), SignIn.proved_with.remove()]
    here = Change(SignIn, keys.sign_in(by.user_id, by.secret_hash), unproved)
    turned_off = replace(factor.use(code), actions=ALL_OF_IT)
    _end_sign_ins(turned_off, by, kept=here, letter=SECOND_FACTOR_OFF)
    note_event(Event.FACTOR_OFF, account=by.user_id)


@access_pattern
def reset_second_factor(*, user_id: str) -> None:
    """Turns off two-step verification for someone who lost their phone, and ends all their sign-ins. For the command
    line only. Costs what `end_sign_ins_with` does. In all 4 write units, 2 for each, and 1 read unit."""
    end_sign_ins_with(Change(Credentials, keys.credentials(user_id), ALL_OF_IT), user_id=user_id)
    note_event(Event.FACTOR_RESET, account=user_id)


def _end_sign_ins(
    credentials: Change, by: Viewer, *checks: Check, kept: Change, letter: Kind
) -> None:
    told = tell(by.user_id, letter).actions()
    end_sign_ins_with(credentials, user_id=by.user_id, kept=kept, and_also=[*checks, *told])


def _hashes(by: Viewer, codes: list[str]) -> set[str]:
    return {hash_recovery_code(code, user_id=by.user_id) for code in codes}


class PasskeyExists(AlreadyExists):
    """An account has this passkey already."""


class NoRoomForIt(TableError):
    """The account has as many passkeys as it may have, or another browser added its first one a moment ago."""


@access_pattern
def add_passkey(
    *,
    by: Viewer,
    party: RelyingParty,
    challenge: bytes,
    answer: Answer,
    user_handle: str,
    name: str,
) -> None:
    """Keeps the public key of a passkey that the person's device has just made, for this user handle. Raises
    `WrongPasskey`, also if this sign-in has ended meanwhile, `PasskeyExists`, `NoRoomForIt`.

    One TransactWriteItems of the claim, the passkey, Credentials and the used challenge, and a check of this sign-in:
    10 write units, and 2 for the letter. In all 12 write units.
    """
    new = read_new_key(answer, party=party, challenge=challenge)
    passkey = Passkey.new(
        user_id=by.user_id,
        credential_hash=answer.credential_hash,
        credential_id=answer.credential_id,
        public_key=new.public_key,
        counter=new.counter,
        transports=new.transports,
        aaguid=new.aaguid,
        backed_up=new.backed_up,
        name=name,
        created=this_moment(),
    )
    claim = PasskeyClaim.new(credential_hash=answer.credential_hash, user_id=by.user_id)
    transact(
        Create(claim, otherwise=PasskeyExists),
        Create(passkey, otherwise=PasskeyExists),
        _counted(by, user_handle),
        Check(keys.sign_in(by.user_id, by.secret_hash), otherwise=WrongPasskey),
        use_up(challenge),
        *tell(by.user_id, PASSKEY_ADDED, Cause(facts={"name": name})).actions(),
    )
    note_event(Event.PASSKEY_ADDED, account=by.user_id)


def _counted(by: Viewer, user_handle: str) -> Change:
    count, handle = Credentials.passkeys, Credentials.user_handle
    return Change(
        Credentials,
        keys.credentials(by.user_id),
        [count.add(1), handle.set(user_handle)],
        condition=(count.does_not_exist() | (count < MOST_PASSKEYS))
        & (handle.does_not_exist() | (handle == user_handle)),
        otherwise=NoRoomForIt,
    )


class LastWayIn(TableError):
    """Without this passkey nobody could sign in to the account."""


@access_pattern
def rename_passkey(*, by: Viewer, credential_hash: str, name: str) -> None:
    """Gives one of the person's own passkeys another name. One UpdateItem, 1 write unit. Raises `NotFound`."""
    change(Passkey, keys.passkey(by.user_id, credential_hash), [Passkey.name.set(name)])


@access_pattern
def remove_passkey(*, by: Viewer, credential_hash: str) -> None:
    """Deletes one of the person's own passkeys: it signs nobody in from now on. Where it signed in before stays signed
    in. Safe to repeat. Raises `LastWayIn`.

    The last way into an account cannot be removed. Today every account has a password, so the condition on it always
    holds; it stands here for the day on which accounts without one come.

    One TransactWriteItems of passkey, claim and Credentials, and of the letter, 8 write units.
    """
    count, password = Credentials.passkeys, Credentials.password
    try:
        transact(
            Delete(keys.passkey(by.user_id, credential_hash)),
            Delete(keys.passkey_claim(credential_hash)),
            Change(
                Credentials,
                keys.credentials(by.user_id),
                [count.add(-1)],
                condition=password.exists() | (count > 1),
                otherwise=LastWayIn,
            ),
            *tell(by.user_id, PASSKEY_REMOVED).actions(),
        )
    except NotFound:
        return
    note_event(Event.PASSKEY_REMOVED, account=by.user_id)


@access_pattern
def remove_passkeys_since(*, user_id: str, moment: datetime) -> None:
    """Deletes the passkeys that were added to an account since a moment. Safe to repeat.

    One consistent Query, 1 read unit for each 8 passkeys or so, and 6 write units for each that goes.
    """
    place = keys.credentials(user_id).sk
    for raw in list(query(keys.ways_in(user_id), consistent=True)):
        if raw["SK"]["S"] == place:
            continue
        passkey = row(Passkey, raw)
        if datetime.fromisoformat(passkey.created) >= moment:
            remove_passkey(by=Viewer(user_id), credential_hash=passkey.credential_hash)
