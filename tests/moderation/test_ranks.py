"""Every queue and every action asks its own permission, and nobody acts on a higher rank."""

from types import SimpleNamespace

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import BUILT_IN, Permission, grant_role, outranks, save_role
from moderation.bulk_decisions.reads import WaveDecision
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.decisions import IsStaff
from moderation.cases.effects import undo_action
from moderation.cases.reads import CaseId, Outranked, read_case
from moderation.cases.writes import add_note, answer_appeal, appeal, assign_case
from moderation.models import ActionKind, Case, CaseKind
from moderation.people.writes import note_person, open_case
from moderation.suspicions.reads import Target
from relations.lists.writes import create_list, offer_pack
from socialsite.models import Role
from socialsite.table import Create, change, keys, transact
from tests.conftest import person, post
from tests.moderation.cases import (
    POSSIBLE,
    QUEUE,
    about,
    about_post,
    actions_of,
    broken,
    decide,
    held_post,
    info,
    report,
    strikes,
    version_of,
    waiting_sign_up,
)
from tests.moderation.staff import (
    HELD_BY,
    NEEDED,
    ROLES,
    P,
    appealed_by,
    everything_of,
    kinds_on,
    new_case,
    permitted,
)
from tests.web.html import Html

# Every queue and every action asks its own permission: roles by queues by actions, with what each may do.
#
# Without the permission a page is not there and nothing changes. Other staff pages:
# `tests/web/test_methods.py`.

pytestmark = pytest.mark.engines("embedded", reason="who may do what does not hang on the engine")

each_role = pytest.mark.parametrize("role", ROLES)
each_kind = pytest.mark.parametrize("kind", CaseKind)


@pytest.fixture
def staff(admin, log_in):
    """`staff("cases")`: someone with that role, and their browser."""

    def member(role: str) -> SimpleNamespace:
        if role not in BUILT_IN:
            save_role(by=admin, name=role, title=role, permissions=ROLES[role])
        viewer = person("staffer", role=role)
        return SimpleNamespace(viewer=viewer, browser=log_in(viewer))

    return member


# Queues


@each_role
def test_a_tab_opens_with_a_permission_for_what_it_holds_and_shows_no_more(role, staff, admin):
    me = staff(role)
    for kind in CaseKind:
        new_case(kind)
        mine, closed = new_case(kind), new_case(kind)
        whose = me.viewer if permitted(role, {kind}) else admin
        assign_case(by=admin, case_id=mine, moderator_id=whose.user_id)
        decide(admin, closed, POSSIBLE[kind][-1])
    for kind in (CaseKind.PERSON, CaseKind.POST):
        appealed_by(new_case(kind), admin)
    for tab, kinds in HELD_BY.items():
        page = me.browser.get(f"{QUEUE}?queue={tab}")
        may_see = permitted(role, kinds)
        assert page.status_code == (200 if may_see else 404), tab
        if may_see:
            assert kinds_on(page) == may_see, tab
            offered = {
                link["href"].split("=")[1]
                for link in Html(page).all("a")
                if "?queue=" in link["href"]
            }
            assert offered & set(HELD_BY) == {
                tab for tab, kinds in HELD_BY.items() if permitted(role, kinds)
            }


def test_the_queue_beside_a_case_is_no_way_around_it(staff):
    me = staff("cases")
    case_id = new_case(CaseKind.PERSON)
    new_case(CaseKind.SIGN_UP)
    for tab in HELD_BY:
        page = me.browser.get(f"{case_id.url}?queue={tab}")
        assert page.status_code == 200
        assert kinds_on(page) <= {CaseKind.PERSON}


def test_nor_is_the_case_that_opens_next(staff, admin):
    me = staff("cases")
    left_there = new_case(CaseKind.SIGN_UP)
    decided = new_case(CaseKind.PERSON)
    desk = me.viewer.user_id
    left = [Case.escalated_to.set(keys.desk(desk)), Case.assigned_to.set(desk)]
    change(Case, left_there.key, left)
    assign_case(by=admin, case_id=decided, moderator_id=desk)
    form = {"action": "warn", "version": version_of(decided), "rule": "spam"}
    form["preset"] = "default"
    answer = me.browser.post(f"{decided.url}/decide?queue=mine", form)
    assert answer["Location"].startswith(f"{QUEUE}?queue=mine")


