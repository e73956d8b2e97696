"""Sign-up: open, by invitation, with approval or closed; networks and domains that are refused."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import StringIO
from ipaddress import ip_network

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.people.reads import find_user_by_handle, get_user_info
from accounts.sign_up.writes import Admission, InviteUnknown, InviteUsedUp, sign_up
from feed.posts.content_checks import judge_post
from moderation.rules import filter_writes
from moderation.rules.filter_writes import MOST_INVITES, make_invite
from moderation.rules.reads import list_invites
from moderation.staff.writes import TooMany
from socialsite.site_settings.models import AddressBlock, EmailDomainBlock, Invite
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import SLOW_FIRST_POSTS, AddressEffect, SignUp, SiteRules
from socialsite.site_settings.word_filters import Effect
from socialsite.table import change, create, keys, write_batch
from tests.conftest import HTMX, PASSWORD, person, post
from tests.moderation.staff import asked, is_here, join, logged, set_up, waits, word_rule
from tests.web.html import Html


def test_where_everybody_may_nobody_is_asked_for_more(table):
    page = Html(Client().get("/signup"))
    assert not page.all(name="invite")
    assert not page.all(name="asked")
    assert "our rules" in [link.text for link in page.all("a", href="/rules")]
    assert join(asked="Because").status_code == 302
    assert (waits(), asked()) == (False, None)


def test_where_nobody_may_the_page_says_so(admin):
    set_up(admin, sign_up=SignUp.CLOSED)
    page = Client().get("/signup")
    assert page.status_code == 200
    assert "We’re not taking new accounts" in page.content.decode()
    assert not Html(page).all("form", action="/signup")
    refused = join()
    assert refused.status_code == 403
    assert "We’re not taking new accounts" in refused.content.decode()
    assert not is_here()


def test_where_one_is_approved_the_account_waits_with_the_reason(admin):
    set_up(admin, sign_up=SignUp.APPROVAL)
    assert Html(Client().get("/signup")).one("textarea", name="asked")
    browser = Client()
    response = join(browser, asked="I like\nbread.")
    assert (response.status_code, response["Location"]) == (302, "/standing")
    assert (waits(), asked()) == (True, "I like\nbread.")
    assert get_user_info(find_user_by_handle("dora")).is_locked_out
    assert browser.get("/posts/new").status_code == 302


def test_the_reason_is_optional_and_short(admin):
    set_up(admin, sign_up=SignUp.APPROVAL)
    refused = join(asked="x" * 501)
    assert refused.status_code == 422
    assert Html(refused).error("asked")
    assert Html(refused).value("asked") == "x" * 501
    assert not is_here()
    assert join().status_code == 302
    assert (waits(), asked()) == (True, None)


@pytest.mark.parametrize("extra", [{}, HTMX], ids=["page", "htmx"])
def test_sending_the_form_twice_makes_one_account_that_waits(admin, extra):
    set_up(admin, sign_up=SignUp.APPROVAL)
    browser = Client(headers=extra)
    join(browser)
    assert join(browser).status_code in (302, 422)
    assert waits()


def test_above_the_days_number_one_waits(admin):
    set_up(admin, sign_ups_a_day=2)
    for handle in ("dora", "emil", "finn"):
        assert join(handle=handle).status_code == 302
    assert [waits(handle) for handle in ("dora", "emil", "finn")] == [False, False, True]


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)
def test_of_many_at_once_no_more_than_the_days_number_come_in(admin):
    set_up(admin, sign_ups_a_day=3)
    handles = [f"dora{number}" for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda handle: join(handle=handle), handles))
    assert [answer.status_code for answer in answers] == [302] * 6
    assert sum(not waits(handle) for handle in handles) == 3


def test_who_is_refused_does_not_count_for_the_day(admin, alice):
    set_up(admin, sign_ups_a_day=1)
    assert join(handle="alice").status_code == 422
    assert join().status_code == 302
    assert not waits()


@pytest.mark.parametrize(
    "closed", [{"sign_up": SignUp.CLOSED}, {"sign_up": SignUp.APPROVAL}, {"sign_ups_a_day": 1}]
)
def test_createadmin_is_held_by_none_of_it(admin, monkeypatch, closed):
    set_up(admin, **closed)
    join(handle="first")
    word_rule(admin, "boss", Effect.REFUSE)
    monkeypatch.setattr("sys.stdin", StringIO(f"{PASSWORD}\n"))
    arguments = ["dora", "--email=dora@example.org", "--name=The boss", "--password-stdin"]
    call_command("createadmin", *arguments, stdout=StringIO())
    assert not waits()
    assert get_user_info(find_user_by_handle("dora")).role == "admin"


def test_a_refused_word_cannot_stand_in_a_new_name(admin):
    word_rule(admin, "casino", Effect.REFUSE)
    word_rule(admin, "bonus", Effect.HOLD)
    refused = join(name="The Casino")
    assert refused.status_code == 422
    assert "No spam" in Html(refused).error("name")
    assert not is_here()
    assert join(name="Bonus").status_code == 302


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_signing_up_costs_where_a_day_has_a_limit(admin, measure):
    set_up(admin, sign_ups_a_day=5)
    Client().get("/signup")  # the copy of the rules is read anew
    with measure() as meter:
        join()
    units = [(call.access_pattern, call.units) for call in meter.calls]
    assert ("sign_up", 16) in units


# Invitations: whoever has one signs up, one use each, until they are used up, expire or are ended.


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


# Networks from which nobody signs up, or from which one waits.

ADD = "/moderation/blocks/networks"
REMOVE = "/moderation/blocks/networks/remove"


def block(admin, network: str, effect: str = AddressEffect.BLOCK) -> None:
    filter_writes.block_networks(by=admin, networks=[ip_network(network)], effect=effect)


def from_address(address: str) -> Client:
    return Client(REMOTE_ADDR=address)


def listed() -> dict[str, tuple[str, str]]:
    found = read_site_rules().networks
    return {str(one.network): (str(one.effect), one.comment) for one in found}


@pytest.mark.parametrize(
    ("network", "address"),
    [
        ("203.0.113.0/24", "203.0.113.77"),
        ("203.0.113.7/32", "203.0.113.7"),
        ("203.0.113.0/24", "::ffff:203.0.113.77"),
        ("2001:db8:1::/48", "2001:db8:1:2::3"),
        ("2001:db8:1:2::/64", "2001:db8:1:2:aaaa:bbbb:cccc:dddd"),
    ],
)
def test_nobody_signs_up_from_a_blocked_network(admin, network, address):
    block(admin, network)
    browser = from_address(address)
    assert "network" in browser.get("/signup").content.decode()
    refused = join(browser)
    assert refused.status_code == 403
    assert "network" in refused.content.decode()
    assert not is_here()


@pytest.mark.parametrize("address", ["203.0.114.1", "2001:db8:2::1", "", "not an address"])
def test_others_do(admin, address):
    block(admin, "203.0.113.0/24")
    block(admin, "2001:db8:1::/48")
    assert join(from_address(address)).status_code == 302


def test_from_a_watched_network_one_waits_unless_invited(admin, mod):
    block(admin, "203.0.113.0/24", AddressEffect.APPROVAL)
    browser = from_address("203.0.113.7")
    assert Html(browser.get("/signup")).one(name="asked")
    assert join(browser)["Location"] == "/standing"
    assert waits()
    code = make_invite(by=mod, uses=1, days=1)
    join(from_address("203.0.113.7"), handle="emil", invite=code)
    assert not waits("emil")


def test_the_stricter_of_two_networks_holds(admin):
    block(admin, "203.0.113.0/24", AddressEffect.APPROVAL)
    block(admin, "203.0.113.0/28")
    assert join(from_address("203.0.113.7")).status_code == 403


def test_several_are_listed_at_once_as_networks(admin, log_in):
    form = {
        "networks": "203.0.113.9/24\n198.51.100.7\n\n2001:db8::1",
        "effect": "approval",
        "comment": "a wave",
    }
    assert log_in(admin).post(ADD, form).status_code == 302
    assert listed() == dict.fromkeys(
        ("203.0.113.0/24", "198.51.100.7/32", "2001:db8::/64"), ("approval", "a wave")
    )
    assert logged()[0][1] == "block networks"


def test_the_same_again_changes_what_happens(admin, log_in):
    for effect in ("approval", "block"):
        log_in(admin).post(ADD, {"networks": "203.0.113.0/24", "effect": effect})
    assert listed() == {"203.0.113.0/24": ("block", "")}


@pytest.mark.parametrize(
    "wrong",
    [
        {"networks": ""},
        {"networks": "203.0.113.0/24\nnothing"},
        {"networks": "0.0.0.0/0"},
        {"networks": "::/0"},
        {"networks": "203.0.113.0/33"},
        {"networks": "\n".join(f"203.0.113.{number}" for number in range(51))},
        {"effect": "other"},
        {"comment": "x" * 201},
    ],
)
def test_what_cannot_be_blocked_is_said_beside_its_field(admin, log_in, wrong):
    form = {"networks": "203.0.113.0/24", "effect": "block"} | wrong
    response = log_in(admin).post(ADD, form)
    assert response.status_code == 422
    assert Html(response).error(*wrong)
    assert listed() == {}


def test_a_network_is_taken_off_the_list(admin, log_in):
    block(admin, "203.0.113.0/24")
    browser = log_in(admin)
    button = Html(browser.get("/moderation/blocks")).one("button", name="network")
    assert browser.get(REMOVE).status_code == 405
    for _ in range(2):
        assert browser.post(REMOVE, {"network": button["value"]}).status_code == 302
    assert join(from_address("203.0.113.7")).status_code == 302


def test_there_are_so_many_networks_at_most(admin):
    most = filter_writes.MOST_NETWORKS
    write_batch(
        puts=[
            AddressBlock.new(network=f"10.0.{number}.0/24", effect="block", comment="")
            for number in range(most)
        ]
    )
    with pytest.raises(TooMany):
        block(admin, "203.0.113.0/24")
    block(admin, "10.0.1.0/24", AddressEffect.APPROVAL)


ADD_DOMAIN = "/moderation/blocks/domains"
REMOVE_DOMAIN = "/moderation/blocks/domains/remove"


# Email domains that nobody signs up with.


@pytest.mark.parametrize(
    "address", ["dora@trash.example", "dora@a.b.trash.example", "dora@TRASH.example"]
)
def test_nobody_signs_up_with_a_blocked_domain(admin, address):
    filter_writes.block_email_domains(by=admin, domains=["trash.example"])
    refused = join(email=address)
    assert refused.status_code == 422
    assert "provider" in Html(refused).error("email")
    assert Html(refused).value("email") == address
    assert not is_here()


@pytest.mark.parametrize(
    "address", ["dora@nottrash.example", "dora@example", "trash.example@x.org"]
)
def test_other_domains_stay_open(admin, address):
    filter_writes.block_email_domains(by=admin, domains=["trash.example"])
    assert "provider" not in Html(join(email=address)).error("email")


def test_several_are_blocked_at_once_in_one_spelling(admin, log_in):
    lines = " Trash.Example \r\n\r\nx@mail.example\ntrash.example\nbücher.example."
    response = log_in(admin).post(ADD_DOMAIN, {"domains": lines})
    assert response["Location"] == "/moderation/blocks"
    blocked = ["mail.example", "trash.example", "xn--bcher-kva.example"]
    assert sorted(read_site_rules().domains) == blocked
    assert logged() == [(admin.user_id, "block e-mail domains", {"domains": blocked})]


def test_blocking_again_changes_nothing(admin, log_in):
    for _ in range(2):
        assert log_in(admin).post(ADD_DOMAIN, {"domains": "trash.example"}).status_code == 302
    assert read_site_rules().domains == ("trash.example",)
    assert len(logged()) == 1


@pytest.mark.parametrize(
    "lines", ["", "trash", "good.example\na b.example", "http://x.example", "x" * 300 + ".example",
              "\n".join(f"d{number}.example" for number in range(51)), "*.example", "-"],
)  # fmt: skip
def test_what_is_no_list_of_domains_is_said_and_stays(admin, log_in, lines):
    response = log_in(admin).post(ADD_DOMAIN, {"domains": lines})
    page = Html(response)
    assert response.status_code == 422
    assert page.error("domains")
    assert page.value("domains") == lines
    assert read_site_rules().domains == ()


def test_a_domain_is_let_in_again(admin, log_in):
    browser = log_in(admin)
    filter_writes.block_email_domains(by=admin, domains=["trash.example"])
    page = Html(browser.get("/moderation/blocks"))
    button = page.one("button", name="domain")
    assert browser.get(REMOVE_DOMAIN).status_code == 405
    for _ in range(2):
        assert browser.post(REMOVE_DOMAIN, {"domain": button["value"]}).status_code == 302
    assert join(email="dora@trash.example").status_code == 302
    assert [action for _, action, _ in logged()][-1:] == ["unblock e-mail domain"]


def test_there_are_so_many_domains_at_most(admin, log_in):
    most = filter_writes.MOST_DOMAINS
    write_batch(puts=[EmailDomainBlock.new(domain=f"d{number}.example") for number in range(most)])
    with pytest.raises(TooMany):
        filter_writes.block_email_domains(by=admin, domains=["one.more.example"])
    filter_writes.block_email_domains(by=admin, domains=["d1.example"])
    refused = log_in(admin).post(ADD_DOMAIN, {"domains": "one.more.example"})
    assert "500" in Html(refused).error("domains")


# A site that is slowed down holds the first posts of newcomers and has new accounts wait, until the end comes.

SWITCH, WAVES, SITE = "/moderation/slow-down", "/moderation/waves", "/moderation/site"
LATER = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
BEFORE = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()


def verdict_on(author) -> str:
    return judge_post(by=author, content="Hello", audience="").withheld


def test_first_posts_are_held_and_those_of_others_are_not(mod, alice, log_in):
    for _ in range(SLOW_FIRST_POSTS):
        post(alice)
    newcomer = person("newcomer")
    log_in(mod).post(SWITCH, {"hours": "6"})
    assert verdict_on(newcomer) == "held"
    assert verdict_on(alice) == ""


def test_new_accounts_wait_for_approval(mod, log_in):
    log_in(mod).post(SWITCH, {"hours": "1"})
    assert Html(Client().get("/signup")).one("textarea", name="asked")
    assert join().status_code == 302
    assert waits()


def test_who_could_not_sign_up_before_cannot_now():
    for kept in (SignUp.INVITE, SignUp.CLOSED, SignUp.APPROVAL):
        assert SiteRules(sign_up=kept, slow_until=LATER).sign_up_now == kept
    assert SiteRules(hold_first_posts=9, slow_until=LATER).held_first_posts_now == 9


def test_it_ends_by_itself():
    ended = SiteRules(slow_until=BEFORE)
    assert (ended.is_slow, ended.sign_up_now, ended.held_first_posts_now) == (False, "open", 0)


def test_it_is_ended_before_that_and_the_log_has_both(mod, log_in):
    browser = log_in(mod)
    browser.post(SWITCH, {"hours": "72"})
    assert "End now" in Html(browser.get(WAVES)).one("section", aria_labelledby="slow-down").text
    browser.post(SWITCH, {"hours": "0"})
    assert not read_site_rules().slow_until
    text = Html(browser.get(WAVES)).one("section", aria_labelledby="slow-down").text
    assert "End now" not in text
    assert [action for _, action, _ in logged()] == ["slow down", "speed up"]


def test_saving_the_settings_leaves_it(admin, log_in):
    log_in(admin).post(SWITCH, {"hours": "1"})
    set_up(admin, hold_first_posts=1)
    assert read_site_rules().is_slow
    assert "End now" in str(log_in(admin).get(SITE).content)


@pytest.mark.parametrize("hours", ["", "-1", "2", "ever"])
def test_other_times_make_no_sense(mod, log_in, hours):
    assert log_in(mod).post(SWITCH, {"hours": hours}).status_code == 400
