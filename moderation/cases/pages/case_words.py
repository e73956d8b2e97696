"""The words moderators read about cases and the people in them. Those of actions: `rules/preset_texts.py`."""

from datetime import datetime

from django.utils.timezone import now
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.restrictions import Restriction
from moderation.models import Queue

SUBJECTS = {
    Queue.REPORTS: _("Reports"),
    Queue.APPEALS: _("Appeal"),
    Queue.HELD: _("Held post"),
    Queue.SIGN_UPS: _("Sign-up"),
}
RESTRICTED = {
    Restriction.LIMITED: _("Limited"),
    Restriction.FROZEN: _("Frozen"),
    Restriction.SUSPENDED: _("Suspended"),
}


def age_text(since: datetime) -> str:
    """Returns the age of an account in its largest useful unit."""
    days = (now() - since).days
    if days < 1:
        return gettext("Joined today")
    if days < 60:
        return ngettext("Joined %(n)d day ago", "Joined %(n)d days ago", days) % {"n": days}
    months = days // 30
    if months < 24:
        return ngettext("Joined %(n)d month ago", "Joined %(n)d months ago", months) % {"n": months}
    return ngettext("Joined %(n)d year ago", "Joined %(n)d years ago", days // 365) % {
        "n": days // 365
    }


def strikes_text(strikes: int) -> str:
    """Returns the number of strikes against someone, in words."""
    if not strikes:
        return gettext("No strikes")
    text = ngettext("%(n)d strike", "%(n)d strikes", strikes)
    return text % {"n": strikes}
