"""Confirming that it is oneself: with password and code, with a passkey, and in place of a change."""

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client

from accounts.credentials.passwords import WrongPassword
from accounts.models import Credentials, SignIn
from accounts.people.restrictions import Restriction
from accounts.people.viewer import BY_CODE, BY_PASSKEY, BY_PASSWORD, VISITOR
from accounts.permissions import set_role
from accounts.proof import views
from accounts.proof.writes import prove_identity
from accounts.sessions import get_viewer, sign_out
from socialsite.table import NotFound, change, get, keys, query
from tests.accounts.authenticator import Authenticator, Key, add_passkey, asked, prove, sign_in
from tests.accounts.scenes import App, in_browser, proved_long_ago, with_second_factor
from tests.accounts.staff_change import CHANGE, WORKER
from tests.conftest import HTMX, PASSWORD
from tests.moderation.cases import about, actions_of, report_by_each, restrict, strikes, version_of
from tests.web.html import Html


def sign_in_of(viewer, browser) -> SignIn:
    key = keys.sign_in(viewer.user_id, in_browser(viewer, browser).secret_hash)
    return get(SignIn, key, consistent=True)


def make_old(viewer, browser, **ago: int) -> None:
    moment = (datetime.now(UTC) - timedelta(**ago)).isoformat()
    change(SignIn, sign_in_of(viewer, browser).key, [SignIn.proved_at.set(moment)])


def test_the_password_is_a_proof_of_who_has_no_second_factor(alice, log_in):
    browser = log_in(alice)
    assert sign_in_of(alice, browser).proved_at is None
    assert not Html(browser.get("/confirm")).all(name="code")
    response = browser.post("/confirm", {"password": PASSWORD, "next": "/local"})
    assert (response.status_code, response["Location"]) == (302, "/local")
    proof = sign_in_of(alice, browser)
    assert proof.proved_with == BY_PASSWORD
    assert datetime.fromisoformat(str(proof.proved_at)) > datetime.now(UTC) - timedelta(minutes=1)


