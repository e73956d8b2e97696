"""The challenge that a passkey signs: random, for this browser, for five minutes, and for one use.

The signed session says what was asked and until when. It cannot say what was used, because an old cookie can be sent
again. So the transaction of the use writes `challenge#<hash>`, which must not exist yet.
"""

import hashlib
import secrets
import time
from datetime import timedelta

from django.contrib.sessions.backends.base import SessionBase
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from accounts.models import UsedChallenge
from accounts.passkeys.answers import Answer, WrongPasskey
from socialsite.clock import utc_now
from socialsite.table.actions import Create

SESSION_CHALLENGES = (
    "challenges"  # the newest first, each with the second until which it may be answered
)
SECONDS = 300
MOST = 3  # tabs that ask at the same time
BYTES = 32


def new_challenge(session: SessionBase) -> bytes:
    """Returns a challenge, and keeps it in the session."""
    challenge = secrets.token_bytes(BYTES)
    kept = [bytes_to_base64url(challenge), int(time.time()) + SECONDS]
    session[SESSION_CHALLENGES] = [kept, *_alive(session)][:MOST]
    return challenge


def take_challenge(session: SessionBase, answer: Answer) -> bytes:
    """Returns the challenge that the answer says it answers, and takes it out of the session. Raises `WrongPasskey` if
    this browser was not asked it, or too long ago."""
    alive = _alive(session)
    session[SESSION_CHALLENGES] = [kept for kept in alive if kept[0] != answer.challenge]
    if len(session[SESSION_CHALLENGES]) == len(alive):
        raise WrongPasskey("not asked here, or too long ago")
    return base64url_to_bytes(answer.challenge)


def use_up(challenge: bytes) -> Create:
    """Returns the action that uses a challenge up, for the transaction of what it proves. That transaction raises
    `WrongPasskey` if it was used before."""
    used = UsedChallenge.new(
        challenge_hash=hashlib.sha256(challenge).hexdigest(),
        use=secrets.token_urlsafe(8),
        ttl=utc_now() + timedelta(seconds=2 * SECONDS),
    )
    return Create(used, otherwise=WrongPasskey)


def _alive(session: SessionBase) -> list[list[object]]:
    now = time.time()
    return [kept for kept in session.get(SESSION_CHALLENGES, []) if kept[1] > now]
