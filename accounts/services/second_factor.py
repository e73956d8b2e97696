"""Turning two-step verification on and off, and new recovery codes. Each ends every other sign-in of the person,
because those were proved by other means."""

from dataclasses import replace

from django.conf import settings
from pynamodb.expressions.condition import Condition

from accounts.mail.posting import post_mail
from accounts.models import Credentials, SignIn
from accounts.services.end_sign_ins import end_sign_ins_with
from accounts.services.prove_identity import check_own_password, note_proof
from accounts.services.reencrypt import key_to_seal
from accounts.signing_in.second_factor import (
    WrongCode,
    decrypt_secret,
    encrypt_new_secret,
    hash_recovery_code,
    make_recovery_codes,
    matching_step,
    plain,
    seal_secret,
)
from accounts.viewer import BY_CODE, Viewer
from socialsite.table import keys
from socialsite.table.actions import Change, Check
from socialsite.table.errors import AlreadyExists, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event

ALL_OF_IT = (
    Credentials.totp.remove(),
    Credentials.totp_step.remove(),
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
    there. The SignIn of this browser then counts as proved.
    """
    was_off = Credentials.totp.does_not_exist()
    codes = _store_key(by, encrypted, code, was_off, AlreadyOn, letter="second-factor-on")
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

    Costs what `turn_on_second_factor` does.
    """
    was_on = Credentials.totp.exists()
    codes = _store_key(by, encrypted, code, was_on, WrongCode, letter="second-factor-replaced")
    note_event(Event.FACTOR_REPLACED, account=by.user_id)
    return codes


def _store_key(
    by: Viewer,
    encrypted: str,
    code: str,
    condition: Condition,
    otherwise: type[TableError],
    *,
    letter: str,
) -> list[str]:
    secret = decrypt_secret(encrypted, user_id=by.user_id)
    step = matching_step(secret, plain(code))
    codes = make_recovery_codes()
    key = key_to_seal(by.user_id)
    actions = [
        Credentials.totp.set(seal_secret(secret, key=key)),
        Credentials.totp_step.set(step),
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

    One consistent read of Credentials, 1 unit, and what `end_sign_ins_with` costs.
    """
    factor = check_own_password(by=by, password=password)
    if not factor.is_on:
        raise WrongCode
    codes = make_recovery_codes()
    used = factor.use(code, new_recovery=_hashes(by, codes))
    _end_sign_ins(used, by, kept=note_proof(by, BY_CODE), letter="codes-renewed")
    note_event(Event.CODES_RENEWED, account=by.user_id)
    return codes


@access_pattern
def turn_off_second_factor(*, by: Viewer, password: str, code: str) -> None:
    """Deletes the key and the recovery codes. Safe to repeat. Raises `WrongPassword`, `WrongCode`, and with
    `STAFF_SECOND_FACTOR` `StaffNeedsIt` for anyone with a role.

    One consistent read of Credentials, 1 unit, and what `end_sign_ins_with` costs.
    """
    if by.is_staff and settings.STAFF_SECOND_FACTOR:
        raise StaffNeedsIt
    factor = check_own_password(by=by, password=password)
    if not factor.is_on:
        return
    unproved = [SignIn.proved_at.remove(), SignIn.proved_with.remove()]
    here = Change(SignIn, keys.sign_in(by.user_id, by.secret_hash), unproved)
    turned_off = replace(factor.use(code), actions=ALL_OF_IT)
    _end_sign_ins(turned_off, by, kept=here, letter="second-factor-off")
    note_event(Event.FACTOR_OFF, account=by.user_id)


@access_pattern
def reset_second_factor(*, user_id: str) -> None:
    """Turns off two-step verification for someone who lost their phone, and ends all their sign-ins. For the command
    line only. Costs what `end_sign_ins_with` does."""
    end_sign_ins_with(Change(Credentials, keys.credentials(user_id), ALL_OF_IT), user_id=user_id)
    note_event(Event.FACTOR_RESET, account=user_id)


def _end_sign_ins(
    credentials: Change, by: Viewer, *checks: Check, kept: Change, letter: str
) -> None:
    told = post_mail(letter, user_id=by.user_id)
    end_sign_ins_with(credentials, user_id=by.user_id, kept=kept, and_also=[*checks, told])


def _hashes(by: Viewer, codes: list[str]) -> set[str]:
    return {hash_recovery_code(code, user_id=by.user_id) for code in codes}