def test_who_has_a_second_factor_gives_its_code_too(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 422
    assert sign_in_of(alice, browser).proved_at is None
    form = {"password": PASSWORD, "code": app.code()}
    assert browser.post("/confirm", form).status_code == 302
    assert sign_in_of(alice, browser).proved_with == BY_CODE


@pytest.mark.parametrize("wrong", ["password", "code"])
def test_what_is_wrong_is_said_beside_it_and_proves_nothing(alice, log_in, wrong):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    form[wrong] = "not hers at all" if wrong == "password" else app.wrong_code()
    response = browser.post("/confirm", form)
    assert response.status_code == 422
    assert Html(response).error(wrong)
    assert Html(response).value("password") == ""
    assert sign_in_of(alice, browser).proved_at is None


def test_a_code_proves_once_and_in_one_browser(alice, log_in):
    app = with_second_factor(alice)
    one, other = log_in(alice), log_in(alice)
    form = {"password": PASSWORD, "code": app.code()}
    assert one.post("/confirm", form).status_code == 302
    assert other.post("/confirm", form).status_code == 422
    assert sign_in_of(alice, other).proved_at is None


def test_a_form_sent_twice_finds_its_proof(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    form = {"password": PASSWORD, "code": app.code(), "next": "/local"}
    answers = [browser.post("/confirm", form) for _ in range(2)]
    assert [answer["Location"] for answer in answers] == ["/local", "/local"]


def test_a_proof_begins_a_new_sign_in_and_ends_the_one_before(alice, log_in):
    browser, thief = log_in(alice), Client()
    name = settings.SESSION_COOKIE_NAME
    thief.cookies[name] = browser.cookies[name].value
    browser.post("/confirm", {"password": PASSWORD})
    assert browser.get("/settings/profile").status_code == 200
    assert thief.get("/settings/profile")["Location"].startswith("/login")
    assert len(list(query(keys.sign_ins(alice.user_id), consistent=True))) == 1


def test_forms_that_wait_in_other_tabs_can_still_be_sent(alice, log_in):
    browser = log_in(alice)
    browser.handler.enforce_csrf_checks = True
    token = Html(browser.get("/settings/profile")).value("csrfmiddlewaretoken")
    browser.post("/confirm", {"password": PASSWORD, "csrfmiddlewaretoken": token})
    form = {"name": "Alice A.", "csrfmiddlewaretoken": token}
    assert browser.post("/settings/profile", form).status_code == 302


def test_a_sign_in_that_has_ended_proves_nothing(alice, log_in):
    by = in_browser(alice, log_in(alice))
    sign_out(by=by)
    with pytest.raises(NotFound):
        prove_identity(by=by, browser="", password=PASSWORD)
    assert not list(query(keys.sign_ins(alice.user_id), consistent=True))


def test_a_recovery_code_proves_as_well(alice, log_in):
    app = with_second_factor(alice)
    browser = log_in(alice)
    page = Html(browser.get("/confirm?next=/local&recovery"))
    assert page.value("next") == "/local"
    form = {"password": PASSWORD, "code": app.recovery[0], "next": "/local"}
    assert browser.post("/confirm?recovery", form)["Location"] == "/local"


def test_signing_in_with_a_code_is_a_proof(alice):
    app = with_second_factor(alice)
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    browser.post("/login/code", {"code": app.code()})
    assert sign_in_of(alice, browser).proved_with == BY_CODE


def test_signing_in_with_the_password_alone_is_none(alice):
    browser = Client()
    browser.post("/login", {"account": "alice", "password": PASSWORD})
    assert sign_in_of(alice, browser).proved_at is None


def test_a_password_is_nobody_elses(alice, bob, log_in):
    by = in_browser(alice, log_in(alice))
    with pytest.raises(WrongPassword):
        prove_identity(by=by, browser="", password="bob's own password")


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:x", ""])
def test_it_leads_back_within_the_site_alone(alice, log_in, target):
    response = log_in(alice).post("/confirm", {"password": PASSWORD, "next": target})
    assert response["Location"] == "/"


def test_tries_are_limited(alice, log_in, limit):
    limit(views, "PROOFS_BY_ACCOUNT", 2)
    browser = log_in(alice)
    for _ in range(2):
        assert browser.post("/confirm", {"password": "not hers"}).status_code == 422
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 429
    assert sign_in_of(alice, browser).proved_at is None


def test_a_proof_gets_old(alice, log_in):
    browser = log_in(alice)
    browser.post("/confirm", {"password": PASSWORD})
    make_old(alice, browser, minutes=31)
    viewer = browser.get("/about").context["request"].user
    assert viewer.has_proved_within(timedelta(minutes=32))
    assert not viewer.has_proved_within(timedelta(minutes=30))
    assert not viewer.has_proved_within(timedelta(minutes=32), by_code=True)
    assert not VISITOR.has_proved_within(timedelta(days=9999))


def test_the_page_is_kept_nowhere(alice, log_in):
    assert "no-store" in log_in(alice).get("/confirm")["Cache-Control"]


def test_people_who_are_locked_out_confirm_too(alice, log_in):
    browser = log_in(alice)
    restrict(alice, Restriction.SUSPENDED)
    response = browser.post("/confirm", {"password": PASSWORD, "next": "/standing"})
    assert (response.status_code, response["Location"]) == (302, "/standing")
    assert sign_in_of(alice, browser).proved_with == BY_PASSWORD
    viewer, _, _ = get_viewer(alice.user_id, in_browser(alice, browser).secret_hash)
    assert viewer.has_proved_within(timedelta(minutes=1))


# A proof that is too old is asked for in place of a change: nothing is done, then what was sent is done as it
# was.


@pytest.fixture
def strict(settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


@pytest.fixture
def app(mod) -> App:
    return with_second_factor(mod)


@pytest.fixture
def moderator(mod, app, log_in) -> Client:
    """The browser of a moderator who looked at cases for longer than a proof lasts."""
    browser = log_in(mod)
    proved_long_ago(mod)
    return browser


@pytest.fixture
def sent(bob, carol) -> dict[str, object]:
    """A decision with its words."""
    report_by_each(bob, by=[carol], text="Buy this")
    version = version_of(about(bob))
    return {
        "action": "warn",
        "version": version,
        "rule": "spam",
        "preset": "none",
        "words": "Stop <b>it</b>\r\nplease",
    }


def address(bob) -> str:
    return f"{about(bob).url}/decide?queue=reports"


def carried(answer) -> dict[str, object]:
    """The decision that the page carries along."""
    page = Html(answer)
    return {name: page.value(name) for name in ("action", "version", "rule", "preset", "words")}


@pytest.mark.usefixtures("strict")
def test_nothing_is_done_and_every_word_is_carried_on(moderator, app, bob, sent):
    asked_for = moderator.post(address(bob), sent)
    assert asked_for.status_code == 401
    assert "no-store" in asked_for["Cache-Control"]
    assert not actions_of(about(bob))
    form = carried(asked_for) | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert moderator.post(address(bob), form).status_code == 302
    assert strikes(bob)[0].text == "Stop <b>it</b>\nplease"


@pytest.mark.usefixtures("strict")
def test_the_proof_counts_for_the_changes_that_follow(moderator, mod, app, bob, sent):
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    moderator.post(address(bob), form)
    assert sign_in_of(mod, moderator).proved_with == BY_CODE
    assert moderator.post(f"{about(bob).url}/note", {"text": "Hm."}).status_code == 302


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("wrong", ["proof-password", "proof-code"])
def test_a_wrong_proof_does_nothing_and_keeps_the_words(moderator, app, bob, sent, wrong):
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    form[wrong] = "not theirs" if wrong == "proof-password" else app.wrong_code()
    refused = moderator.post(address(bob), form)
    assert refused.status_code == 422
    assert carried(refused)["words"] == sent["words"]
    assert Html(refused).value("proof-password") == ""
    assert not actions_of(about(bob))


@pytest.mark.usefixtures("strict")
def test_a_recovery_code_does_as_well(moderator, app, bob, sent):
    page = moderator.post(address(bob), sent | {"proof-recovery": "1", "proof-password": ""})
    assert "Recovery code" in page.content.decode()
    form = carried(page) | {"proof-password": PASSWORD, "proof-code": app.recovery[0]}
    assert moderator.post(address(bob), form).status_code == 302
    assert len(actions_of(about(bob))) == 1


@pytest.mark.usefixtures("strict")
def test_tries_are_limited_and_the_page_that_says_so_carries_every_word(
    moderator, app, bob, sent, limit
):
    limit(views, "PROOFS_BY_ACCOUNT", 1)
    form = sent | {"proof-password": "not theirs", "proof-code": app.code()}
    assert moderator.post(address(bob), form).status_code == 422
    refused = moderator.post(address(bob), form)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert "Too many tries" in refused.content.decode()
    assert carried(refused) == {name: str(value) for name, value in sent.items()}
    assert not actions_of(about(bob))
    limit(views, "PROOFS_BY_ACCOUNT", 10)
    again = carried(refused) | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert moderator.post(address(bob), again).status_code == 302
    assert strikes(bob)[0].text == "Stop <b>it</b>\nplease"


@pytest.mark.usefixtures("strict")
def test_a_proof_in_the_form_helps_no_sign_in_that_gave_none(mod, app, log_in, bob, sent):
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert log_in(mod).post(address(bob), form)["Location"].startswith("/confirm")
    assert not actions_of(about(bob))


@pytest.mark.usefixtures("strict")
def test_a_proof_without_the_permission_is_not_even_looked_at(alice, log_in, bob, sent):
    app = with_second_factor(alice)
    browser = log_in(alice)
    proved_long_ago(alice)
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert browser.post(address(bob), form).status_code == 404


@pytest.mark.usefixtures("strict")
def test_htmx_gets_a_dialog_and_then_hears_that_it_can_send_again(moderator, app, bob, sent):
    asked_for = moderator.post(address(bob), sent, headers=HTMX)
    assert (asked_for.status_code, asked_for["HX-Retarget"]) == (401, "#proof")
    assert Html(asked_for).one("form")["hx-post"] == "/confirm"
    wrong = {"password": PASSWORD, "code": app.wrong_code()}
    refused = moderator.post("/confirm", wrong, headers=HTMX)
    assert refused.status_code == 422
    assert Html(refused).error("code")
    proved = moderator.post("/confirm", wrong | {"code": app.code()}, headers=HTMX)
    assert proved.status_code == 204
    assert "proved" in proved["HX-Trigger"]
    assert moderator.post(address(bob), sent, headers=HTMX)["HX-Redirect"]
    assert len(actions_of(about(bob))) == 1


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("strictest", [False, True])
def test_a_passkey_alone_does_what_was_sent(
    alice, log_in, phone: Authenticator, settings, bob, sent, strictest
):
    settings.STAFF_PASSKEY = strictest
    add_passkey(prove(log_in(alice)), phone)
    set_role(user_id=alice.user_id, role="moderator")
    browser = Client()
    sign_in(phone, browser)
    make_old(alice, browser, minutes=31)
    page = browser.post(address(bob), sent)
    assert page.status_code == 401
    assert not Html(page).all("input", name="proof-password")
    unverified = phone.use(asked(page), verifies=False)
    refused = browser.post(address(bob), carried(page) | {"credential": unverified})
    assert refused.status_code == 422
    form = carried(refused) | {"credential": phone.use(asked(refused))}
    assert browser.post(address(bob), form).status_code == 302
    assert sign_in_of(alice, browser).proved_with == BY_PASSKEY
    assert len(actions_of(about(bob))) == 1


# A passkey proves who is there, alone and as much as password and code together; and staff may need one.

CONFIRM = "/confirm/passkey"


@pytest.fixture
def key(alice, log_in, phone) -> Key:
    """Alice's passkey on her phone."""
    return add_passkey(prove(log_in(alice)), phone)


def use(browser: Client, device: Authenticator, page: str = "/confirm?next=/local", **differing):
    answer = device.use(asked(browser.get(page)), **differing)
    next_page = Html(browser.get(page)).value("next")
    return browser.post(CONFIRM, {"credential": answer, "next": next_page})


def test_a_passkey_proves_what_password_and_code_prove(alice, key, phone, log_in):
    with_second_factor(alice)
    browser = log_in(alice)
    old = sign_in_of(alice, browser).key
    assert use(browser, phone)["Location"] == "/local"
    proved = sign_in_of(alice, browser)
    assert proved.proved_with == BY_PASSKEY
    assert proved.key != old  # a copy of the cookie gains nothing
    assert old not in {SignIn.from_raw_data(raw).key for raw in query(keys.sign_ins(alice.user_id))}


def test_an_unverified_one_or_that_of_someone_else_proves_nothing(alice, bob, key, phone, log_in):
    tablet = Authenticator()
    add_passkey(prove(log_in(bob)), tablet)
    browser = log_in(alice)
    for answer in (use(browser, phone, verifies=False), use(browser, tablet)):
        assert answer.status_code == 422
        assert "That passkey didn’t work" in answer.content.decode()
    assert sign_in_of(alice, browser).proved_at is None


def test_a_password_typed_after_a_refused_passkey_still_counts(alice, key, phone, log_in):
    browser = log_in(alice)
    refused = use(browser, phone, verifies=False)
    forms = [
        form for form in Html(refused).all("form", method="post") if "action" in form.attributes
    ]
    assert "/confirm" in [form["action"] for form in forms]


def test_a_form_sent_twice_finds_its_proof_by_passkey(alice, key, phone, log_in):
    browser = log_in(alice)
    form = {"credential": phone.use(asked(browser.get("/confirm"))), "next": "/local"}
    assert [browser.post(CONFIRM, form)["Location"] for _ in range(2)] == ["/local", "/local"]


def test_an_answer_given_before_proves_nothing_later(alice, key, phone, log_in):
    browser = log_in(alice)
    form = {"credential": phone.use(asked(browser.get("/confirm"))), "next": "/local"}
    browser.post(CONFIRM, form)
    make_old(alice, browser, minutes=11)
    assert browser.post(CONFIRM, form).status_code == 422


def test_tries_are_limited_with_those_of_passwords(alice, key, phone, log_in, limit):
    browser = log_in(alice)
    limit(views, "PROOFS_BY_ACCOUNT", 1)
    assert use(browser, phone, verifies=False).status_code == 422
    assert use(browser, phone).status_code == 429


def test_people_without_passkeys_are_not_asked_for_one(bob, log_in):
    assert not Html(log_in(bob).get("/confirm")).all("form", id="passkey")


staff_pages = pytest.mark.urls("tests.accounts.staff_change")


@pytest.fixture
def strictest(settings) -> None:
    settings.STAFF_SECOND_FACTOR = settings.STAFF_PASSKEY = True


@staff_pages
@pytest.mark.usefixtures("strict")
def test_signing_in_with_a_passkey_opens_the_pages_of_staff(alice, key, phone):
    set_role(user_id=alice.user_id, role="admin")
    browser = Client()
    sign_in(phone, browser)
    assert browser.get(WORKER).status_code == 200
    assert browser.post(CHANGE).content == b"changed"


@staff_pages
@pytest.mark.usefixtures("strict")
def test_staff_with_a_passkey_alone_are_asked_for_it(alice, key, phone, log_in):
    set_role(user_id=alice.user_id, role="admin")
    browser = log_in(alice)
    confirm = browser.get(WORKER)["Location"]
    assert confirm == "/confirm?next=%2Foperations%2Fworker&passkey=1"
    page = Html(browser.get(confirm))
    assert not page.all("input", name="password")
    assert use(browser, phone, confirm)["Location"] == WORKER
    make_old(alice, browser, minutes=31)
    assert browser.get(WORKER).status_code == 200
    assert browser.post(CHANGE).status_code == 401


@staff_pages
@pytest.mark.usefixtures("strictest")
def test_where_the_site_says_so_a_code_opens_nothing(admin, log_in, phone):
    app = with_second_factor(admin)
    browser = Client()
    browser.post("/login", {"account": "addy", "password": PASSWORD})
    browser.post("/login/code", {"code": app.code()})
    assert browser.get(WORKER)["Location"] == "/settings/passkeys"
    banner = Html(browser.get("/settings/passkeys")).one("p", class_="banner")
    assert "Your role needs a passkey" in banner.text
    add_passkey(browser, phone)
    confirm = browser.get(WORKER)["Location"]
    assert confirm == "/confirm?next=%2Foperations%2Fworker&passkey=1"
    assert use(browser, phone, confirm)["Location"] == WORKER
    assert browser.get(WORKER).status_code == 200
    assert browser.post(CHANGE).content == b"changed"


@staff_pages
@pytest.mark.usefixtures("strictest")
def test_staff_without_a_second_factor_can_add_a_passkey(admin, log_in, phone):
    browser = log_in(admin)
    confirm = browser.get("/settings/passkeys/add")["Location"]
    form = {"password": PASSWORD, "next": "/settings/passkeys/add"}
    assert browser.post(confirm, form)["Location"] == "/settings/passkeys/add"
    add_passkey(browser, phone)
    assert browser.get(WORKER)["Location"].endswith("&passkey=1")


@staff_pages
@pytest.mark.usefixtures("strictest")
def test_staff_whose_last_passkey_is_gone_read_nothing_any_more(alice, key, phone):
    set_role(user_id=alice.user_id, role="admin")
    browser = Client()
    sign_in(phone, browser)
    make_old(alice, browser, minutes=31)
    gone = [Credentials.passkeys.set(0)]
    change(Credentials, keys.credentials(alice.user_id), gone)
    assert browser.get(WORKER)["Location"] == "/settings/passkeys"


def test_password_managers_find_the_pages(table, settings):
    sent = Client().get("/.well-known/change-password")
    assert (sent.status_code, sent["Location"]) == (302, "/settings/password")
    pages = Client().get("/.well-known/passkey-endpoints").json()
    assert pages["manage"] == "http://testserver/settings/passkeys"
    assert pages["enroll"] == "http://testserver/settings/passkeys/add"
    settings.PASSKEY_DOMAIN = ""
    assert Client().get("/.well-known/passkey-endpoints").status_code == 404
