"""Letters whose links do something: set a new password."""

from contextlib import suppress
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.access_patterns import find_user_by_email
from accounts.mail.letters import Facts, Letter, letter
from accounts.mail.recipients import Recipient, find_recipient
from accounts.signing_in.tokens import LASTS, Purpose, issue_token, new_token, secret_of
from socialsite.table.errors import NotFound


def owner_of_address(facts: Facts) -> Recipient | None:
    """Finds the person who confirmed the address that was typed. For most addresses there is nobody."""
    with suppress(NotFound):
        return find_recipient(find_user_by_email(facts["email"].split(), consistent=True))
    return None


@letter("reset-password", find=owner_of_address, life=LASTS[Purpose.RESET])
def reset_password(to: Recipient, facts: Facts) -> Letter | None:
    """Brings the link to set a new password."""
    posted = datetime.fromisoformat(facts["posted"])
    token = new_token(
        Purpose.RESET,
        facts["token"],
        user_id=to.user_id,
        epoch=to.epoch,
        until=posted + LASTS[Purpose.RESET],
    )
    if not issue_token(token):
        return None
    return Letter(
        _("Set a new password"),
        (
            _("Someone, probably you, asked for a new password for @%(handle)s.")
            % {"handle": to.handle},
            _("This link works once, for 30 minutes:"),
        ),
        button=_("Set a new password"),
        path=f"/password/reset/{secret_of(Purpose.RESET, facts['token'])}",
        after=(_("If it wasn’t you, ignore this letter. Your password stays as it is."),),
    )