# Actions


@each_kind
@each_role
def test_a_case_is_read_and_acted_on_with_the_permission_of_its_kind(role, kind, staff):
    me, case_id = staff(role), new_case(kind)
    before = everything_of(case_id)
    version, may = version_of(case_id), NEEDED[kind] in ROLES[role]
    mildest = POSSIBLE[kind][0]
    tried = {
        "look": me.browser.get(case_id.url),
        "ask": me.browser.get(f"{case_id.url}/decide?action={mildest}"),
        "ask whom": me.browser.get(f"{case_id.url}/assign"),
        "claim": me.browser.post(f"{case_id.url}/claim", {"on": "1"}),
        "leave": me.browser.post(f"{case_id.url}/claim", {"on": "0"}),
        "note": me.browser.post(f"{case_id.url}/note", {"text": "Hm."}),
        "decide": me.browser.post(
            f"{case_id.url}/decide",
            {"action": mildest, "version": version, "rule": "spam", "preset": "default"},
        ),
    }
    assert {name: answer.status_code < 400 for name, answer in tried.items()} == dict.fromkeys(
        tried, may
    )
    assert bool(actions_of(case_id)) is may
    if not may:
        assert {answer.status_code for answer in tried.values()} == {404}
        assert everything_of(case_id) == before


@each_kind
@each_role
def test_undoing_answering_and_passing_on_ask_it_too(role, kind, staff, admin):
    me, case_id = staff(role), new_case(kind)
    mildest = next(one for one in POSSIBLE[kind] if one != ActionKind.DISMISS)
    action_id = decide(admin, case_id, mildest)
    closed = everything_of(case_id)
    may = NEEDED[kind] in ROLES[role]
    undone = me.browser.post(f"{case_id.url}/undo", {"action_id": action_id})
    assert undone.status_code == (302 if may else 404)
    assert (everything_of(case_id) != closed) is may
    waiting = new_case(kind)
    passed_on = me.browser.post(f"{waiting.url}/assign", {"moderator": me.viewer.user_id})
    assert passed_on.status_code == (302 if may else 404)
    assert (read_case(waiting).assigned_to == me.viewer.user_id) is may
    if kind != CaseKind.SIGN_UP:
        appealed = new_case(kind)
        appealed_by(appealed, admin)
        form = {"answer": "refuse", "words": "No.", "version": version_of(appealed)}
        assert me.browser.post(f"{appealed.url}/appeal", form).status_code == (302 if may else 404)
        assert bool(read_case(appealed).appealed) is not may


@each_role
def test_suspending_and_undoing_it_ask_one_more(role, staff, admin):
    me, case_id = staff(role), new_case(CaseKind.PERSON)
    may = {P.CASES, P.SUSPEND} <= ROLES[role]
    form = {
        "action": "suspend",
        "version": version_of(case_id),
        "rule": "spam",
        "preset": "default",
        "end": "7",
    }
    done = me.browser.post(f"{case_id.url}/decide", form)
    assert done.status_code == (302 if may else 404)
    assert bool(actions_of(case_id)) is may
    if not may:
        decide(admin, case_id, ActionKind.SUSPEND)
    [action] = actions_of(case_id)
    undone = me.browser.post(f"{case_id.url}/undo", {"action_id": action.action_id})
    assert undone.status_code == (302 if may else 404)
    assert bool(actions_of(case_id)[0].undone_at) is may


# Several at once


@each_role
def test_in_bulk_as_one_by_one(role, staff):
    me = staff(role)
    cases = {kind: new_case(kind) for kind in CaseKind}
    for tab, kinds in HELD_BY.items():
        for kind, case_id in cases.items():
            before = everything_of(case_id)
            answer = send(me, tab, "take", case_id)
            may = bool(permitted(role, kinds)) and NEEDED[kind] in ROLES[role]
            assert answer.status_code == (302 if may else 404), (tab, kind)
            if not may:
                assert everything_of(case_id) == before
    for kind, case_id in cases.items():
        is_mine = read_case(case_id).assigned_to == me.viewer.user_id
        assert is_mine is (NEEDED[kind] in ROLES[role])


