"""Whatever an app sends, with a token that is good: an answer as JSON, and no fault."""

import json
import random
from urllib.parse import quote

import pytest
from django.test import Client

from api.access import forget_calls
from tests.api.authorisation import API_ROWS
from tests.api.conftest import new_app, token_of
from tests.attacks.test_fuzz import BODIES, VALUES
from tests.conftest import post
from tests.injected.faults import SEED, share
from tests.web.naughty import STRINGS

PARAMETERS = [
    *("max_id", "min_id", "since_id", "limit", "q", "type", "offset", "acct", "id[]", "types[]"),
    *("status", "spoiler_text", "visibility", "language", "in_reply_to_id", "audience", "replies"),
    *("expires_in", "client_name", "redirect_uris", "scopes", "website", "code", "client_id"),
    *(
        "client_secret",
        "grant_type",
        "redirect_uri",
        "scope",
        "token",
        "notifications[last_read_id]",
    ),
    *(
        "media_ids[]",
        "sensitive",
        "scheduled_at",
        "poll[options][]",
        "poll[expires_in]",
        "choices[]",
    ),
    *("poll", "description", "media_attributes[]", "duration", "comment", "display_name", "note"),
    *("locked", "avatar", "title", "exclusive", "account_ids[]", "account_id", "status_ids[]"),
    *("category", "rule_ids[]", "keywords_attributes[]", "context[]", "filter_action"),
    *("response_type", "state", "code_challenge", "code_challenge_method", "allow", "remote"),
]
IS_PAGE = "/oauth/authorize"
HALF = rb'{"%s": "half of a character: \ud800"}'


@pytest.fixture
def call(alice, log_in, monkeypatch):
    """`call("POST", path, type, body)`: as an app with Alice's token, from her browser where it is a page."""
    monkeypatch.setattr("api.access.MOST_CALLS", 10**9)
    monkeypatch.setattr("api.oauth.views.count_hits", lambda *hits: None)
    for place in ("statuses", "composing.views", "editing", "media", "reports"):
        monkeypatch.setattr(f"api.{place}.count_hits", lambda *hits: None)
    token, browser = token_of(alice), log_in(alice)
    forget_calls()

    def send(method: str, path: str, kind: str = "", body: bytes = b""):
        by = browser if path.startswith(IS_PAGE) else Client(raise_request_exception=False)
        by.raise_request_exception = False
        return by.generic(
            method, path, body, content_type=kind, headers={"Authorization": f"Bearer {token}"}
        )

    return send


def addresses(alice):
    name = post(alice, "Hello #cats")
    known = {"post": name, "alice": alice.user_id}
    return [(row.method.upper(), row.address.format(**known)) for row in API_ROWS]


@pytest.mark.timeout(300)
def test_no_parameter_is_a_fault(alice, call):
    dice, wrong = random.Random(SEED), []
    for method, path in addresses(alice):
        for name in share(PARAMETERS, one_of=8, salt=path):
            value = dice.choice(VALUES)
            sent = f"{quote(name)}={quote(value[:3000], safe='')}"
            has_body = method in ("POST", "PUT", "PATCH")
            address = path if has_body else f"{path}{'&' if '?' in path else '?'}{sent}"
            kind = "application/x-www-form-urlencoded" if has_body else ""
            answer = call(method, address, kind, sent.encode() if has_body else b"")
            if is_wrong(path, answer):
                wrong.append((answer.status_code, method, path, name, value[:60]))
            if has_body:
                answer = call(method, path, "application/json", json.dumps({name: value}).encode())
                if is_wrong(path, answer):
                    wrong.append((answer.status_code, "JSON", path, name, value[:60]))
                answer = call("POST", path, "application/json", HALF % name.encode())
                if is_wrong(path, answer):
                    wrong.append((answer.status_code, "half", path, name))
    assert wrong == []


@pytest.mark.timeout(300)
def test_no_body_is_a_fault(alice, call):
    wrong = []
    for method, path in addresses(alice):
        if method not in ("POST", "PUT", "PATCH"):
            continue
        for kind, body in share(BODIES, one_of=4, salt=path):
            answer = call(method, path, kind, body)
            if answer.status_code >= 500:
                wrong.append((answer.status_code, path, kind, body[:60]))
    assert wrong == []


@pytest.mark.timeout(300)
def test_what_is_written_comes_back_as_it_was_meant(alice, call):
    """Names and texts in any script, in JSON that is whole."""
    app, _secret = new_app()
    assert app
    for text in share(STRINGS, one_of=4, salt="texts"):
        answer = call(
            "POST", "/api/v1/statuses", "application/json", json.dumps({"status": text}).encode()
        )
        assert answer.status_code in (200, 422), text
        if answer.status_code == 200:
            assert "<script" not in answer.json()["content"]


def is_wrong(path, answer) -> bool:
    if answer.status_code >= 500:
        return True
    is_json = answer.get("Content-Type", "").startswith("application/json")
    return not (is_json or path.startswith(IS_PAGE))
