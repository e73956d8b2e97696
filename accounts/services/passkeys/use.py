"""What every use of a passkey does: its challenge is used up, and its counter goes on."""

from collections.abc import Iterator
from contextlib import contextmanager

from accounts.models import Passkey
from accounts.passkeys.answers import Answer, CounterWentBack, WrongPasskey, check_use
from accounts.passkeys.challenges import use_up
from accounts.passkeys.relying_party import RelyingParty
from accounts.services.sign_in import this_moment
from socialsite.table import keys
from socialsite.table.actions import Change, Create
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.web.observing.security_log import Event, note_event


@access_pattern
def get_passkey(user_id: str, answer: Answer) -> Passkey:
    """Returns the passkey of this person that the answer names. GetItem, 0.5 read units. Raises `WrongPasskey` if they
    have no such passkey."""
    try:
        return get(Passkey, keys.passkey(user_id, answer.credential_hash))
    except NotFound as error:
        raise WrongPasskey("not theirs") from error


def use_passkey(
    passkey: Passkey,
    answer: Answer,
    *,
    party: RelyingParty,
    challenge: bytes,
    must_verify: bool = True,
) -> list[Create | Change]:
    """Returns the two actions for the transaction of what the answer proves. Raises `WrongPasskey`. So does that
    transaction if the challenge was answered before, the passkey was removed meanwhile, or its counter has gone on."""
    use = check_use(answer, passkey, party=party, challenge=challenge, must_verify=must_verify)
    before = Passkey.counter
    noted = Change(
        Passkey,
        keys.passkey(passkey.user_id, answer.credential_hash),
        [
            before.set(use.counter),
            Passkey.backed_up.set(use.backed_up),
            Passkey.used.set(this_moment()),
        ],
        condition=(before < use.counter) if use.counter else (before == 0),
        otherwise=WrongPasskey,
    )
    return [use_up(challenge), noted]


@contextmanager
def noting_refusals(user_id: str) -> Iterator[None]:
    """Enters in the security log that an answer was refused."""
    try:
        yield
    except CounterWentBack:
        note_event(Event.PASSKEY_COPIED, account=user_id)
        raise
    except WrongPasskey:
        note_event(Event.WRONG_PASSKEY, account=user_id)
        raise
