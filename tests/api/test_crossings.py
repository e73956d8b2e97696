"""What ends a person's sign-ins ends what apps may do for them."""

import pytest

from accounts.access.reads import list_signed_in
from accounts.access.writes import CodeGone, SignInEnded, allow_app, begin_access
from accounts.grants.models import AppToken
from accounts.models import UserInfo
from accounts.people.restrictions import FOR_EVER
from accounts.security.writes import change_password, reset_second_factor
from accounts.sessions import end_other_sign_ins, get_viewer, hash_secret
from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import plan_read_only
from privacy.erasure.writes import begin_closing
from relations.blocks.writes import block
from socialsite.table import change, keys
from tests.accounts.scenes import send_whole_letters
from tests.api.authorisation import API_ROWS, TOKEN
from tests.api.conftest import App, find_code, give_code, new_app, token_of, tokens_of
from tests.conftest import PASSWORD, post
from tests.web.html import Html

ME = "/api/v1/accounts/verify_credentials"


@pytest.fixture
def here(alice, log_in):
    """Alice in her browser."""
    return log_in(alice)


def test_an_app_stands_where_one_is_signed_in_and_ends_in_one_press(alice, here):
    caller = App(token_of(alice))
    page = Html(here.get("/settings/security"))
    assert "Tusk" in page.one("main").text
    button = page.one("button", formaction="/settings/security/apps/end")
    here.post("/settings/security/apps/end", {"app": button["value"]})
    assert caller.ask("get", ME).status_code == 401
    assert tokens_of(alice) == []
    assert here.get("/settings/security").status_code == 200


def test_a_letter_tells_of_a_new_app_without_its_words(alice):
    token_of(alice)
    [letter] = send_whole_letters()
    assert letter.subject == "An app can use your account"
    assert "Tusk" not in letter.body


def test_nobody_ends_the_apps_of_others(alice, bob, log_in):
    caller = App(token_of(alice))
    value = tokens_of(alice)[0]["secret_hash"]["S"]
    log_in(bob).post("/settings/security/apps/end", {"app": value})
    assert caller.ask("get", ME).status_code == 200


def test_an_app_is_no_browser(alice, here):
    token_of(alice)
    assert len(list_signed_in(alice).browsers) == 1


def test_signing_out_everywhere_else_ends_apps(alice, here):
    caller = App(token_of(alice))
    signed_in = here.session["secret"]
    viewer = get_viewer(alice.user_id, hash_secret(signed_in))[0]
    assert end_other_sign_ins(by=viewer) == 1
    assert caller.ask("get", ME).status_code == 401


def test_another_password_ends_apps_and_codes_on_their_way(alice, here):
    caller, (app, _secret) = App(token_of(alice)), new_app()
    give_code(alice, app, "late")
    change_password(
        by=alice, password=PASSWORD, new_password="another-calm-password", browser="tests"
    )
    assert caller.ask("get", ME).status_code == 401
    code = find_code("late")
    assert code
    with pytest.raises(CodeGone):
        begin_access(code, token_secret="x" * 43)
    assert tokens_of(alice) == []


def test_a_page_asked_by_a_sign_in_that_has_just_ended_lets_no_app_in(alice, here):
    """The page reads who asks as it was a moment ago. The code would be of the time after the other password."""
    viewer = get_viewer(alice.user_id, hash_secret(here.session["secret"]))[0]
    app, _secret = new_app()
    where = {"redirect": app.redirects[0], "scopes": "read", "challenge": ""}
    allow_app(by=viewer, app=app, code="before", **where)
    assert find_code("before")
    change_password(
        by=alice, password=PASSWORD, new_password="another-calm-password", browser="tests"
    )
    with pytest.raises(SignInEnded):
        allow_app(by=viewer, app=app, code="after", **where)
    assert find_code("after") is None


def test_who_allows_an_app_with_such_a_sign_in_signs_in_first(alice, here, monkeypatch):
    def ended(**_code):
        raise SignInEnded

    monkeypatch.setattr("api.oauth.server.allow_app", ended)
    app, _secret = new_app()
    asked = {"client_id": app.client_id, "redirect_uri": app.redirects[0], "response_type": "code"}
    answer = here.post("/oauth/authorize", asked | {"allow": "1"})
    assert (answer.status_code, answer["Location"][:6]) == (302, "/login")


