"""What moderators tell: people of what was decided about them, and members of staff of cases. Nobody is named: the
actors of a line stand for an action, a case or an appeal."""

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from socialsite import keys
from socialsite.telling import Actors, Line, OptOut, kind, plain

QUEUE = "/moderation/queue?queue="

DECISION = kind(
    "decision",
    "d",
    icon="shield-check",
    sentence=plain(_("The moderators made a decision about your account or your posts.")),
    actors=Actors.NOBODY,
    answer=_("See why"),
    answer_url="/standing",
    still=lambda user_id, actor, post_id: keys.strike(user_id, actor),
)


def _passed(line: Line) -> SafeString:
    text = ngettext(
        "%(n)d case was assigned to you", "%(n)d cases were assigned to you", line.count
    )
    return escape(text % {"n": line.count})


PASSED = kind(  # a case, by a colleague
    "passed",
    "w",
    switch=OptOut.CASES,
    icon="shield-check",
    sentence=_passed,
    actors=Actors.NOBODY,
    answer=_("See them"),
    answer_url=f"{QUEUE}mine",
)


def _appealed(line: Line) -> SafeString:
    text = ngettext(
        "%(n)d appeal is waiting for an answer",
        "%(n)d appeals are waiting for an answer",
        line.count,
    )
    return escape(text % {"n": line.count})


APPEALED = kind(  # against what another moderator decided
    "appealed",
    "g",
    switch=OptOut.CASES,
    icon="message-circle",
    sentence=_appealed,
    actors=Actors.NOBODY,
    answer=_("See them"),
    answer_url=f"{QUEUE}appeals",
)


def _waiting(line: Line) -> SafeString:
    text = ngettext(
        "%(n)d case has been waiting for a long time",
        "%(n)d cases have been waiting for a long time",
        line.count,
    )
    return escape(text % {"n": line.count})


WAITING = kind(  # for long; the line is about the tab in which the case is
    "waiting",
    "o",
    switch=OptOut.CASES,
    icon="clock",
    sentence=_waiting,
    actors=Actors.NOBODY,
    answer=_("See them"),
    answer_url=QUEUE + "{about}",
)
CASES_WAIT = kind("cases-waiting", switch=OptOut.CASES, by_letter=True)  # in the morning


def _danger(line: Line) -> SafeString:
    text = ngettext(
        "Someone may be in danger: %(n)d report waits",
        "Someone may be in danger: %(n)d reports wait",
        line.count,
    )
    return escape(text % {"n": line.count})


DANGER_REPORTED = kind(  # nobody switches this off; the line is about the tab in which the case is
    "danger-reported",
    "h",
    icon="triangle-alert",
    sentence=_danger,
    actors=Actors.NOBODY,
    answer=_("Look now"),
    answer_url=QUEUE + "{about}",
)
DANGER_WAITS = kind("danger-waits", by_letter=True)
SECURED = kind(
    "secured",
    "k",
    icon="shield-check",
    sentence=plain(
        _(
            "Someone else may have used your account, so the moderators secured it. You are not in trouble."
        )
    ),
    actors=Actors.NOBODY,
    answer=_("See what to do"),
    answer_url="/secured",
    still=lambda user_id, actor, post_id: keys.secured(user_id, actor),
)
HELP_OFFERED = kind(
    "help-offered",
    "j",
    icon="heart",
    sentence=plain(_("The moderators wrote to you. You are not in trouble.")),
    actors=Actors.NOBODY,
    answer=_("Read it"),
    answer_url="/help/now",
    still=lambda user_id, actor, post_id: keys.help_offer(user_id, actor),
)


def _raised(line: Line) -> SafeString:
    text = ngettext(
        "A moderator asks you about %(n)d case",
        "Moderators ask you about %(n)d cases",
        line.count,
    )
    return escape(text % {"n": line.count})


RAISED = kind(  # by a junior, to the seniors
    "raised",
    "y",
    switch=OptOut.CASES,
    icon="flag",
    sentence=_raised,
    actors=Actors.NOBODY,
    answer=_("See them"),
    answer_url=f"{QUEUE}seniors",
)
RAISED_LETTER = kind("raised-letter", switch=OptOut.CASES, by_letter=True)


def _answered(line: Line) -> SafeString:
    text = ngettext(
        "A senior answered you about %(n)d case",
        "A senior answered you about %(n)d cases",
        line.count,
    )
    return escape(text % {"n": line.count})


SENIOR_ANSWERED = kind(
    "senior-answered",
    "z",
    switch=OptOut.CASES,
    icon="message-circle",
    sentence=_answered,
    actors=Actors.NOBODY,
    answer=_("See them"),
    answer_url=f"{QUEUE}mine",
)
