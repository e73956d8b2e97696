"""A proof that is too old is asked for in place of a change: nothing is done, then what was sent is done as it was."""

import pytest
from django.test import Client

from accounts.people.viewer import BY_CODE, BY_PASSKEY
from accounts.permissions import set_role
from accounts.proof import views
from tests.accounts.authenticator import Authenticator, add_passkey, asked, prove, sign_in
from tests.accounts.codes import App, proved_long_ago, with_second_factor
from tests.accounts.test_prove_identity import make_old, sign_in_of
from tests.conftest import HTMX, PASSWORD
from tests.moderation.cases import about, actions, strikes
from tests.moderation.queues import report, version_of
from tests.web.html import Html


@pytest.fixture(autouse=True)
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
    report(bob, by=[carol], text="Buy this")
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


def test_nothing_is_done_and_every_word_is_carried_on(moderator, app, bob, sent):
    asked_for = moderator.post(address(bob), sent)
    assert asked_for.status_code == 401
    assert "no-store" in asked_for["Cache-Control"]
    assert not actions(about(bob))
    form = carried(asked_for) | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert moderator.post(address(bob), form).status_code == 302
    assert strikes(bob)[0].text == "Stop <b>it</b>\nplease"


def test_the_proof_counts_for_the_changes_that_follow(moderator, mod, app, bob, sent):
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    moderator.post(address(bob), form)
    assert sign_in_of(mod, moderator).proved_with == BY_CODE
    assert moderator.post(f"{about(bob).url}/note", {"text": "Hm."}).status_code == 302


@pytest.mark.parametrize("wrong", ["proof-password", "proof-code"])
def test_a_wrong_proof_does_nothing_and_keeps_the_words(moderator, app, bob, sent, wrong):
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    form[wrong] = "not theirs" if wrong == "proof-password" else app.wrong_code()
    refused = moderator.post(address(bob), form)
    assert refused.status_code == 422
    assert carried(refused)["words"] == sent["words"]
    assert Html(refused).value("proof-password") == ""
    assert not actions(about(bob))


def test_a_recovery_code_does_as_well(moderator, app, bob, sent):
    page = moderator.post(address(bob), sent | {"proof-recovery": "1", "proof-password": ""})
    assert "Recovery code" in page.content.decode()
    form = carried(page) | {"proof-password": PASSWORD, "proof-code": app.recovery[0]}
    assert moderator.post(address(bob), form).status_code == 302
    assert len(actions(about(bob))) == 1


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
    assert not actions(about(bob))
    limit(views, "PROOFS_BY_ACCOUNT", 10)
    again = carried(refused) | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert moderator.post(address(bob), again).status_code == 302
    assert strikes(bob)[0].text == "Stop <b>it</b>\nplease"


def test_a_proof_in_the_form_helps_no_sign_in_that_gave_none(mod, app, log_in, bob, sent):
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert log_in(mod).post(address(bob), form)["Location"].startswith("/confirm")
    assert not actions(about(bob))


def test_a_proof_without_the_permission_is_not_even_looked_at(alice, log_in, bob, sent):
    app = with_second_factor(alice)
    browser = log_in(alice)
    proved_long_ago(alice)
    form = sent | {"proof-password": PASSWORD, "proof-code": app.code()}
    assert browser.post(address(bob), form).status_code == 404


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
    assert len(actions(about(bob))) == 1


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
    assert len(actions(about(bob))) == 1
