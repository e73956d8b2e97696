"""What a wave does about one of its cases, the same as if the moderator decided it alone."""

import hashlib
from datetime import datetime
from functools import partial
from itertools import islice

from accounts.models import UserInfo, UserSettings
from accounts.viewer import Viewer
from moderation.audit.record import record_made
from moderation.cases.cases import CaseMoved, is_looked_at_by_another, is_open, read_case
from moderation.cases.services.decide import (
    MOST_POSTS,
    Decision,
    IsStaff,
    NotForThisCase,
    NothingToActOn,
    OwnCase,
    check_decision,
    decide_actions,
    detail_of,
)
from moderation.models import (
    WITHOUT_EFFECT,
    ActionKind,
    Case,
    CaseKind,
    CaseReport,
    Wave,
    WaveTarget,
)
from moderation.people.services.open_case import open_case
from moderation.waves.waves import WaveDecision, Why, case_id_of, may_act
from relations.relation import CannotRelateToYourself
from socialsite.table import ids, keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, query
from socialsite.table.row import row
from socialsite.table.writing import change
from socialsite.web.preferences import parse

TRIES = 5
MOST_REPORTS = 50  # whose posts are looked at
REFUSED = {
    OwnCase: Why.OWN,
    IsStaff: Why.STAFF,
    NotForThisCase: Why.UNFIT,
    NothingToActOn: Why.NOTHING,
    NotFound: Why.GONE,
}


class ActedBefore(AlreadyExists):
    """The wave acted on this case in an earlier try."""


@access_pattern
def act_on_target(*, by: Viewer, wave: Wave, target: WaveTarget) -> bool:
    """Carries out the wave's decision about one of its cases, and returns whether it was. Otherwise notes in the target
    why not. Safe to repeat: the target notes the action in the transaction that takes it.

    A case that the moderator chose must be as they saw it. Of people who were chosen otherwise, reports that the
    preview did not show still wait afterwards. A person without a case is reported first, by the moderator.

    As `decide_case`, with one consistent BatchGetItem of 2 read units and 2 write units more; a Query of the reports
    for the posts, and `open_case` for someone without a case.
    """
    if target.action_id or target.why_not:
        return bool(target.action_id)
    decision = WaveDecision.of(wave)
    if not may_act(by, CaseKind(wave.case_kind), decision.kind):
        return _leave(wave, target, Why.NOT_PERMITTED)
    try:
        return _act(by, wave, target, decision)
    except tuple(REFUSED) as refused:
        why = next(why for kind, why in REFUSED.items() if isinstance(refused, kind))
        return _leave(wave, target, why)
    except ActedBefore:
        return True


def _act(by: Viewer, wave: Wave, target: WaveTarget, decision: WaveDecision) -> bool:
    case_id = case_id_of(target)
    if decision.kind in WITHOUT_EFFECT and not (target.version or target.seen_version):
        return _leave(wave, target, Why.UNFIT)
    for _ in range(TRIES):
        case = _read_or_open(by, target, decision)
        if target.version and int(case.version) != int(target.version):
            return _leave(wave, target, Why.MOVED)
        if case.person_id == by.user_id:
            raise OwnCase
        if decision.kind == ActionKind.DISMISS and case.acted:
            return _leave(wave, target, Why.UNFIT)
        saw_all = _saw_reports(by, target, case)
        if decision.kind in WITHOUT_EFFECT and not saw_all:
            return _leave(wave, target, Why.MOVED)
        if case.appealed and case.kind == CaseKind.POST:
            return _leave(wave, target, Why.APPEALED)
        if is_looked_at_by_another(case, by.user_id):
            return _leave(wave, target, Why.REVIEWED)
        found = fetch(
            [keys.user_info(case.person_id), keys.user_settings(case.person_id)], consistent=True
        )
        role = row(UserInfo, found.get(keys.user_info(case.person_id), {})).role
        if role:
            return _leave(wave, target, Why.STAFF)
        settings = row(UserSettings, found.get(keys.user_settings(case.person_id), {}))
        preferences = parse(settings.preferences)
        made = decision.about(
            _posts(case, target, decision),
            language=preferences.language if preferences else "",
            keep_open=not saw_all,
        )
        try:
            check_decision(by, case, made, role=role)
            record_made(
                partial(_actions, by, wave, target, case, made),
                by=by.user_id,
                action=made.kind,
                case=str(case_id),
                person_id=case.person_id,
                detail={**detail_of(case, made), "wave": wave.wave_id},
            )
        except CaseMoved:
            continue  # a post of theirs changed, or the case, which is read again
        return True
    return _leave(wave, target, Why.MOVED)


def _read_or_open(by: Viewer, target: WaveTarget, decision: WaveDecision) -> Case:
    case_id = case_id_of(target)
    try:
        return read_case(case_id)
    except NotFound:
        if target.version or case_id.kind != CaseKind.PERSON:
            raise
    try:
        open_case(
            by=by,
            person_id=case_id.subject_id,
            rule_id=decision.rule_id,
            posts=sorted(target.posts or ()),
        )
    except CannotRelateToYourself:
        raise OwnCase from None
    return read_case(case_id)


def _saw_reports(by: Viewer, target: WaveTarget, case: Case) -> bool:
    """Whether the moderator saw all reports of the case, in a queue or in the preview, or made the only one, so that
    nothing is left to look at."""
    if target.version or not is_open(case) or int(case.version) == int(target.seen_version or 0):
        return True
    if case.reports != 1 or case.appealed:
        return False
    key = keys.case_report(case.kind, case.subject_id, by.user_id)
    report = row(CaseReport, fetch([key], consistent=True).get(key, {}))
    return bool(report.round == case.round)


def _posts(case: Case, target: WaveTarget, decision: WaveDecision) -> list[str]:
    """Returns the posts to act on: the chosen ones, otherwise those that were reported in this round."""
    if not decision.acts_on_posts or case.kind != CaseKind.PERSON:
        return []
    if target.posts:
        return sorted(target.posts)
    reports = query(
        keys.case_partition(case.kind, case.subject_id),
        between=keys.report_bounds(),
        limit=MOST_REPORTS,
        consistent=True,
    )
    of_round = (row(CaseReport, raw) for raw in islice(reports, MOST_REPORTS))
    posts = {post for one in of_round if one.round == case.round for post in one.posts}
    return sorted(posts, reverse=True)[:MOST_POSTS]


def _actions(
    by: Viewer, wave: Wave, target: WaveTarget, case: Case, decision: Decision
) -> list[WriteAction]:
    action_id = _action_id(wave, target)
    free = WaveTarget.action_id.does_not_exist() & WaveTarget.why_not.does_not_exist()
    noted = [WaveTarget.action_id.set(action_id)]
    return [
        Change(WaveTarget, target.key, noted, free, ActedBefore),
        *decide_actions(by.user_id, case, decision, action_id),
    ]


def _action_id(wave: Wave, target: WaveTarget) -> str:
    """Returns the id of the action, always the same one for this wave and case."""
    of_both = f"{wave.wave_id} {case_id_of(target)}".encode()
    moment = datetime.fromisoformat(str(wave.started_at))
    return ids.id_at(moment, hashlib.sha256(of_both).digest()[:10])


def _leave(wave: Wave, target: WaveTarget, why: Why) -> bool:
    """Notes why nothing was done. Returns False."""
    change(WaveTarget, target.key, [WaveTarget.why_not.set(why)])
    return False
