"""Each staff page opens with its own permission, and with no other one. Cases and queues have a table of their own:
`tests/moderation/test_ranks.py`."""

import pytest

from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from moderation.reports.writes import file_report
from tests.conftest import person
from tests.injected.faults import share
from tests.moderation.cases import private_post
from tests.web.html import Html
from tests.web.staff_authorisation import (
    ALARMS,
    BEGIN,
    CASES,
    CONTESTED,
    COSTS,
    INVITES,
    LENS,
    NOT_THERE,
    OF_NO_MESSAGES,
    ORIGINS,
    OVERSIGHT,
    PEOPLE,
    PUBLIC_LOG,
    ROLES,
    SITE,
    STAFF_ROWS,
    WORKER,
)

embedded_alone = pytest.mark.engines(
    "embedded", reason="who may do what does not hang on the engine"
)

OF_THE_SITE = {"end_site_vote", "preset", "word", "try_edited_word"}
DESKS = {"desk", "shift_note", "hand_over", "save_list", "remove_list"}
QUEUES = {"queue", "in_bulk", "waves", "languages"} | DESKS  # everyone opens their own
NOT_THERE_YET = {"undo", "look_at_photo", "photo_file"}
NO_TABS = (Permission.SUSPEND, Permission.ORIGINS, Permission.WORKER, Permission.LENS)
OF_NOTHING = [
    OF_NO_MESSAGES,
    *NOT_THERE,
    *(row for row in CONTESTED if row.name in NOT_THERE_YET),
]
PAGES_OF = {
    Permission.CASES: [
        *CASES,
        *CONTESTED,
        *(row for row in NOT_THERE if any(one in row.name for one in ("wave", "hint", "secure"))),
        *(row for row in NOT_THERE if row.name == "answer_junior"),
        OF_NO_MESSAGES,
        *ALARMS,
    ],
    Permission.PEOPLE: PEOPLE,
    Permission.ORIGINS: [],
    Permission.SIGN_UPS: [*INVITES, *ALARMS, *(row for row in CASES if row.name in QUEUES)],
    Permission.LOG: [row for row in OVERSIGHT if row.name == "log"],
    Permission.OVERVIEW: [row for row in OVERSIGHT if row.name != "log"],
    Permission.SITE: [
        *SITE,
        *(row for row in CASES if row.name in ("slow_down", "procedures")),
        *(row for row in NOT_THERE if row.name in OF_THE_SITE),
    ],
    Permission.ROLES: [*ROLES, *(row for row in NOT_THERE if "role" in row.name)],
    Permission.WORKER: [*WORKER, *ALARMS],
    Permission.LENS: LENS,
    Permission.COSTS: [*COSTS, *ALARMS],
    Permission.SUSPEND: [],
}


@embedded_alone
def test_every_staff_page_belongs_to_a_permission():
    stated = {(row.method, row.name) for rows in PAGES_OF.values() for row in rows}
    everything = {(row.method, row.name) for row in STAFF_ROWS}
    with_two = {(row.method, row.name) for row in ORIGINS}
    assert everything - stated - with_two == {(row.method, row.name) for row in (BEGIN, PUBLIC_LOG)}


# A third of them, others each run: each asks for every page of staff.
@embedded_alone
@pytest.mark.parametrize("permission", share(Permission, one_of=3, salt="permissions"))
def test_one_permission_opens_its_own_pages_alone(permission, admin, alice, bob, log_in):
    post_id = private_post(alice, "Friends only")
    file_report(by=bob, person_id=alice.user_id, post_id=post_id, rule_id="spam")
    browser = log_in(with_permission(admin, permission))
    opened = set()
    for row in STAFF_ROWS:
        if row in (BEGIN, PUBLIC_LOG, *OF_NOTHING):
            continue
        address = row.address.format(alice=alice.user_id)
        if getattr(browser, row.method)(address, row.form).status_code != 404:
            opened.add((row.method, row.name))
    assert opened == {
        (row.method, row.name) for row in PAGES_OF[permission] if row not in OF_NOTHING
    }


@embedded_alone
@pytest.mark.parametrize("permission", Permission)
def test_the_tabs_are_those_that_the_permission_opens(permission, admin, log_in):
    browser = log_in(with_permission(admin, permission))
    begin = browser.get("/moderation")
    if permission in NO_TABS:
        assert begin.status_code == 404
        return
    page = browser.get(begin["Location"])
    assert page.status_code == 200
    for tab in Html(page).all("a"):
        if tab["href"].startswith("/moderation"):
            assert browser.get(tab["href"]).status_code in (200, 302), tab["href"]


def with_permission(admin: Viewer, permission: Permission) -> Viewer:
    save_role(by=admin, name="one-thing", title="One thing", permissions={permission})
    return person("staffer", role="one-thing")
