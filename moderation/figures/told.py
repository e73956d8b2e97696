"""What items of moderation tell for the figures of a year: when something happened, and the name under which it counts.
The stream worker counts these, and `checks.py` those of before."""

from datetime import datetime

from moderation.cases.reads import THE_SITE
from moderation.figures import names
from moderation.figures.names import name_of
from moderation.models import ActionKind, Appeal, Case, CaseAction, CaseReport, Strike
from moderation.staff.overview import step_of
from socialsite.site_settings.site_setup import OTHER
from socialsite.table import ids

Figure = tuple[datetime, str]  # when it happened, and its name


def notice_figure(report: CaseReport) -> Figure:
    what = names.FLAGGED if report.reporter_id == THE_SITE else names.NOTICES
    return datetime.fromisoformat(report.reported_at), name_of(what, report.rule_id or OTHER)


def measure_figures(action: CaseAction, *, is_noticed: bool = False) -> list[Figure]:
    """Returns the action, and if it is known, how long after the first report it came. `is_noticed` says that people
    had reported where the action does not say so itself."""
    if action.kind == ActionKind.CLOSE:
        return []
    at = ids.time_of(action.action_id)
    source = names.NOTICE if action.noticed_at or is_noticed else names.OWN
    by = names.BY_FILTER if action.word_id else names.BY_HAND
    rule = action.rule_id or OTHER
    found = [
        (at, name_of(names.ACTIONS, kind, rule, source, by))
        for kind in _kinds(action.kind, action.until)
    ]
    if action.noticed_at and not action.word_id:
        noticed = datetime.fromisoformat(action.noticed_at)
        found.append((at, name_of(names.TO_ACT, step_of(noticed, at))))
    return found


def redress_figures(strike: Strike) -> list[Figure]:
    """Returns all that a strike says of appeals and of what was taken back, with what is known of when."""
    decided = ids.time_of(strike.action_id)
    appealed, undone, refused = (
        datetime.fromisoformat(moment) if moment else None
        for moment in (strike.appealed_at, strike.undone_at, strike.answered_at)
    )
    by = names.BY_FILTER if strike.automatic else names.BY_HAND
    about = strike.kind, by
    found: list[Figure] = []
    if strike.appeal or appealed:
        found.append((appealed or decided, name_of(names.APPEALS, *about)))
    answered = (
        {Appeal.GRANTED: undone, Appeal.REFUSED: refused}.get(Appeal(strike.appeal))
        if strike.appeal
        else None
    )
    if strike.appeal in (Appeal.GRANTED, Appeal.REFUSED):
        what = names.GRANTED if strike.appeal == Appeal.GRANTED else names.REFUSED
        found.append((answered or decided, name_of(what, *about)))
        if appealed and answered:
            found.append((answered, name_of(names.TO_ANSWER, step_of(appealed, answered))))
    if undone:
        why = names.AFTER_APPEAL if strike.appeal == Appeal.GRANTED else names.BY_THEMSELVES
        kinds = _kinds(strike.kind, strike.until)
        found += [(undone, name_of(names.TAKEN_BACK, kind, by, why)) for kind in kinds]
    return found


def _kinds(kind: str, until: str | None) -> list[str]:
    """Returns the kinds as which an action counts: one that removes pictures and suspends the account counts as
    both."""
    suspends = kind == ActionKind.REMOVE and until
    return [kind, ActionKind.SUSPEND] if suspends else [kind]


def held_figure(case: Case) -> Figure:
    return datetime.fromisoformat(case.opened_at), name_of(names.HELD, case.kind)
