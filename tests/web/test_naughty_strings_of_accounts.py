"""Every form about an account takes any text, also from someone who has just confirmed who they are; never a fault."""

import pytest
from django.test import Client

from tests.accounts.authenticator import prove
from tests.conftest import PASSWORD
from tests.injected.rotation import share
from tests.web.naughty import BROKEN_BYTES, SOME
from tests.web.test_naughty_strings import URLENCODED, assert_answer, one_line, send

pytestmark = pytest.mark.usefixtures("no_limits")

# The form, its field, and what else a browser sends with it.
FIELDS = [
    ("/settings/handle", "handle", {}),
    ("/settings/email/change", "email", {}),
    ("/settings/password", "password", {"new_password": "one more quiet battery"}),
    ("/settings/password", "new_password", {"password": PASSWORD}),
    ("/settings/passkeys/add", "name", {"credential": "{}"}),
    ("/settings/passkeys/add", "credential", {"name": "Phone"}),
    ("/settings/passkeys/rename", "name", {"passkey": "0" * 64}),
    ("/settings/passkeys/rename", "passkey", {"name": "Phone"}),
    ("/settings/passkeys/remove", "passkey", {}),
    ("/settings/old-posts/wish", "after", {}),
    ("/settings/old-posts/delete", "sure", {}),
    ("/settings/close", "when", {}),
    ("/confirm/passkey", "credential", {}),
]
WITHOUT_SIGN_IN = [
    ("/login/passkey", "credential", {}),
    ("/login/code/passkey", "credential", {}),
    ("/login/code", "code", {}),
    (f"/password/reset/{'x' * 43}", "new_password", {}),
    (f"/email/confirm/{'x' * 43}", "next", {}),
    (f"/email/undo/{'x' * 43}", "next", {}),
]
NO_FAULT = (200, 204, 302, 400, 403, 404, 409, 410, 422, 429)


@pytest.mark.parametrize(("address", "field", "valid"), FIELDS)
def test_a_form_of_an_account_takes_any_text(alice, log_in, address, field, valid):
    browser = prove(log_in(alice))
    # Half of them, others each run.
    for text in map(one_line, share(SOME, one_of=2, salt=f"{address} {field}")):
        response = browser.post(address, valid | {field: text})
        assert response.status_code in NO_FAULT, (text[:40], response.status_code)
        assert "<script>alert" not in response.content.decode()


@pytest.mark.parametrize(("address", "field"), [("/settings/email/change", "email")])
def test_what_was_typed_stays_where_it_is_refused(alice, log_in, address, field):
    browser = prove(log_in(alice))
    for text in map(one_line, share(SOME, one_of=2, salt=address)):
        assert_answer(browser.post(address, {field: text}), field, text)


@pytest.mark.parametrize(("address", "field", "valid"), WITHOUT_SIGN_IN)
def test_a_form_on_the_way_in_takes_any_text(table, address, field, valid):
    for text in share(SOME, one_of=2, salt=f"{address} {field}"):
        response = Client().post(address, valid | {field: text})
        assert response.status_code in NO_FAULT, (text[:40], response.status_code)


@pytest.mark.parametrize(("address", "field", "valid"), [*FIELDS, *WITHOUT_SIGN_IN])
def test_bytes_that_are_no_text_are_no_fault(alice, log_in, address, field, valid):
    browser = prove(log_in(alice)) if (address, field, valid) in FIELDS else Client()
    browser.raise_request_exception = False
    for broken in BROKEN_BYTES[:4]:
        body = field.encode() + b"=" + broken
        assert send(browser, address, body, URLENCODED) < 500, broken
