"""Every queue and every action asks its own permission: roles by queues by actions, with what each may do.

Without the permission a page is not there and nothing changes. Other staff pages:
`tests/web/test_staff_permissions.py`.
"""

from types import SimpleNamespace

import pytest

from accounts.permissions import BUILT_IN, save_role
from moderation.cases.decisions import OF_KIND
from moderation.cases.reads import CaseId, read_case
from moderation.cases.writes import assign_case
from moderation.models import ActionKind, Case, CaseKind
from socialsite.table import change, keys
from tests.conftest import person
from tests.moderation.cases import actions, decide
from tests.moderation.permitted import (
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
from tests.moderation.queues import QUEUE, version_of
from tests.web.html import Html

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
        decide(admin, closed, OF_KIND[kind][-1])
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
    mildest = OF_KIND[kind][0]
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
    assert bool(actions(case_id)) is may
    if not may:
        assert {answer.status_code for answer in tried.values()} == {404}
        assert everything_of(case_id) == before


@each_kind
@each_role
def test_undoing_answering_and_passing_on_ask_it_too(role, kind, staff, admin):
    me, case_id = staff(role), new_case(kind)
    mildest = next(one for one in OF_KIND[kind] if one != ActionKind.DISMISS)
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
    assert bool(actions(case_id)) is may
    if not may:
        decide(admin, case_id, ActionKind.SUSPEND)
    [action] = actions(case_id)
    undone = me.browser.post(f"{case_id.url}/undo", {"action_id": action.action_id})
    assert undone.status_code == (302 if may else 404)
    assert bool(actions(case_id)[0].undone_at) is may


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
