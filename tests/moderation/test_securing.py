"""An account that someone else may have used is secured: kind words, no strike, and a way back for its owner."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from accounts.addresses.writes import change_email, confirm_email, get_own_address
from accounts.mail.tokens import Purpose, secret_of
from accounts.models import Credentials, Passkey, SignIn
from accounts.securing.writes import get_ways_in
from accounts.sign_in.writes import check_password, find_account
from accounts.credentials.passwords import WrongPassword
from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.reads import Outranked, OwnCase, is_open, read_case
from moderation.models import ActionKind, Secured
from moderation.securing.reads import get_account, list_latest_posts, list_secured
from moderation.securing.writes import Securing, secure_account, show_again, undo_securing
from socialsite.table import as_model, change, get, ids, keys, query, row
from tests.accounts.scenes import link_in, with_second_factor
from tests.conftest import PASSWORD, person, post
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, info, post_count, report, strikes, withheld
from tests.moderation.staff import after, hears, let_pass, logged
from tests.web.html import Html


@pytest.fixture
def work(drain_stream):
    """The worker and the clock do what is to be done now."""

    def done() -> None:
        for _ in range(3):
            drain_stream()
            let_pass(after(seconds=1))

    return done


def secure(by, person_, *posts: str, **rest) -> int:
    wish = Securing(rest.pop("press", "") or ids.new_id(), posts=posts, **rest)
    return secure_account(by=by, user_id=person_.user_id, wish=wish)


def page(person_, what: str = "") -> str:
    return f"/moderation/people/{person_.user_id}/secure{what}"


def sign_ins(person_) -> int:
    return len(list(query(keys.sign_ins(person_.user_id), consistent=True)))


def knows_password(handle: str, password: str = PASSWORD) -> bool:
    try:
        check_password(find_account(handle), password)
    except WrongPassword:
        return False
    return True


def test_it_ends_every_sign_in_and_the_password(mod, bob, log_in):
    browser = log_in(bob)
    assert browser.get("/settings/security").status_code == 200
    secure(mod, bob)
    assert sign_ins(bob) == 0
    assert browser.get("/settings/security").status_code == 302
    assert not knows_password("bob")
    assert info(bob).secured
