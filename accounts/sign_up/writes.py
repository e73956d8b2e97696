"""Signing up: handle and email are claimed in one transaction with the profile.

The form works out the terms from the site's settings: freely, by an invitation, or after a moderator approves. A form
that was sent before, so that only its answer was lost, signs in whom it signed up.
"""

import re
from dataclasses import dataclass
from datetime import timedelta

from accounts.addresses.writes import find_wished_address
from accounts.credentials.passwords import WrongPassword, hash_password
from accounts.encryption.emails import claim, encrypt_email, list_under_domain, normalize_email
from accounts.encryption.person_keys import new_person_key
from accounts.models import Credentials, HandleClaim, UserCount, UserInfo, UserSettings
from accounts.notices import CONFIRM_EMAIL
from accounts.people.reads import HandleTaken
from accounts.sessions import today
from accounts.sign_in.browsers import password_lanes
from accounts.sign_in.writes import check_password, find_account
from socialsite.clock import utc_now
from socialsite.models import Staff
from socialsite.observing.logs import Event, note_event
from socialsite.site_settings.models import Invite
from socialsite.table import (
    AlreadyExists,
    Change,
    Conflict,
    Create,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    get,
    ids,
    keys,
    transact,
)
from socialsite.telling import Cause, tell
from socialsite.web.limits import Limit, LimitReached, give_back, hit, take_turn
from socialsite.web.preferences import Preferences

CODE = re.compile(r"[A-Za-z0-9_-]{8,40}")


@dataclass(frozen=True, slots=True)
class Admission:
    """The terms of one sign-up. By default there are none, as for `createadmin` and the demo people."""

    waits: bool = False  # whether they wait until a moderator approves
    asked: str = ""  # why they would like to join
    invite: str = ""  # its code loses a use
    most_a_day: int = 0  # sign-ups a day without an invitation; 0: no limit


FREELY = Admission()


class InviteUnknown(TableError):
    """The invitation does not exist, or has ended."""


class InviteUsedUp(TableError):
    """The invitation has no uses left."""


@access_pattern
def check_invite(code: str) -> None:
    """Raises `InviteUnknown` or `InviteUsedUp` if signing up with this code would. Consistent GetItem `site#invite`, 1
    read unit."""
    if not CODE.fullmatch(code):
        raise InviteUnknown(code)
    try:
        invite = get(Invite, keys.invite(code), consistent=True)
    except NotFound as error:
        raise InviteUnknown(code) from error
    if invite.uses_left < 1:
        raise InviteUsedUp(code)


def take_invite(code: str, *, otherwise: type[TableError]) -> Change:
    """Returns the action that takes one use of the invitation, for the sign-up transaction."""
    is_live = Invite.ttl > utc_now()
    return Change(
        Invite,
        keys.invite(code),
        [Invite.uses_left.add(-1)],
        condition=(Invite.uses_left > 0) & is_live,
        otherwise=otherwise,
    )


DAY = 86_400  # seconds


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
    key, create_key = new_person_key(user_id, is_staff=bool(role))
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
    return tell(user_id, CONFIRM_EMAIL, Cause(facts={"token": ids.new_id()})).actions()


def _taken(admission: Admission) -> list[WriteAction]:
    """Returns the actions that use up what these terms limit."""
    if admission.invite:
        return [take_invite(admission.invite, otherwise=_InviteRefused)]
    if admission.most_a_day and not admission.waits:
        a_day = Limit("sign-ups", admission.most_a_day, DAY)
        return [hit(a_day, "all", otherwise=TooManyToday)]
    return []


JUST_SIGNED_UP = timedelta(hours=1)


def who_just_signed_up(*, handle: str, email: str, password: str, address: str) -> str:
    """Returns the id of an account with all three that is at most an hour old and has still to confirm its
    address, empty if there is none.

    The password counts as a try at the sign-in page does, so this tells nobody more than that. An older account is not
    asked, or people who try for a taken handle would slow down the sign-in of its owner. Costs what `find_account`
    costs, and for a new account what the lanes and its address cost. After too many tries nobody is asked any more.
    """
    found = find_account(handle)
    if not found.user_id or utc_now() - ids.time_of(found.user_id) > JUST_SIGNED_UP:
        return ""
    lanes = password_lanes(handle, address=address, browser_id="")
    try:
        take_turn(lanes)
        check_password(found, password)
    except (LimitReached, WrongPassword):
        return ""
    give_back(lanes)
    is_same = normalize_email(find_wished_address(found.user_id)) == normalize_email(email)
    return found.user_id if is_same and not found.has_second_factor else ""