def test_a_factor_that_is_reset_ends_apps(alice):
    caller = App(token_of(alice))
    reset_second_factor(user_id=alice.user_id)
    assert caller.ask("get", ME).status_code == 401


@pytest.mark.parametrize("restriction", ["suspended_until", "paused", "waiting"])
def test_who_is_locked_out_is_so_in_apps(alice, restriction):
    caller = App(token_of(alice))
    attribute = getattr(UserInfo, restriction)
    change(UserInfo, keys.user_info(alice.user_id), [attribute.set(FOR_EVER)])
    for path in (ME, "/api/v1/timelines/home", "/api/v1/timelines/public"):
        answer = caller.ask("get", path)
        assert (answer.status_code, bool(answer.json()["error"])) == (403, True)
    assert caller.ask("post", "/api/v1/statuses", status="Hello").status_code == 403


def test_closing_an_account_ends_apps(alice):
    caller = App(token_of(alice))
    begin_closing(user_id=alice.user_id)
    assert caller.ask("get", ME).status_code in (401, 403)
    assert tokens_of(alice) == []


def test_a_block_hides_both_from_one_another_in_apps_at_once(alice, bob, drain_stream):
    caller, name = App(token_of(bob)), post(alice) + alice.user_id
    drain_stream()
    assert caller.get(f"/api/v1/statuses/{name}")
    block(by=alice, user_id=bob.user_id)
    for path in (
        f"statuses/{name}",
        f"statuses/{name}/context",
        f"accounts/{alice.user_id}",
        f"accounts/{alice.user_id}/statuses",
        f"accounts/{alice.user_id}/followers",
        "accounts/lookup?acct=alice",
    ):
        assert caller.ask("get", f"/api/v1/{path}").status_code == 404, path
    assert caller.get("/api/v1/timelines/public") == []
    assert caller.get("/api/v1/accounts/relationships", id=alice.user_id) == []
    assert caller.ask("post", f"/api/v1/accounts/{alice.user_id}/follow").status_code == 404


def test_of_people_whom_one_blocks_only_the_name_is_shown(alice, bob):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.bio.set("All about Bob")])
    caller = App(token_of(alice))
    assert "All about" in caller.get(f"/api/v1/accounts/{bob.user_id}")["note"]
    block(by=alice, user_id=bob.user_id)
    assert caller.get(f"/api/v1/accounts/{bob.user_id}")["note"] == ""
    assert caller.get(f"/api/v1/accounts/{bob.user_id}/statuses") == []


def test_while_the_site_is_only_read_apps_read(alice):
    caller = App(token_of(alice))
    key = keys.app_token(alice.user_id, tokens_of(alice)[0]["secret_hash"]["S"])
    change(AppToken, key, [AppToken.seen.set("2026-01-01")])  # which a call would note
    plan_read_only(by=OPERATOR)
    assert caller.get(ME)["acct"] == "alice"
    answer = caller.ask("post", "/api/v1/statuses", status="Hello")
    assert (answer.status_code, bool(answer.json()["error"])) == (503, True)
    assert int(answer["Retry-After"]) > 0


def test_staff_are_nobody_special_in_an_app(admin):
    me = App(token_of(admin)).get(ME)
    assert me["role"]["permissions"] == "0"
    for path in ("admin/accounts", "admin/reports", "accounts/x/action"):
        assert App(token_of(admin)).ask("get", f"/api/v1/{path}").status_code == 404


def test_no_page_of_the_site_takes_a_token(alice):
    caller = App(token_of(alice))
    for path in ("/settings/security", "/settings/data", "/settings/password", "/notifications"):
        assert caller.ask("get", path).status_code == 302
    assert "Sign in" in caller.ask("get", "/").content.decode()


def test_no_address_opens_to_an_app_that_was_allowed_something_else(alice, app):
    """Of those that need a token: an app that may only push gets nothing done, and learns nothing."""
    one, known = app(alice, "push"), {"post": post(alice), "alice": alice.user_id}
    needs_none = {"verify_app", "push_subscription", "revoke"}
    opened = []
    for row in API_ROWS:
        if row.may != TOKEN or row.name in needs_none:
            continue
        answer = one.ask(row.method, row.address.format(**known), **row.form)
        if answer.status_code != 403:
            opened.append((row.method, row.name, answer.status_code))
    assert opened == []
