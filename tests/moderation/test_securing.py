"""An account that someone else may have used is secured: kind words, no strike, and a way back for its owner."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.credentials.passkeys import get_keyring
from accounts.credentials.passwords import password_matches
from accounts.models import Credentials, UserInfo
from accounts.permissions import Permission, save_role
from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.reads import Outranked, OwnCase, is_open, read_case
from moderation.models import ActionKind, Secured
from moderation.securing.reads import get_account, list_latest_posts, list_secured
from moderation.securing.writes import Securing, secure_account, show_again, undo_securing
from socialsite.clock import utc_now
from socialsite.table import as_model, change, ids, keys, query
from tests.accounts.scenes import (
    credentials_of,
    is_on,
    press,
    send_letters,
    with_second_factor,
)
from tests.accounts.test_addresses import OLD, address_of, moved, passkey
from tests.accounts.test_passwords import NEW, is_signed_in, opens_account
from tests.conftest import PASSWORD, person, post
from tests.looks import broken_invariants
from tests.moderation.cases import (
    about,
    decide,
    held_post,
    info,
    post_count,
    report,
    strikes,
    withheld,
)
from tests.moderation.staff import after, let_pass, logged
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


def securings(person_) -> list[Secured]:
    rows = query(keys.all_secured(person_.user_id), consistent=True)
    return [as_model(Secured, raw) for raw in rows]


def hidden_for(person_) -> list[str]:
    return [
        post.post_id for one in list_secured(get_account(person_.user_id)) for post in one.posts
    ]


def opens(person_) -> bool:
    """Whether the password of before signs in."""
    return password_matches(PASSWORD, credentials_of(person_).password)


def letter_to(address: str):
    letters = [one for one in send_letters() if one.to == address]
    return next(one for one in letters if one.subject == "We secured your account")


# The account is out of the other's hands


def test_it_ends_every_sign_in_and_the_password(mod, alice, log_in):
    thief, other = log_in(alice), log_in(alice)
    secure(mod, alice)
    assert not is_signed_in(thief)
    assert not is_signed_in(other)
    assert not opens_account(PASSWORD)
    assert info(alice).secured


def test_the_owner_comes_back_by_a_letter_with_kind_words(mod, alice, work, log_in):
    secure(mod, alice)
    letter = letter_to(OLD)
    assert "You haven’t done anything wrong." in letter.text
    assert "rule" not in letter.text
    assert press(letter.path).status_code == 422  # which only asks
    assert Client().post(letter.path, {"new_password": NEW}).status_code == 302
    assert opens_account(NEW)
    assert not info(alice).secured
    assert credentials_of(alice).set_aside is None
    work()
    told = Html(log_in(alice).get("/notifications"))
    assert "You are not in trouble." in told.one("main").text
    assert told.one("a", href="/secured")
    assert not broken_invariants()


def test_its_link_works_for_three_days(mod, alice):
    secure(mod, alice)
    path = letter_to(OLD).path
    assert Client().get(path).status_code == 200
    secure(mod, alice)  # again: a letter with another link, as its time may be over
    assert letter_to(OLD).path != path
    assert Client().get(path).status_code == 404


def test_links_of_letters_from_before_open_nothing(mod, alice):
    Client().post("/password/forgot", {"email": OLD})
    [letter] = send_letters()
    secure(mod, alice)
    assert Client().get(letter.path).status_code == 404


def test_an_address_that_was_wished_for_is_forgotten(mod, alice, log_in):
    browser = log_in(alice)
    browser.post("/confirm", {"password": PASSWORD})
    browser.post("/settings/email/change", {"email": "thief@example.org"})
    [letter] = send_letters()
    secure(mod, alice)
    assert press(letter.path).status_code == 404
    assert address_of(alice) == OLD


def test_an_address_that_was_changed_lately_is_brought_back_and_gets_the_letter(
    mod, alice, log_in, work
):
    moved(log_in(alice))
    assert Html(log_in(mod).get(page(alice))).one("input", name="address", checked="")
    secure(mod, alice, brings_address_back=True)
    assert address_of(alice) == OLD
    assert Client().post(letter_to(OLD).path, {"new_password": NEW}).status_code == 302
    work()
    assert not broken_invariants()


def test_an_address_that_its_owner_changed_can_stay(mod, alice, log_in):
    moved(log_in(alice))
    secure(mod, alice)
    assert address_of(alice) != OLD
    assert letter_to(address_of(alice))


def test_of_a_change_from_before_the_letter_was_noted_the_page_says_where_the_way_back_is(
    mod, alice, log_in
):
    moved(log_in(alice))
    change(Credentials, keys.credentials(alice.user_id), [Credentials.undo_token.remove()])
    html = Html(log_in(mod).get(page(alice)))
    assert not html.all("input", name="address")
    assert "A letter to the former one" in html.one("main").text


def test_passkeys_and_a_factor_of_the_last_days_are_named_and_end(mod, alice, log_in):
    passkey(alice, "owners", utc_now() - timedelta(days=30))
    passkey(alice, "thiefs", utc_now())
    with_second_factor(alice)
    html = Html(log_in(mod).get(page(alice)))
    assert [one["value"] for one in html.all("input", name="passkeys")] == ["thiefs"]
    assert html.one("input", name="factor")
    data = {"press": ids.new_id(), "passkeys": ["thiefs"], "factor": "on"}
    assert log_in(mod).post(page(alice), data).status_code == 302
    assert [one.name for one in get_keyring(alice.user_id).passkeys] == ["owners"]
    assert not is_on(alice)


def test_those_that_staff_leave_stay(mod, alice):
    passkey(alice, "new", utc_now())
    with_second_factor(alice)
    secure(mod, alice)
    assert len(get_keyring(alice.user_id).passkeys) == 1
    assert is_on(alice)


def test_without_a_confirmed_address_staff_read_that_no_letter_goes(mod, log_in):
    dora = person("dora")
    change(Credentials, keys.credentials(dora.user_id), [Credentials.email.remove()])
    assert "no letter can bring them back" in Html(log_in(mod).get(page(dora))).one("main").text
    send_letters()
    secure(mod, dora)
    assert send_letters() == []
    undo_securing(by=mod, user_id=dora.user_id)
    assert opens(dora)


# Nothing is held against anyone


def test_it_is_no_strike_names_no_rule_and_changes_no_profile(mod, alice, bob, log_in, work):
    report(bob, alice, rule_id="spam")
    before = info(alice)
    secure(mod, alice, post(alice), case=True)
    work()
    now = info(alice)
    assert strikes(alice) == []
    assert (now.name, now.bio, now.level, now.role) == (
        before.name,
        before.bio,
        before.level,
        before.role,
    )
    assert not any((now.suspended_until, now.frozen_until, now.limited_until))
    case = read_case(about(alice))
    assert is_open(case)
    assert case.reports == 1
    assert "Secured the account" in Html(log_in(mod).get(about(alice).url)).one("main").text


def test_there_is_nothing_to_appeal(mod, alice, log_in):
    secure(mod, alice, post(alice))
    browser = log_in(alice)
    [one] = securings(alice)
    assert browser.get(f"/standing/{one.secured_id}").status_code == 404
    assert not Html(browser.get("/standing")).all("article")


def test_its_case_can_be_closed_without_saying_that_no_rule_was_broken(mod, alice, bob, log_in):
    report(bob, alice)
    secure(mod, alice)
    decide(mod, about(alice), ActionKind.CLOSE)
    assert "No rule was broken" not in Html(log_in(bob).get("/settings/reports")).one("main").text
    report(bob, person("carla"))
    text = Html(log_in(mod).get(about(alice).url)).one("main").text
    assert "Secured" in text


def test_an_action_that_stands_keeps_standing(mod, alice, bob, work):
    report(bob, alice)
    mine = post(alice)
    decide(mod, about(alice), ActionKind.HIDE, mine, keep_open=True)
    decide(mod, about(alice), ActionKind.SUSPEND)
    assert secure(mod, alice, mine) == 0
    assert info(alice).suspended_until
    undo_securing(by=mod, user_id=alice.user_id)
    assert withheld(alice, mine) == "hidden"
    assert info(alice).suspended_until
    work()
    assert not broken_invariants()


# Posts of the last hours


def test_posts_of_the_chosen_hours_are_offered_and_hidden(mod, alice, log_in, work):
    posts = [post(alice, f"Buy this {number}") for number in range(3)]
    html = Html(log_in(mod).get(f"{page(alice)}?hours=1"))
    assert [one["value"] for one in html.all("input", name="posts")] == posts[::-1]
    data = {"press": ids.new_id(), "posts": posts[:2]}
    log_in(mod).post(f"{page(alice)}?hours=1", data)
    assert [withheld(alice, one) for one in posts] == ["secured", "secured", None]
    assert post_count(alice) == 1
    work()
    assert not broken_invariants()


def test_only_those_of_the_last_hours(alice):
    post(alice)
    person_ = get_account(alice.user_id)
    assert len(list_latest_posts(person_, hours=1)) == 1
    old = f"p#{ids.first_id_at(utc_now() - timedelta(hours=2))}"
    assert old < f"p#{list_latest_posts(person_, hours=1)[0].post_id}"


def test_words_that_are_not_for_everyone_are_not_shown_to_staff(mod, alice, log_in):
    publish_post(by=alice, content="For friends", nonce=ids.new_id(), audience=Audience.FRIENDS)
    text = Html(log_in(mod).get(page(alice))).one("main").text
    assert "For friends" not in text
    assert "A post that is not for everyone" in text


def test_more_posts_than_one_transaction_takes_are_hidden_and_shown_again(mod, alice, work):
    posts = [post(alice, f"Spam {number}") for number in range(43)]
    assert secure(mod, alice, *posts) == 43
    assert post_count(alice) == 0
    show_again(by=alice)
    assert post_count(alice) == 43
    assert hidden_for(alice) == []
    work()
    assert not broken_invariants()


def test_a_post_that_waits_for_a_moderator_stays_theirs(mod, alice):
    held = held_post(alice)
    assert secure(mod, alice, held) == 0
    show_again(by=alice)
    assert withheld(alice, held) == "held"


def test_a_post_of_someone_else_is_never_hidden(mod, alice, bob):
    theirs = post(bob)
    assert secure(mod, alice, theirs) == 0
    assert withheld(bob, theirs) is None


def test_a_form_that_is_sent_twice_secures_once_and_hides_what_was_left(mod, alice):
    one, other = post(alice), post(alice)
    pressed = ids.new_id()
    assert secure(mod, alice, one, press=pressed) == 1
    assert secure(mod, alice, one, other, press=pressed) == 1
    [secured] = securings(alice)
    assert secured.posts == {one, other}
    assert sum(action == "secure" for _, action, _ in logged()) == 1


@pytest.fixture
def wish_for_all(alice, log_in) -> Securing:
    """A form that ends a thief's passkey, second factor and address, and says so in the case."""
    moved(log_in(alice))
    passkey(alice, "thiefs", utc_now())
    return Securing(
        ids.new_id(), passkeys=("thiefs",), ends_factor=True, brings_address_back=True, case=True
    )


