"""Letters about leaving and about people's data: an account that will be deleted, a copy that is ready."""

from datetime import datetime

from django.utils.translation import gettext as _

from accounts.mail.letters import Facts, Letter, letter
from accounts.mail.recipients import Recipient
from socialsite.web.time_zones import full_date


@letter("account-closing")
def account_closing(to: Recipient, facts: Facts) -> Letter:
    """Tells when the account will be deleted, and how to keep it."""
    known = {"handle": to.handle, "time": full_date(datetime.fromisoformat(facts["closing"]))}
    return Letter(
        _("Your account will be deleted"),
        (
            _("@%(handle)s is closed and will be deleted on %(time)s.") % known,
            _("To keep your account, or if it wasn’t you who closed it, sign in before then:"),
        ),
        button=_("Keep my account"),
        path="/login",
    )


@letter("export-ready")
def export_ready(to: Recipient, facts: Facts) -> Letter:
    """Tells that the copy of a person's data can be downloaded, and for how long."""
    return Letter(
        _("Your copy is ready"),
        (
            _(
                "The copy of your data that you asked for is ready. You can download it for 24 hours."
            ),
            _("If you didn’t ask for it, change your password and sign out of other browsers."),
        ),
        button=_("Download your copy"),
        path="/settings/export",
    )
