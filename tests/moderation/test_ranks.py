"""Nobody acts on staff of their own or a higher rank: every action by the role of who acts and of whom it is about.

A role is above another if it permits all that the other does, and more. Who stands above whom is written down here, not
computed. What each role permits: `test_case_permissions.py`.
"""

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, grant_role, outranks
from moderation.bulk_decisions.reads import WaveDecision
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.decisions import OF_KIND, IsStaff
from moderation.cases.effects import undo_action
from moderation.cases.reads import CaseId, Outranked, read_case
from moderation.cases.writes import add_note, answer_appeal, appeal
from moderation.models import ActionKind, CaseKind
from moderation.people.writes import note_person, open_case
from moderation.suspicions.reads import Target
from socialsite.models import Role
from socialsite.streams.worker import Worker
from socialsite.table import Create, transact
from tests.conftest import person, post
from tests.moderation.cases import (
    about,
    about_post,
    actions,
    broken,
    decide,
    held_post,
    info,
    report,
    strikes,
    waiting_sign_up,
)
from tests.moderation.permitted import everything_of
from tests.moderation.queues import version_of

pytestmark = pytest.mark.engines("embedded", reason="who may do what does not hang on the engine")

K = ActionKind
OWN_ROLES = {
    "junior": {"cases"},
    "greeter": {"sign-ups"},
    "chief": {str(permission) for permission in Permission},  # as much as an administrator
}
ROLES = ("junior", "greeter", "moderator", "admin", "chief")
ABOVE = {  # who acts: about whom
    "junior": {""},
    "greeter": {""},
    "moderator": {"", "junior", "greeter"},
    "chief": {"", "junior", "greeter", "moderator"},
    "admin": {"", "junior", "greeter", "moderator"},
}
FOR_ANYONE = {K.DISMISS, K.CLOSE, K.RELEASE, K.APPROVE}  # nothing happens to the person
RESTRICTING = {K.LIMIT, K.FREEZE, K.SUSPEND, K.DECLINE}  # of nobody with a role
PAIRS = [(by, of) for by in ROLES[:-1] for of in ("", *ROLES)]  # a chief is an admin

each_pair = pytest.mark.parametrize(("by", "of"), PAIRS)
each_refused = pytest.mark.parametrize(
    ("by", "of"), [(by, of) for by, of in PAIRS if of not in ABOVE[by]]
)


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()


@pytest.fixture(autouse=True)
def own_roles(table) -> None:
    for name, permissions in OWN_ROLES.items():
        transact(Create(Role.new(name=name, title=name, permissions=permissions)))


def case_of(kind: CaseKind, whom: Viewer, by: Viewer) -> tuple[CaseId, tuple[str, ...]]:
    if kind == CaseKind.PERSON:
        posts = (post(whom, "One of them"),)
        report(by, whom, posts[0], rule_id="spam")
        return about(whom), posts
    if kind == CaseKind.POST:
        return about_post(held_post(whom)), ()
    return waiting_sign_up(whom), ()


@each_pair
def test_every_action_by_every_role_about_every_role(by, of, alice):
    actor = person("actor", role=by)
    for kind, possible in OF_KIND.items():
        for n, action in enumerate(possible):
            whom = person(f"{kind}{n}".replace("-", ""), role=of or None)
            case_id, posts = case_of(kind, whom, alice)
            before, who = everything_of(case_id), info(whom).attribute_values
            refused = refusal(by, of, action)
            if refused is None:
                decide(actor, case_id, action, *posts)
                assert actions(case_id)[-1].kind == action
                continue
            with pytest.raises(refused):
                decide(actor, case_id, action, *posts)
            assert everything_of(case_id) == before
            assert (info(whom).attribute_values, strikes(whom)) == (who, [])
    assert broken() == {}


def refusal(by: str, of: str, action: ActionKind) -> type[Exception] | None:
    if action in FOR_ANYONE:
        return None
    if of not in ABOVE[by]:
        return Outranked
    return IsStaff if of and action in RESTRICTING else None


@pytest.mark.parametrize("by", ROLES)
def test_who_stands_above_whom(by):
    actor = person("actor", role=by)
    assert {of for of in ("", *ROLES) if outranks(actor, of)} == ABOVE[by]


@each_pair
def test_undoing_answering_and_notes_ask_it_too(by, of, alice, bob, admin):
    """Bob was warned, and appeals, before he got his role."""
    actor, may = person("actor", role=by), of in ABOVE[by]
    report(alice, bob, rule_id="spam")
    warned = decide(admin, about(bob), K.WARN)
    hidden = decide(admin, about(bob), K.HIDE, post(bob, "Hide this"))
    appeal(person_id=bob.user_id, action_id=warned, text="Why?")
    if of:
        change_role(bob, of)
    before, notes = everything_of(about(bob)), {"by": actor, "text": "Hm"}
    version = int(read_case(about(bob)).version)
    tried = {
        "note": lambda: add_note(case_id=about(bob), **notes),
        "note on person": lambda: note_person(user_id=bob.user_id, **notes),
        "ask": lambda: answer_appeal(
            case_id=about(bob), action_id=warned, version=version, grant=None, **notes
        ),
        "undo": lambda: undo_action(by=actor, case_id=about(bob), action_id=hidden),
    }
    for act in tried.values():
        if may:
            act()
        else:
            with pytest.raises(Outranked):
                act()
    assert (everything_of(about(bob)) != before) is may
    assert broken() == {}


def change_role(viewer: Viewer, role: str) -> None:
    grant_role(by=person("chairman", role="admin"), user_id=viewer.user_id, role=role)


@each_refused
def test_ending_reports_can_be_undone_by_whoever_may_end_them(by, of, alice):
    actor, whom = person("actor", role=by), person("whom", role=of)
    report(alice, whom, rule_id="spam")
    dismissed = decide(actor, about(whom), K.DISMISS)
    undo_action(by=actor, case_id=about(whom), action_id=dismissed)
    assert read_case(about(whom)).escalated_to


def test_undoing_a_wave_leaves_who_is_staff_by_now(alice, bob, carol, mod, worker):
    for whom in (bob, carol):
        report(alice, whom, rule_id="spam")
    targets = [Target(about(one), version_of(about(one))) for one in (bob, carol)]
    wave_id = make_wave(by=mod, targets=targets, decision=WaveDecision(K.WARN))
    start_wave(by=mod, wave_id=wave_id, decision=WaveDecision(K.WARN))
    worker.drain()
    change_role(bob, "moderator")
    undo_wave(by=mod, wave_id=wave_id)
    worker.drain()
    assert [bool(strikes(one)[0].undone_at) for one in (bob, carol)] == [False, True]


def test_reporting_a_superior_is_open_to_everyone(alice, admin):
    junior = person("junior", role="junior")
    open_case(by=junior, person_id=admin.user_id, rule_id="spam", comment="Look at this")
    assert read_case(about(admin)).reports == 1
