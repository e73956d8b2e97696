"""Reports, decisions, appeals and waves."""

from datetime import timedelta
from typing import Any

from moderation.bulk_decisions.reads import WaveDecision
from moderation.bulk_decisions.writes import Target, make_wave, start_wave, undo_wave
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.lists import list_cases
from moderation.cases.reads import CaseId, read_case
from moderation.cases.writes import answer_appeal, appeal, claim_case
from moderation.kinds import ActionKind, Appeal, Queue
from moderation.models import CaseKind, CaseReport
from moderation.reports.reads import list_strikes
from moderation.reports.writes import file_report
from socialsite.clock import utc_now
from socialsite.table import keys, query, row
from tests.simulation.deeds import deed
from tests.simulation.deeds.casting import a_post, known, someone
from tests.simulation.model import Person
from tests.simulation.world import Deed, World

RULES = ("spam", "other")


def _sees(person: Person) -> Any:
    """A member of staff, as the page of a case has them."""
    return known(person)


@deed(18)
def reports(world: World) -> Deed | None:
    if not (one := someone(world)) or not (post := a_post(world, one)):
        return None
    rule = world.chance.choice(RULES)
    return Deed(
        "report",
        one.user_id,
        lambda: file_report(
            by=known(one), person_id=post.author, post_id=post.post_id, rule_id=rule, comment="See!"
        ),
        touches=(("person", post.author),),
    )


@deed(14)
def decides(world: World) -> Deed | None:
    if not (mod := someone(world, of_staff=True)):
        return None
    number, days = world.chance.randrange(1000), world.chance.choice((1, 3, 0))
    (kind,) = world.chance.choices(
        (
            *(ActionKind.DISMISS, ActionKind.HIDE, ActionKind.WARN),
            *(ActionKind.LIMIT, ActionKind.FREEZE, ActionKind.SUSPEND, ActionKind.NO_MESSAGES),
        ),
        (6, 5, 3, 2, 2, 2, 1),
    )

    def act() -> str:
        by = _sees(mod)
        rows = list_cases(keys.queue(Queue.REPORTS)).items
        if not rows:
            return ""
        case_id = rows[number % len(rows)].case_id
        case = read_case(case_id)
        if number % 3 == 0:
            claim_case(by=by, case_id=case_id)
        until = (utc_now() + timedelta(days=days)).isoformat() if days else ""
        reported = [
            row(CaseReport, raw) for raw in query(case_id.key.pk, between=keys.report_bounds())
        ]
        posts = tuple(sorted({one for each in reported for one in each.posts}))[:3]
        posts = posts if kind is ActionKind.HIDE else ()
        restricts = kind in (
            ActionKind.LIMIT,
            ActionKind.FREEZE,
            ActionKind.SUSPEND,
            ActionKind.NO_MESSAGES,
        )
        decision = Decision(kind, posts=posts, until=until if restricts else "", text="So it is.")
        return decide_case(by=by, case_id=case_id, decision=decision, version=int(case.version))

    return Deed(f"decide: {kind}", mod.user_id, act)


@deed(4)
def undoes(world: World) -> Deed | None:
    mod = someone(world, of_staff=True)
    people = [one for one in world.model.people.values() if one.state == "here" and not one.role]
    if not mod or not people:
        return None
    person = world.chance.choice(people)

    def act() -> None:
        by = _sees(mod)
        if done := [one for one in list_strikes(person.user_id) if not one.is_undone]:
            case_id = CaseId(CaseKind.PERSON, person.user_id)
            undo_action(by=by, case_id=case_id, action_id=done[0].action_id)

    return Deed("undo a decision", mod.user_id, act)


@deed(10)
def appeals(world: World) -> Deed | None:
    people = [
        one
        for one in world.model.people.values()
        if one.state == "here" and not one.role and not one.busy
    ]
    if not people:
        return None
    person = world.chance.choice(people)

    def act() -> None:
        if strikes := [one for one in list_strikes(person.user_id) if not one.is_undone]:
            appeal(person_id=person.user_id, action_id=strikes[0].action_id, text="I did not.")

    return Deed("appeal", person.user_id, act)


@deed(10)
def answers_an_appeal(world: World) -> Deed | None:
    if not (mod := someone(world, of_staff=True)):
        return None
    number = world.chance.randrange(1000)
    grant = world.chance.choice((True, False, False, None))

    def act() -> None:
        by = _sees(mod)
        rows = list_cases(keys.queue(Queue.APPEALS)).items
        if not rows:
            return
        case_id = rows[number % len(rows)].case_id
        case = read_case(case_id)
        waiting = [
            one
            for one in list_strikes(case_id.subject_id)
            if one.appeal == Appeal.OPEN and not one.is_undone
        ]
        if waiting:
            answer_appeal(
                by=by,
                case_id=case_id,
                action_id=waiting[0].action_id,
                text="We looked again.",
                version=int(case.version),
                grant=grant,
            )

    return Deed("answer an appeal", mod.user_id, act)


@deed(3)
def makes_a_wave(world: World) -> Deed | None:
    if not (mod := someone(world, of_staff=True)):
        return None
    kind = world.chance.choice((ActionKind.DISMISS, ActionKind.SUSPEND, ActionKind.WARN))

    def act() -> str:
        by = _sees(mod)
        rows = list_cases(keys.queue(Queue.REPORTS)).items[:6]
        if len(rows) < 2:
            return ""
        targets = [Target(one.case_id, int(read_case(one.case_id).version)) for one in rows]
        decision = WaveDecision(kind, rule_id="spam" if kind is not ActionKind.DISMISS else "")
        wave_id = make_wave(by=by, targets=targets, decision=decision)
        start_wave(by=by, wave_id=wave_id, decision=decision)
        return wave_id

    def done(wave_id: str) -> None:
        if wave_id:
            world.model.waves.append(wave_id)

    return Deed(f"make a wave: {kind}", mod.user_id, act, done)


@deed(2)
def undoes_a_wave(world: World) -> Deed | None:
    mod = someone(world, of_staff=True)
    if not mod or not world.model.waves:
        return None
    wave_id = world.chance.choice(world.model.waves)

    def done(_: Any) -> None:
        if wave_id in world.model.waves:
            world.model.waves.remove(wave_id)

    return Deed("undo a wave", mod.user_id, lambda: undo_wave(by=_sees(mod), wave_id=wave_id), done)
