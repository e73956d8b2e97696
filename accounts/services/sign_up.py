"""Signing up: handle and e-mail are claimed in one transaction with the profile."""

from accounts.emails import email_hmac, encrypt_email
from accounts.hashers import hash_password
from accounts.models import (
    Credentials,
    EmailClaim,
    HandleClaim,
    UserCount,
    UserInfo,
    UserSettings,
)
from accounts.services.sign_in import today
from socialsite.table import ids
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact
from socialsite.web.preferences import Preferences


class HandleTaken(AlreadyExists):
    """Somebody has this handle."""


class EmailTaken(AlreadyExists):
    """Somebody signed up with this e-mail address."""


@access_pattern
def sign_up(
    *,
    handle: str,
    name: str,
    email: str,
    password: str,
    role: str | None = None,
    preferences: Preferences | None = None,
) -> str:
    """Creates a person and returns their id. Raises `HandleTaken`, `EmailTaken`.

    One TransactWriteItems puts HandleClaim, EmailClaim, UserInfo, UserCount, UserSettings and Credentials, all or
    nothing: 12 write units. The stream worker lists them in the directory.
    """
    user_id = ids.new_id()
    hmac = email_hmac(email)
    hashed = hash_password(password)
    chosen = str(preferences) if preferences else None
    transact(
        Create(HandleClaim.new(handle=handle, user_id=user_id), otherwise=HandleTaken),
        Create(EmailClaim.new(email_hmac=hmac, user_id=user_id), otherwise=EmailTaken),
        Create(UserInfo.new(user_id=user_id, handle=handle, name=name, role=role)),
        Create(UserCount.new(user_id=user_id)),
        Create(UserSettings.new(user_id=user_id, seen=today(), preferences=chosen)),
        Create(
            Credentials.new(
                user_id=user_id, password=hashed, email=encrypt_email(email, user_id=user_id)
            )
        ),
    )
    return user_id
