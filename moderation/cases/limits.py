"""What junior moderators may do: staff set it (`moderation/seniors/`), and every service that acts asks here. What is
beyond it, and what a junior asked about, is for seniors: everyone else who decides cases."""

from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.permissions import JUNIOR, is_junior
from moderation.models import ActionKind, Case
from socialsite.clock import utc_now
from socialsite.site_settings.levels import Level
from socialsite.site_settings.site_rules import site_rules
from socialsite.table import TableError, fetch, keys, row

RESTRICTING = {
    ActionKind.NO_MESSAGES,
    ActionKind.LIMIT,
    ActionKind.FREEZE,
    ActionKind.SUSPEND,
}
ENDING = {ActionKind.DISMISS, ActionKind.CLOSE}
SLACK = timedelta(hours=1)  # between the form and the service
LEVELS = list(Level)


class BeyondLimits(TableError):
    """A junior moderator may not do this. `field` is the one of the form that says too much, empty for none."""

    status, template = 403, "moderation/cases/ask_senior.html"

    def __init__(self, told: str | Promise, field: str = "") -> None:
        super().__init__("beyond the limits of juniors")
        self.told, self.field = str(told), field


def must_be_within(by: Viewer, case: Case, kind: str, until: str = "") -> None:
    """Raises `BeyondLimits` if the viewer is a junior and the action, taken or undone, is not for juniors: in a case
    about which a senior was asked, for longer than they may, or against someone more trusted. Ending reports is against
    nobody. Costs nothing for everyone else; where juniors may not act against all levels, one consistent BatchGetItem,
    1 read unit."""
    if not is_junior(by):
        return
    if case.raised:
        raise BeyondLimits(_("A senior was asked about this case, and answers first."))
    site = site_rules()
    if kind in RESTRICTING or (kind == ActionKind.REMOVE and until):
        _must_end_within(until, site.junior_days)
    if kind not in ENDING and _is_above(case.person_id, site.junior_level):
        raise BeyondLimits(
            _("Junior moderators act only against people of lower levels than this one.")
        )


def must_fit_a_wave(by: Viewer, cases: int) -> None:
    """Raises `BeyondLimits` if the viewer is a junior and the wave is about more cases than juniors may take at
    once."""
    most = site_rules().junior_wave
    if is_junior(by) and cases > most:
        told = ngettext_lazy(
            "Junior moderators act on %(n)d case at once at most.",
            "Junior moderators act on %(n)d cases at once at most.",
            most,
        )
        raise BeyondLimits(told % {"n": most}, "include")


def may_answer_appeals(role: str, kind: str) -> bool:
    """Whether people with this role answer appeals against such an action: those against restrictions are for seniors,
    and so are those for an illegal picture, which would come back."""
    return role != JUNIOR or kind not in {*RESTRICTING, ActionKind.REMOVE}


def must_answer_appeals(by: Viewer, case: Case, kind: str) -> None:
    """Raises `BeyondLimits` for a junior who is not to answer an appeal against such an action."""
    if is_junior(by) and (case.raised or not may_answer_appeals(JUNIOR, kind)):
        raise BeyondLimits(_("A senior answers this appeal."))


def _must_end_within(until: str, days: int) -> None:
    if not _is_longer(until, days):
        return
    if not days:
        raise BeyondLimits(_("Junior moderators restrict nobody."), "end")
    most = ngettext_lazy(
        "Junior moderators restrict people for %(n)d day at most.",
        "Junior moderators restrict people for %(n)d days at most.",
        days,
    )
    raise BeyondLimits(most % {"n": days}, "end")


def _is_longer(until: str, days: int) -> bool:
    if not until:
        return True
    return datetime.fromisoformat(until) > utc_now() + timedelta(days=days) + SLACK


def _is_above(user_id: str, level: str) -> bool:
    most = LEVELS.index(Level.of(level))
    if most == len(LEVELS) - 1:
        return False
    key = keys.user_info(user_id)
    stored = row(UserInfo, fetch([key], consistent=True).get(key, {})).level
    return LEVELS.index(Level.of(stored)) > most
