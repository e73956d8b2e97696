"""People report, moderators decide and take back, people appeal: with the audit log and the counts of the day."""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime

from accounts.people.viewer import Viewer
from feed.posts.models import Post, Withheld
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.lists import list_cases
from moderation.cases.reads import CaseId, CaseMoved, read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.log.chain import Walk
from moderation.models import ActionKind, CaseAction, CaseKind, CaseReport, DayCount, Queue
from moderation.reports.writes import file_report
from socialsite.table import fetch, keys, query, row
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, counts_of
from tests.faults.stories import Story, scenario
from tests.looks import broken_invariants


def about(viewer: Viewer) -> CaseId:
    return CaseId(CaseKind.PERSON, viewer.user_id)


def open_cases(queue: Queue = Queue.REPORTS) -> list[CaseId]:
    return [row.case_id for row in list_cases(keys.queue(queue)).items]


def logged() -> list[str]:
    """What stands in the audit log, which is whole."""
    walk = Walk()
    list(walk.steps())
    assert walk.faults == []
    month = datetime.now(UTC).isoformat()[:7]
    return [raw["action"]["S"] for raw in query(keys.audit_entries(month))]


def counted() -> Counter[str]:
    """What was counted today, but sign-ups."""
    month = datetime.now(UTC).isoformat()[:7]
    found = Counter[str]()
    for part in keys.parts_of(keys.day_counts(month)):
        for count in (row(DayCount, raw) for raw in query(part)):
            found[count.name] += int(count.times)
    return Counter({name: times for name, times in found.items() if name != "sign-ups" and times})


def withheld(author: Viewer, post_id: str) -> str:
    key = keys.post(author.user_id, post_id)
    return row(Post, fetch([key])[key]).withheld


def decide(mod: Viewer, case_id: CaseId, decision: Decision) -> str:
    version = int(read_case(case_id).version)
    return decide_case(by=mod, case_id=case_id, decision=decision, version=version)


@scenario()
def a_post_is_reported_by_two() -> Story:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    post_id = post(alice)

    def act() -> None:
        for one in (bob, carol):
            file_report(by=one, person_id=alice.user_id, post_id=post_id, rule_id="spam")

    def check() -> None:
        assert_all_is_well()
        reports = query(about(alice).key.pk, between=keys.report_bounds())
        assert [row(CaseReport, raw).posts for raw in reports] == [(post_id,)] * 2
        assert open_cases() == [about(alice)]
        assert int(read_case(about(alice)).reports) == 2
        assert counted() == {"reports.spam": 2}

    return Story(act, check)


@scenario()
def a_moderator_hides_a_post() -> Story:
    alice, bob, mod = person("alice"), person("bob"), person("mod", role="moderator")
    post_id = post(alice)
    file_report(by=bob, person_id=alice.user_id, post_id=post_id)

    def act() -> None:
        with suppress(CaseMoved):  # done before, says the page that shows the case anew
            decision = Decision(ActionKind.HIDE, posts=(post_id,))
            decide_case(by=mod, case_id=about(alice), decision=decision, version=1)

    def check() -> None:
        assert broken_invariants() == {}
        assert withheld(alice, post_id) == Withheld.HIDDEN
        assert counts_of(alice)[2] == 0
        assert open_cases() == []
        assert logged() == ["hide"]
        assert counted()["actions.hide"] == counted()["closed.15m"] == 1

    return Story(act, check)


@scenario()
def what_a_moderator_did_is_undone() -> Story:
    alice, bob, mod = person("alice"), person("bob"), person("mod", role="moderator")
    post_id = post(alice)
    file_report(by=bob, person_id=alice.user_id, post_id=post_id)
    action_id = decide(mod, about(alice), Decision(ActionKind.HIDE, posts=(post_id,)))

    def check() -> None:
        assert_all_is_well()
        assert withheld(alice, post_id) == ""
        assert counts_of(alice)[2] == 1
        assert open_cases() == [about(alice)]
        assert logged() == ["hide", "undo hide"]
        assert counted() == {"reports.other": 1, "actions.hide": 1}

    return Story(lambda: undo_action(by=mod, case_id=about(alice), action_id=action_id), check)


@scenario()
def an_appeal_is_granted() -> Story:
    alice, bob, mod = person("alice"), person("bob"), person("mod", role="moderator")
    file_report(by=bob, person_id=alice.user_id)
    action_id = decide(mod, about(alice), Decision(ActionKind.FREEZE))
    appeal(person_id=alice.user_id, action_id=action_id, text="It was not me")
    version = int(read_case(about(alice)).version)

    def act() -> None:
        with suppress(CaseMoved):
            answer_appeal(
                by=mod,
                case_id=about(alice),
                action_id=action_id,
                text="You are right",
                version=version,
                grant=True,
            )

    def check() -> None:
        assert_all_is_well()
        assert open_cases(Queue.APPEALS) == []
        assert logged() == ["freeze", "grant appeal"]
        key = keys.case_action(CaseKind.PERSON, alice.user_id, action_id)
        assert row(CaseAction, fetch([key])[key]).undone_by == mod.user_id
        assert counted()["closed.15m"] == 2

    return Story(act, check)
