"""Making a wave (a draft, which shows what it would do), starting it (from then on the stream worker carries out its
decision), what it does about one of its cases, the same as if the moderator decided it alone, and undoing every action
that it took, each as if a moderator undid it."""

import hashlib
from collections.abc import Collection, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from itertools import islice

from accounts.models import UserInfo, UserSettings
from accounts.people.viewer import Viewer
from moderation.bulk_decisions.reads import (
    KEPT,
    MOST_TARGETS,
    TooManyTargets,
    WaveDecision,
    WaveMoved,
    Why,
    case_id_of,
    may_act,
    read_wave,
)
from moderation.cases.decisions import (
    MOST_POSTS,
    Decision,
    IsStaff,
    NotForThisCase,
    NothingToActOn,
    check_decision,
    decide_actions,
    detail_of,
)
from moderation.cases.limits import (
    BeyondLimits,
    must_be_within_person,
    must_fit_a_wave,
    must_restrict_within,
)
from moderation.cases.reads import (
    CaseId,
    CaseMoved,
    OwnCase,
    is_looked_at_by_another,
    is_open,
    read_case,
)
from moderation.items.models import Wave, WaveTarget
from moderation.log.writes import record, record_made
from moderation.models import (
    WITHOUT_EFFECT,
    ActionKind,
    Case,
    CaseKind,
    CaseReport,
    Hint,
    WaveState,
)
from moderation.people.writes import open_case
from moderation.suspicions.reads import Target, in_the_log, list_hints_within
from relations.relation import CannotRelateToYourself
from socialsite.clock import utc_now, utc_now_iso
from socialsite.streams import Job, JobKind
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Key,
    NotFound,
    WriteAction,
    access_pattern,
    change,
    create,
    fetch,
    ids,
    keys,
    query,
    reading,
    row,
    transact,
    write_batch,
)
from socialsite.web.preferences import parse


@access_pattern
def make_wave(
    *, by: Viewer, targets: Sequence[Target], decision: WaveDecision, hint_id: str = ""
) -> str:
    """Writes down a wave about cases of one kind, which does nothing until it is started. `hint_id` is the hint that
    led to it. Returns its id. Raises `TooManyTargets`.

    One BatchWriteItem for 25 targets, 1 write unit each, then one PutItem. The wave comes last, so that one that is
    listed has all its targets.
    """
    if len(targets) > MOST_TARGETS:
        raise TooManyTargets(MOST_TARGETS)
    wave_id, ttl = ids.new_id(), utc_now() + KEPT
    write_batch(
        puts=[
            WaveTarget.new(
                wave_id=wave_id,
                kind=target.case_id.kind,
                subject_id=target.case_id.subject_id,
                version=target.version,
                seen_version=target.seen_version or None,
                posts=target.posts,
                ttl=ttl,
            )
            for target in targets
        ]
    )
    wave = Wave.new(
        wave_id=wave_id,
        moderator_id=by.user_id,
        case_kind=targets[0].case_id.kind,
        decision=decision.stored,
        total=len(targets),
        ttl=ttl,
        hint_id=hint_id,
    )
    create(wave)
    return wave_id


AT_ONCE = 50  # targets in a transaction


