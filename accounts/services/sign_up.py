"""Signing up: handle and email are claimed in one transaction with the profile."""

from accounts.admission import FREELY, Admission, check_invite, take_invite
from accounts.encryption.emails import encrypt_email
from accounts.encryption.person_keys import new_person_key
from accounts.mail.posting import post_mail
from accounts.models import (
    Credentials,
    HandleClaim,
    UserCount,
    UserInfo,
    UserSettings,
)
from accounts.services.addresses.claims import claim
from accounts.services.addresses.domains import list_under_domain
from accounts.services.sign_in import today
from accounts.signing_in.hashers import hash_password
from socialsite.models import Staff
from socialsite.table import ids
from socialsite.table.actions import Create, WriteAction
from socialsite.table.errors import AlreadyExists, Conflict, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact
from socialsite.web.bounds.limits import Limit, hit
from socialsite.web.observing.security_log import Event, note_event
from socialsite.web.preferences import Preferences

DAY = 86_400  # seconds


class HandleTaken(AlreadyExists):
    """Someone has this handle."""


class EmailTaken(AlreadyExists):
    """Someone has confirmed this email address."""


class TooManyToday(TableError):
    """The site has reached its sign-up limit for today, so others wait for a moderator."""


class _InviteRefused(TableError):
    """The invitation has no uses left, or does not exist."""


@access_pattern
def sign_up(
    *,
    handle: str,
    name: str,
    email: str,
    password: str,
    role: str | None = None,
    preferences: Preferences | None = None,
    admission: Admission = FREELY,
    confirmed: bool = False,
) -> str:
    """Creates a person and returns their id. Raises `HandleTaken` and, depending on the terms of joining,
    `InviteUnknown`, `InviteUsedUp`, `TooManyToday`.

    A letter asks them to confirm their address, and until then it is only a wish. The same is written whether or not
    another account has it. With `confirmed` it is theirs at once, which raises `EmailTaken`: for the command line.

    One TransactWriteItems puts HandleClaim, the letter or EmailClaim, UserInfo, UserCount, UserSettings, PersonKey and
    Credentials, all or nothing: 14 write units, and for a claim 2 for the entry of the domain and 2 for each earlier
    `DATA_KEY` of the settings. People
    with a `role` are listed as Staff too. Taking a use of an invitation costs 2 more, and so does counting towards the
    site's daily limit. The stream worker lists them in the directory.
    """
    user_id = ids.new_id()
    hashed = hash_password(password)
    chosen = str(preferences) if preferences else None
    info = UserInfo.new(user_id=user_id, handle=handle, name=name, role=role)
    own = UserSettings.new(user_id=user_id, seen=today(), preferences=chosen)
    if admission.waits:
        info.waiting, own.asked = "yes", admission.asked or None
    if not confirmed:
        own.unconfirmed = "yes"
    key, create_key = new_person_key(user_id)
    encrypted = encrypt_email(email, key=key)
    try:
        transact(
            Create(HandleClaim.new(handle=handle, user_id=user_id), HandleTaken, over_expired=True),
            *_address(email, user_id, confirmed),
            *_taken(admission),
            Create(info),
            Create(UserCount.new(user_id=user_id)),
            Create(own),
            create_key,
            Create(
                Credentials.new(
                    user_id=user_id, password=hashed, email=encrypted, confirmed=confirmed
                )
            ),
            *([Create(Staff.new(user_id=user_id))] if role else []),
        )
    except _InviteRefused as error:
        check_invite(admission.invite)
        raise Conflict("the invitation came back meanwhile") from error
    note_event(Event.SIGNED_UP, account=user_id)
    return user_id


def _address(email: str, user_id: str, confirmed: bool) -> list[WriteAction]:
    """Returns the actions that claim the address, or that post the letter which asks to confirm it."""
    if confirmed:
        listed = list_under_domain(email, user_id=user_id)
        return [*claim(email, user_id=user_id, otherwise=EmailTaken), *listed]
    return [post_mail("confirm-email", user_id=user_id, token=ids.new_id())]


def _taken(admission: Admission) -> list[WriteAction]:
    """Returns the actions that use up what these terms limit."""
    if admission.invite:
        return [take_invite(admission.invite, otherwise=_InviteRefused)]
    if admission.most_a_day and not admission.waits:
        a_day = Limit("sign-ups", admission.most_a_day, DAY)
        return [hit(a_day, "all", otherwise=TooManyToday)]
    return []