def test_with_one_that_is_not_permitted_among_them_none_is_taken(staff):
    me = staff("cases")
    cases = [new_case(kind) for kind in CaseKind]
    assert send(me, "reports", "take", *cases).status_code == 404
    assert not any(read_case(case_id).assigned_to for case_id in cases)


def send(me: SimpleNamespace, tab: str, act: str, *cases: CaseId):
    chosen = [f"{one.kind}.{one.subject_id}.{version_of(one)}" for one in cases]
    return me.browser.post(f"{QUEUE}/selected?queue={tab}", {"act": act, "targets": chosen})


# Nobody acts on staff of their own or a higher rank: every action by the role of who acts and of whom it is
# about.
#
# A role is above another if it permits all that the other does, and more. Who stands above whom is written down
# here, not computed. What each role permits: `test_ranks.py`.

K = ActionKind
OWN_ROLES = {
    "junior": {"cases"},
    "greeter": {"sign-ups"},
    "chief": {str(permission) for permission in Permission},  # as much as an administrator
}
RANKED_ROLES = ("junior", "greeter", "moderator", "admin", "chief")
ABOVE = {  # who acts: about whom
    "junior": {""},
    "greeter": {""},
    "moderator": {"", "junior", "greeter"},
    "chief": {"", "junior", "greeter", "moderator"},
    "admin": {"", "junior", "greeter", "moderator"},
}
FOR_ANYONE = {K.DISMISS, K.CLOSE, K.RELEASE, K.APPROVE}  # nothing happens to the person
RESTRICTING = {K.NO_MESSAGES, K.LIMIT, K.FREEZE, K.SUSPEND, K.DECLINE}  # of nobody with a role
PAIRS = [(by, of) for by in RANKED_ROLES[:-1] for of in ("", *RANKED_ROLES)]  # a chief is an admin

each_pair = pytest.mark.parametrize(("by", "of"), PAIRS)
each_refused = pytest.mark.parametrize(
    ("by", "of"), [(by, of) for by, of in PAIRS if of not in ABOVE[by]]
)


@pytest.fixture
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


@pytest.mark.usefixtures("own_roles")
@each_pair
def test_every_action_by_every_role_about_every_role(by, of, alice):
    actor = person("actor", role=by)
    for kind, possible in POSSIBLE.items():
        for n, action in enumerate(possible):
            whom = person(f"{kind}{n}".replace("-", ""), role=of or None)
            case_id, posts = case_of(kind, whom, alice)
            offer_pack(by=whom, list_id=create_list(by=whom, name="Work"), title="Us", about="")
            before, who = everything_of(case_id), info(whom).attribute_values
            refused = refusal(by, of, action)
            if refused is None:
                decide(actor, case_id, action, *posts)
                assert actions_of(case_id)[-1].kind == action
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


@pytest.mark.usefixtures("own_roles")
@pytest.mark.parametrize("by", RANKED_ROLES)
def test_who_stands_above_whom(by):
    actor = person("actor", role=by)
    assert {of for of in ("", *RANKED_ROLES) if outranks(actor, of)} == ABOVE[by]


@pytest.mark.usefixtures("own_roles")
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


@pytest.mark.usefixtures("own_roles")
@each_refused
def test_ending_reports_can_be_undone_by_whoever_may_end_them(by, of, alice):
    actor, whom = person("actor", role=by), person("whom", role=of)
    report(alice, whom, rule_id="spam")
    dismissed = decide(actor, about(whom), K.DISMISS)
    undo_action(by=actor, case_id=about(whom), action_id=dismissed)
    assert read_case(about(whom)).escalated_to


@pytest.mark.usefixtures("own_roles")
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


@pytest.mark.usefixtures("own_roles")
def test_reporting_a_superior_is_open_to_everyone(alice, admin):
    junior = person("junior", role="junior")
    open_case(by=junior, person_id=admin.user_id, rule_id="spam", comment="Look at this")
    assert read_case(about(admin)).reports == 1