@access_pattern
def start_wave(
    *, by: Viewer, wave_id: str, decision: WaveDecision, left_out: Collection[CaseId] = ()
) -> None:
    """Starts the job that carries out the decision (`stream.py`), and enters it in the audit
    log. The cases in `left_out` stay as they are. Only who made the wave can start it. The hint that led to it is put
    away with it, and so are those whose accounts are all in it, so that nobody does the same again. Raises `NotFound`,
    `WaveMoved`, and `BeyondLimits` for a junior with too many cases.

    One consistent GetItem, a TransactWriteItems for 50 cases that are left out, 2 write units each, then one of the
    wave, the job and the audit entry: 8 write units and 2 read units; 2 write units and 1 read unit more for a hint. Of
    people a Query of the targets, 0.5 read units per 4 KB, and what `list_hints_within` costs.
    """
    wave = read_wave(wave_id)
    if wave.state != WaveState.DRAFT or wave.moderator_id != by.user_id:
        raise WaveMoved("it was started before")
    must_fit_a_wave(by, int(wave.total) - len(left_out))
    _leave_out(wave_id, list(left_out))
    hint_id = wave.hint_id or ""
    begun = [
        Wave.state.set(WaveState.RUNNING),
        Wave.started_at.set(utc_now_iso()),
        Wave.decision.set(decision.stored),
    ]
    is_draft = Wave.state == WaveState.DRAFT
    record(
        Change(Wave, keys.wave(wave_id), begun, is_draft, WaveMoved),
        Create(Job.new(kind=JobKind.WAVE, job_id=wave_id, subject_id=wave_id), WaveMoved),
        *_put_away(wave),
        by=by.user_id,
        action="start wave",
        detail={
            "wave": wave_id,
            "action": decision.kind,
            "cases": int(wave.total) - len(left_out),
            **({"hint": in_the_log(hint_id)} if hint_id else {}),
        },
    )


def _put_away(wave: Wave) -> list[WriteAction]:
    """Returns the changes of the hint and of those that are dealt with too, none if they ended before the draft did."""
    hints: set[Key] = set()
    if wave.case_kind == CaseKind.PERSON:
        targets = reading.query(keys.wave_targets(wave.wave_id))
        people = {row(WaveTarget, raw).subject_id for raw in targets}
        hints = {hint.key for hint in list_hints_within(people)}
    if wave.hint_id:
        with suppress(NotFound):
            hints.add(reading.get(Hint, keys.hint(wave.hint_id), consistent=True).key)
    away = [Hint.put_away.set("yes")]
    return [Change(Hint, key, away, otherwise=WaveMoved) for key in sorted(hints)]


def _leave_out(wave_id: str, cases: list[CaseId]) -> None:
    left_out = [WaveTarget.why_not.set(Why.LEFT_OUT)]
    for start in range(0, len(cases), AT_ONCE):
        some = cases[start : start + AT_ONCE]
        target_keys = [keys.wave_target(wave_id, one.kind, one.subject_id) for one in some]
        transact(*(Change(WaveTarget, key, left_out) for key in target_keys))


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
    for the posts, and `open_case` for someone without a case. In all 15 to 23 write units and 4 or 5 read units.
    """
    if target.action_id or target.why_not:
        return bool(target.action_id)
    decision = WaveDecision.of(wave)
    if not may_act(by, CaseKind(wave.case_kind), decision.kind):
        return _leave(wave, target, Why.NOT_PERMITTED)
    try:
        return _act(by, wave, target, decision)
    except BeyondLimits:
        return _leave(wave, target, Why.NOT_PERMITTED)
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
    must_be_within_person(by, case_id.subject_id)
    must_restrict_within(by, decision.kind, decision.until)
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


@access_pattern
def undo_wave(*, by: Viewer, wave_id: str) -> None:
    """Starts the job that undoes the wave (`stream.py`), and enters it in the audit log. Raises
    `NotFound`, `WaveMoved` for a wave that is not done, or was undone before, and `BeyondLimits` for a junior who could
    not have made it.

    Two consistent GetItems, of the wave and the log's head, then one TransactWriteItems of the wave, the job and the
    audit entry: 8 write units and 2 read units.
    """
    wave = read_wave(wave_id)
    decision = WaveDecision.of(wave)
    must_fit_a_wave(by, int(wave.done))
    must_restrict_within(by, decision.kind, decision.until)
    begun = [
        Wave.state.set(WaveState.UNDOING),
        Wave.undone_by.set(by.user_id),
        Wave.undone.set(0),  # an undo that was left halfway counts again what it undid
    ]
    is_done = Wave.state == WaveState.DONE
    record(
        Change(Wave, keys.wave(wave_id), begun, is_done, WaveMoved),
        Create(Job.new(kind=JobKind.UNDO_WAVE, job_id=wave_id, subject_id=wave_id), WaveMoved),
        by=by.user_id,
        action="undo wave",
        detail={
            "wave": wave_id,
            "action": decision.kind,
            "cases": int(wave.done),
        },
    )