def test_nothing_ends_where_the_case_that_is_to_say_so_is_not_there(
    mod, alice, wish_for_all, log_in
):
    data = {"press": wish_for_all.press, "passkeys": ["thiefs"], "address": "on"}
    assert log_in(mod).post(f"{page(alice)}?case=1", data).status_code == 404
    assert len(get_keyring(alice.user_id).passkeys) == 1
    assert address_of(alice) != OLD
    assert (logged(), securings(alice), info(alice).secured) == ([], [], None)


@pytest.mark.parametrize("dies_in", ["bring_address_back", "end_passkeys", "lock_out"])
def test_what_a_kill_leaves_is_logged_and_done_by_the_same_form(
    mod, alice, bob, wish_for_all, dies_in, monkeypatch, work
):
    report(bob, alice)

    def dies(*args, **rest):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(f"moderation.securing.writes.{dies_in}", dies)
        with pytest.raises(KeyboardInterrupt):
            secure_account(by=mod, user_id=alice.user_id, wish=wish_for_all)
    assert [action for _, action, _ in logged()] == ["secure"]
    for _ in range(2):
        secure_account(by=mod, user_id=alice.user_id, wish=wish_for_all)
    assert get_keyring(alice.user_id).passkeys == ()
    assert address_of(alice) == OLD
    assert not opens_account(PASSWORD)
    assert [action for _, action, _ in logged()] == ["secure"]
    assert len([one for one in send_letters() if one.subject == "We secured your account"]) == 1
    work()
    assert not broken_invariants()


