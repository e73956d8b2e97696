"""Who looks at a case, and on whose desk it lies, on its page."""

import pytest
from django.test import Client

from accounts.permissions import Permission, save_role
from moderation.cases.writes import claim_case
from tests.conftest import HTMX, person
from tests.moderation.cases import about
from tests.moderation.queues import QUEUE, page_of, report, rows, steps
from tests.web.html import Html


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def test_looking_at_a_case_is_a_press_and_opening_it_is_none(moderator, mod, bob, carol):
    report(bob, by=[carol])
    assert "is reviewing" not in page_of(moderator, bob).one(id="looking").text
    assert "Review this case" in page_of(moderator, bob).one(id="looking").text
    answer = moderator.post(f"{about(bob).url}/claim?queue=reports", {"on": "1"})
    assert answer["Location"] == f"{about(bob).url}?queue=reports"
    assert "You are reviewing this" in page_of(moderator, bob).one(id="looking").text
    moderator.post(f"{about(bob).url}/claim", {"on": "0"})
    assert "Review this case" in page_of(moderator, bob).one(id="looking").text


def test_htmx_gets_who_looks(moderator, bob, carol):
    report(bob, by=[carol])
    looks = moderator.post(f"{about(bob).url}/claim", {"on": "1"}, headers=HTMX)
    assert Html(looks).one(id="looking").text.startswith("You are reviewing this")
    left = moderator.post(f"{about(bob).url}/claim", {"on": "0"}, headers=HTMX)
    assert "hx-trigger" not in Html(left).one(id="looking").attributes  # or it would look again


def test_what_another_looks_at_is_theirs_to_decide(moderator, admin, bob, carol):
    report(bob, by=[carol])
    claim_case(by=admin, case_id=about(bob))
    html = page_of(moderator, bob)
    assert "Addy Admin is reviewing this" in html.one(id="looking").text
    assert not steps(html)
    refused = moderator.post(f"{about(bob).url}/claim", {"on": "1"})
    assert refused.status_code == 409
    assert "Addy Admin is reviewing this case." in Html(refused).one("p", role="alert").text
    answer = moderator.post(f"{about(bob).url}/claim", {"on": "1"}, headers=HTMX)
    assert (answer.status_code, answer["HX-Retarget"]) == (409, "#looking")
    assert "only they can decide it" in Html(answer).one(id="ladder").text


def test_a_case_is_put_on_ones_own_desk_and_back(moderator, mod, bob, carol):
    report(bob, by=[carol])
    moderator.post(f"{about(bob).url}/assign", {"moderator": mod.user_id})
    assert rows(moderator.get(f"{QUEUE}?queue=mine")) == ["bob"]
    moderator.post(f"{about(bob).url}/assign", {"moderator": ""})
    assert rows(moderator.get(QUEUE)) == ["bob"]


def test_it_is_passed_on_to_who_may_decide_it_alone(moderator, mod, admin, bob, carol):
    report(bob, by=[carol])
    report(admin, by=[carol])
    save_role(by=admin, name="reader", title="Reader", permissions={Permission.LOG})
    person("reader", role="reader")
    offered = Html(moderator.get(f"{about(bob).url}/assign")).all("button", name="moderator")
    assert {button["value"] for button in offered} == {mod.user_id, admin.user_id}
    about_admin = Html(moderator.get(f"{about(admin).url}/assign")).all("button", name="moderator")
    assert [button["value"] for button in about_admin] == [mod.user_id]
    assert (
        moderator.post(f"{about(bob).url}/assign", {"moderator": carol.user_id}).status_code == 400
    )
    moderator.post(f"{about(bob).url}/assign", {"moderator": admin.user_id})
    assert "Assigned to Addy Admin" in moderator.get(about(bob).url).content.decode().replace(
        "<bdi>", ""
    )


def test_what_another_looks_at_cannot_be_passed_on(moderator, mod, admin, bob, carol):
    report(bob, by=[carol])
    claim_case(by=admin, case_id=about(bob))
    answer = moderator.post(f"{about(bob).url}/assign", {"moderator": mod.user_id})
    assert answer.status_code == 409
