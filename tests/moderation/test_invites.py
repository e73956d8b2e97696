"""Invitations: whoever has one signs up, one use each, until they are used up, expire or are ended."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.sign_up.writes import Admission, InviteUnknown, InviteUsedUp, sign_up
from moderation.rules.filter_writes import MOST_INVITES, make_invite
from moderation.rules.reads import list_invites
from moderation.staff.writes import TooMany
from socialsite.site_settings.models import Invite
from socialsite.site_settings.site_setup import SignUp
from socialsite.table import change, create, keys
from tests.conftest import PASSWORD
from tests.moderation.joining import is_here, join, waits
from tests.moderation.site import logged, set_up
from tests.web.html import Html


def uses_left(code: str) -> int:
    return {invite.code: invite.uses_left for invite in list_invites()}[code]


@pytest.fixture
def by_invitation(admin):
    set_up(admin, sign_up=SignUp.INVITE)


@pytest.mark.usefixtures("by_invitation")
class TestWhereOneNeedsAnInvitation:
    def test_the_page_asks_for_it(self):
        assert Html(Client().get("/signup")).value("invite") == ""
        refused = join()
        assert refused.status_code == 422
        assert Html(refused).error("invite")
        assert not is_here()

    def test_the_link_brings_it_along_and_one_use_is_taken(self, mod):
        code = make_invite(by=mod, uses=2, days=7)
        assert Html(Client().get(f"/signup?invite={code}")).value("invite") == code
        response = join(invite=code)
        assert (response.status_code, response["Location"]) == (302, "/welcome")
        assert not waits()
        assert uses_left(code) == 1

    def test_a_used_up_one_says_so(self, mod):
        code = make_invite(by=mod, uses=1, days=7)
        join(invite=code)
        refused = join(handle="emil", invite=code)
        assert refused.status_code == 422
        assert "used up" in Html(refused).error("invite")
        assert not is_here("emil")
        page = Html(Client().get(f"/signup?invite={code}"))
        assert "used up" in page.one(role="alert").text

    def test_of_two_who_share_the_last_use_one_comes_in(self, mod):
        code = make_invite(by=mod, uses=1, days=7)
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda who: join(handle=who, invite=code), ["dora", "emil"]))
        assert sorted(answer.status_code for answer in answers) == [302, 422]
        assert uses_left(code) == 0

    @pytest.mark.parametrize(
        "code", ["nothing-like-it", "x" * 2000, "x", "a b", "é" * 20, "x" * 41, "#", "\x00"]
    )
    def test_an_unknown_one_says_so(self, code):
        refused = join(invite=code)
        assert refused.status_code == 422
        assert Html(refused).error("invite")
        assert not is_here()
        page = Client().get("/signup", {"invite": code})
        assert "This invitation has expired, or never existed" in Html(page).one(role="alert").text

    def test_an_expired_one_is_unknown_before_it_is_deleted(self, mod):
        code = make_invite(by=mod, uses=1, days=7)
        past = datetime.now(UTC) - timedelta(hours=1)
        change(Invite, keys.invite(code), [Invite.ttl.set(past)])
        assert join(invite=code).status_code == 422
        assert not is_here()
        assert list_invites() == []

    def test_what_is_wrong_elsewhere_takes_no_use(self, mod, alice):
        code = make_invite(by=mod, uses=1, days=7)
        assert join(handle="alice", invite=code).status_code == 422
        assert uses_left(code) == 1


def test_an_invitation_skips_approval_and_the_days_number(admin, mod):
    set_up(admin, sign_up=SignUp.APPROVAL, sign_ups_a_day=1)
    code = make_invite(by=mod, uses=5, days=7)
    page = Html(Client().get(f"/signup?invite={code}"))
    assert not page.all(name="asked")
    for handle in ("dora", "emil"):
        assert join(handle=handle, invite=code).status_code == 302
        assert not waits(handle)


def test_an_invitation_opens_no_closed_door(admin, mod):
    set_up(admin, sign_up=SignUp.CLOSED)
    assert join(invite=make_invite(by=mod, uses=5, days=7)).status_code == 403


def test_the_service_says_what_is_wrong_with_it(mod):
    person = {"handle": "dora", "name": "Dora", "email": "d@example.org", "password": PASSWORD}
    with pytest.raises(InviteUnknown):
        sign_up(**person, admission=Admission(invite="nothing-like-it"))
    code = make_invite(by=mod, uses=1, days=1)
    change(Invite, keys.invite(code), [Invite.uses_left.set(0)])
    with pytest.raises(InviteUsedUp):
        sign_up(**person, admission=Admission(invite=code))


def test_moderators_make_them_and_see_what_is_left(mod, log_in):
    browser = log_in(mod)
    response = browser.post("/moderation/invites", {"uses": "3", "days": "30", "comment": "club"})
    assert response["Location"] == "/moderation/invites"
    (invite,) = list_invites()
    assert (invite.uses_left, invite.comment) == (3, "club")
    assert timedelta(days=29) < invite.until - datetime.now(UTC) <= timedelta(days=30)
    page = Html(browser.get("/moderation/invites"))
    assert page.one("code").text == f"http://testserver/signup?invite={invite.code}"
    assert logged()[-1] == (mod.user_id, "make invite", {"uses": 3, "days": 30, "comment": "club"})


@pytest.mark.parametrize(
    "wrong", [{"uses": "0"}, {"uses": "1001"}, {"uses": "x"}, {"days": "2"}, {"comment": "x" * 201}]
)
def test_what_cannot_be_is_said_beside_its_field(mod, log_in, wrong):
    form = {"uses": "3", "days": "7"} | wrong
    response = log_in(mod).post("/moderation/invites", form)
    assert response.status_code == 422
    assert Html(response).error(*wrong)
    assert list_invites() == []


def test_an_ended_one_is_gone_and_ending_it_again_changes_nothing(mod, log_in):
    code = make_invite(by=mod, uses=5, days=7)
    browser = log_in(mod)
    assert browser.get(f"/moderation/invites/{code}/end").status_code == 405
    for _ in range(2):
        assert browser.post(f"/moderation/invites/{code}/end").status_code == 302
    assert list_invites() == []
    assert [action for _, action, _ in logged()] == ["make invite", "end invite"]
    assert browser.post(f"/moderation/invites/{'x' * 300}/end").status_code == 302


def test_there_are_so_many_at_most(mod, log_in):
    soon = datetime.now(UTC) + timedelta(days=1)
    for number in range(MOST_INVITES):
        code = f"invitation-{number}"
        create(Invite.new(code=code, creator_id="", uses_left=1, comment="", ttl=soon))
    with pytest.raises(TooMany):
        make_invite(by=mod, uses=1, days=1)
    response = log_in(mod).post("/moderation/invites", {"uses": "1", "days": "7"})
    assert "200" in Html(response).error("uses")