def test_a_form_that_comes_after_the_undo_ends_and_hides_nothing(mod, alice, log_in):
    pressed, mine = ids.new_id(), post(alice)
    secure(mod, alice, press=pressed)
    undo_securing(by=mod, user_id=alice.user_id)
    passkey(alice, "owners", utc_now())
    data = {"press": pressed, "posts": mine, "passkeys": ["owners"]}
    answer = log_in(mod).post(page(alice), data, follow=True)
    assert "It was taken back" in Html(answer).one("body").text
    assert opens_account(PASSWORD)
    assert len(get_keyring(alice.user_id).passkeys) == 1
    assert withheld(alice, mine) is None


# The owner is back


def test_the_owner_sees_what_is_hidden_and_puts_it_back_in_one_press(mod, alice, log_in, work):
    kept, spam = post(alice, "My cat"), post(alice, "Buy this")
    secure(mod, alice, kept, spam)
    browser = log_in(alice)
    text = Html(browser.get("/secured")).one("main").text
    assert "My cat" in text
    assert "You haven’t done anything wrong" in text
    delete_post(by=alice, post_id=spam)
    assert browser.post("/secured").status_code == 302
    assert withheld(alice, kept) is None
    assert hidden_for(alice) == []
    assert "No post is hidden." in Html(browser.get("/secured")).one("main").text
    work()
    assert not broken_invariants()


