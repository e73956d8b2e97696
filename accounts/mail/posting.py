"""Posts a letter: the action for the transaction that is its reason, so that there is never one without the other."""

from django.utils.translation import get_language

from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.table import ids
from socialsite.table.actions import Create

MAIL = "mail"  # the kind of due work


def post_mail(letter: str, *, user_id: str, event: str = "", **facts: str) -> Create:
    """Returns the action that posts a letter. 2 write units.

    The letter is written when it is sent, so `facts` hold what only this moment knows: no address, no text, no secret.
    `event` names what the letter tells of, in every try of sending it.
    """
    now = utc_now()
    return plan(
        MAIL,
        moment=now,
        subject=f"{letter}.{user_id}.{event or ids.new_id()}",
        letter=letter,
        user=user_id,
        posted=now.isoformat(),
        language=get_language() or "",
        **facts,
    )
