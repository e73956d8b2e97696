"""What junior moderators may do: staff set it (`moderation/seniors/`), and every service that acts asks here. What is
beyond it, and what a junior asked about, is for seniors: everyone else who decides cases."""

from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.permissions import JUNIOR, is_junior
from moderation.models import ActionKind, Case, CaseKind
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
    _must_not_be_asked(case)
    must_restrict_within(by, kind, until)
    level = site_rules().junior_level
    if kind in ENDING or LEVELS.index(Level.of(level)) == len(LEVELS) - 1:
        return
    key = keys.user_info(case.person_id)
    _must_not_be_above(row(UserInfo, fetch([key], consistent=True).get(key, {})), level)


def must_be_within_person(by: Viewer, user_id: str) -> None:
    """Raises `BeyondLimits` if the viewer is a junior and what is done about someone without a decision of their case
    is not for juniors: a senior was asked about it, or they are more trusted. Costs nothing for everyone else,
    otherwise one consistent BatchGetItem, 2 read units."""
    if not is_junior(by):
        return
    case, info = keys.case(CaseKind.PERSON, user_id), keys.user_info(user_id)
    found = fetch([case, info], consistent=True)
    _must_not_be_asked(row(Case, found.get(case, {})))
    _must_not_be_above(row(UserInfo, found.get(info, {})), site_rules().junior_level)


def must_be_senior(by: Viewer) -> None:
    """Raises `BeyondLimits` for a junior, whatever their limits."""
    if is_junior(by):
        raise BeyondLimits(_("This is for a senior"))


def must_restrict_within(by: Viewer, kind: str, until: str) -> None:
    """Raises `BeyondLimits` if the viewer is a junior and the action restricts someone for longer than they may.
    Removing pictures restricts where it names an end."""
    if kind in RESTRICTING or (kind == ActionKind.REMOVE and until):
        must_end_within(by, until)


def must_end_within(by: Viewer, until: str) -> None:
    """Raises `BeyondLimits` if the viewer is a junior and until then (empty for ever) is longer than they may."""
    days = site_rules().junior_days
    if not is_junior(by) or not _is_longer(until, days):
        return
    if not days:
        raise BeyondLimits(_("Junior moderators restrict nobody."), "end")
    most = ngettext_lazy(
        "Junior moderators restrict people for %(n)d day at most.",
        "Junior moderators restrict people for %(n)d days at most.",
        days,
    )
    raise BeyondLimits(most % {"n": days}, "end")


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


def _is_longer(until: str, days: int) -> bool:
    if not until:
        return True
    return datetime.fromisoformat(until) > utc_now() + timedelta(days=days) + SLACK


def _must_not_be_asked(case: Case) -> None:
    if case.raised:
        raise BeyondLimits(_("A senior was asked about this case, and answers first."))


def _must_not_be_above(info: UserInfo, level: str) -> None:
    if LEVELS.index(Level.of(info.level)) > LEVELS.index(Level.of(level)):
        raise BeyondLimits(
            _("Junior moderators act only against people of lower levels than this one.")
        )