def test_what_moderators_hide_later_does_not_come_back_with_it(mod, alice, bob):
    mine = post(alice)
    secure(mod, alice, mine)
    show_again(by=alice)
    report(bob, alice, mine)
    decide(mod, about(alice), ActionKind.HIDE, mine)
    show_again(by=alice)
    assert withheld(alice, mine) == "hidden"


def test_what_moderators_decide_to_hide_is_theirs_though_securing_hid_it_before(
    mod, alice, bob, log_in, work
):
    mine = post(alice)
    report(bob, alice, mine)
    secure(mod, alice, mine)
    chosen = Html(log_in(mod).get(f"{about(alice).url}/decide", {"action": "hide"}))
    assert chosen.one("input", name="posts", value=mine)
    decide(mod, about(alice), ActionKind.HIDE, mine)
    assert strikes(alice)[0].posts == {mine}
    assert hidden_for(alice) == []
    show_again(by=alice)
    undo_securing(by=mod, user_id=alice.user_id)
    assert withheld(alice, mine) == "hidden"
    work()
    assert not broken_invariants()


def test_someone_who_is_frozen_shows_nothing_again(mod, alice, bob, log_in):
    mine = post(alice)
    secure(mod, alice, mine)
    report(bob, alice)
    decide(mod, about(alice), ActionKind.FREEZE)
    assert log_in(alice).post("/secured").status_code == 403
    assert withheld(alice, mine) == "secured"


# Staff take it back


def test_undoing_gives_the_password_and_the_posts_back(mod, alice, log_in, work):
    mine = post(alice)
    secure(mod, alice, mine)
    assert log_in(mod).post(page(alice, "/undo")).status_code == 302
    assert opens_account(PASSWORD)
    assert withheld(alice, mine) is None
    assert not info(alice).secured
    assert [action for _, action, _ in logged()][-1] == "undo secure"
    assert Html(log_in(alice).get("/secured")).one("main").text.count("Nothing was done") == 1
    undo_securing(by=mod, user_id=alice.user_id)
    assert [action for _, action, _ in logged()].count("undo secure") == 1
    work()
    assert not broken_invariants()


def test_undoing_leaves_a_password_that_its_owner_chose(mod, alice):
    secure(mod, alice)
    Client().post(letter_to(OLD).path, {"new_password": NEW})
    undo_securing(by=mod, user_id=alice.user_id)
    assert opens_account(NEW)
    assert not opens_account(PASSWORD)


# Who may


def test_nobody_secures_someone_whose_role_is_not_below_theirs(admin, mod, mei, log_in):
    for by, of in ((mod, admin), (mod, mei), (mei, mod)):
        with pytest.raises(Outranked):
            secure(by, of)
        assert log_in(by).get(page(of)).status_code == 403
        assert log_in(by).post(page(of), {"press": ids.new_id()}).status_code == 403
        with pytest.raises(Outranked):
            undo_securing(by=by, user_id=of.user_id)
    assert opens(admin)
    secure(admin, mod)
    assert not opens(mod)


def test_nobody_secures_themselves(mod, log_in):
    with pytest.raises(OwnCase):
        secure(mod, mod)
    assert log_in(mod).get(page(mod)).status_code == 403


def test_it_takes_the_permission_for_cases(admin, alice, log_in):
    save_role(by=admin, name="host", title="Host", permissions={Permission.PEOPLE})
    host = log_in(person("host", role="host"))
    assert host.get(page(alice)).status_code == 404
    assert host.post(page(alice), {"press": ids.new_id()}).status_code == 404
    assert opens_account(PASSWORD)


def test_what_no_form_sends_is_refused(mod, alice, log_in):
    browser = log_in(mod)
    assert browser.post(page(alice), {"press": "no id"}).status_code == 422
    assert browser.post(page(alice), {"press": ids.new_id(), "posts": ["?", "x" * 99]})
    assert browser.get(f"{page(alice)}?hours=many").status_code == 200
    assert browser.get("/moderation/people/nobody/secure").status_code == 404
    assert browser.get(f"/moderation/people/{ids.new_id()}/secure").status_code == 404


def test_an_account_that_leaves_can_be_secured_and_what_stays_goes_with_it(mod, alice):
    leaving = [UserInfo.closing.set("2099-01-01T00:00:00+00:00")]
    change(UserInfo, keys.user_info(alice.user_id), leaving)
    secure(mod, alice)
    assert info(alice).closing
    assert keys.all_secured(alice.user_id) in keys.own_partitions(alice.user_id)
