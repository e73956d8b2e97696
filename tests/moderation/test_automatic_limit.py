"""A word filter that limits is an action like any other, done by the site: with reason, end, strike, log, appeal and
Undo. Dismissing the reports lifts it."""

from datetime import datetime, timedelta

import pytest

from accounts.models import UserInfo
from accounts.people.reads import get_user_info
from accounts.people.restrictions import FOR_EVER
from accounts.people.viewer import Viewer
from moderation.cases.effects import end_old_limit, undo_action
from moderation.cases.lists import get_case
from moderation.cases.reads import THE_SITE, read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, Queue
from moderation.rules.filter_writes import add_word_rule
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import DAYS_LIMITED, Effect, Word, WordKind
from socialsite.table import change, fetch, keys
from tests.conftest import post
from tests.kept import keep_site_rules
from tests.moderation.cases import about, broken, decide, index, report, strikes
from tests.moderation.site import logged, set_up, word_rule
from tests.streams.records import everything, handle_all, unread
from tests.web.html import Html

K = ActionKind


@pytest.fixture
def rule(admin) -> str:
    """A filter that limits for three days."""
    word = Word("", WordKind.WORD, "casino", Effect.LIMIT, "spam", days=3)
    add_word_rule(by=admin, word=word)
    return read_site_rules().words[0].rule_id


@pytest.fixture
def limited(rule, bob, drain_stream) -> str:
    """Bob, limited by the site: the action's id."""
    post(bob, "A casino")
    drain_stream()
    return only(bob).action_id


def only(person: Viewer):
    (strike,) = strikes(person)
    return strike


def is_limited(person: Viewer) -> bool:
    return get_user_info(person.user_id).is_limited


def test_it_has_a_reason_an_end_a_strike_and_an_entry_in_the_log(rule, bob, limited):
    strike = only(bob)
    assert is_limited(bob)
    assert (strike.kind, strike.rule_id, strike.automatic) == (K.LIMIT, "spam", "yes")
    left = datetime.fromisoformat(strike.until) - utc_now()
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)
    (action,) = get_case(about(bob)).actions
    assert (action.action_id, action.words) == (limited, ("casino",))
    by, done, detail = logged()[-1]
    assert (by, done, detail["named"]) == (THE_SITE, "limit", "spam")
    assert not broken(before_the_worker=False)


def test_the_case_stays_in_its_queue_for_a_moderator(bob, limited):
    case = read_case(about(bob))
    assert index() == {keys.queue(Queue.REPORTS): [about(bob)]}
    assert (case.reports, case.acted) == (1, None)


def test_dismissing_lifts_it(bob, mod, drain_stream, limited):
    decide(mod, about(bob), K.DISMISS)
    assert not is_limited(bob)
    strike = only(bob)
    assert strike.undone_at
    (action,) = [one for one in get_case(about(bob)).actions if one.is_automatic]
    assert action.undone_by.user_id == mod.user_id
    drain_stream()
    assert not broken(before_the_worker=False)


def test_closing_lets_it_stand(bob, mod, drain_stream, limited):
    decide(mod, about(bob), K.CLOSE)
    assert is_limited(bob)
    assert not only(bob).undone_at
    drain_stream()
    assert not broken(before_the_worker=False)


def test_it_can_be_undone_and_the_stream_does_not_do_it_again(rule, bob, mod, drain_stream):
    drain_stream()
    post(bob, "A casino")
    records = unread()
    handle_all(records)
    undo_action(by=mod, case_id=about(bob), action_id=only(bob).action_id)
    handle_all(records)
    assert not is_limited(bob)
    assert len(strikes(bob)) == 1


def test_the_handler_run_twice_does_what_it_does_once(rule, bob, drain_stream):
    drain_stream()
    post(bob, "A casino")
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done


def test_dismissed_before_a_second_delivery_it_stays_lifted(rule, bob, mod, drain_stream):
    drain_stream()
    post(bob, "A casino")
    records = unread()
    handle_all(records)
    decide(mod, about(bob), K.DISMISS)
    handle_all(records)
    assert not is_limited(bob)


def test_it_can_be_appealed_against(bob, mod, drain_stream, limited):
    appeal(person_id=bob.user_id, action_id=limited, text="It was a joke")
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mod, case_id=about(bob), action_id=limited, text="", version=version, grant=True
    )
    assert not is_limited(bob)
    drain_stream()
    assert not broken(before_the_worker=False)


def test_more_such_posts_add_no_strike_while_it_lasts(bob, drain_stream, limited):
    post(bob, "Another casino")
    drain_stream()
    assert only(bob).action_id == limited


def test_it_does_not_shorten_a_limit_of_a_moderator(rule, alice, bob, mod, drain_stream):
    report(alice, bob, rule_id="spam")
    decide(mod, about(bob), K.LIMIT)
    post(bob, "A casino")
    drain_stream()
    assert len(strikes(bob)) == 1
    info = fetch([keys.user_info(bob.user_id)], consistent=True).popitem()[1]
    assert info["limited_until"]["S"] == FOR_EVER


def test_staff_are_not_limited(rule, mod, drain_stream):
    post(mod, "What is this casino about?")
    drain_stream()
    assert not is_limited(mod)
    assert strikes(mod) == []


def test_a_held_post_is_an_ordinary_held_case(admin, rule, bob, drain_stream):
    set_up(admin, hold_first_posts=1)
    post(bob, "A casino")
    drain_stream()
    assert not is_limited(bob)
    assert list(index()) == [keys.queue(Queue.HELD)]


def test_a_worker_whose_rules_are_old_reads_them_anew(rule, bob, drain_stream):
    post(bob, "A casino")
    keep_site_rules(SiteRules())  # as in a process that has not read them again
    drain_stream()
    assert is_limited(bob)


def test_the_page_of_the_case_and_the_persons_own_say_that_the_site_did_it(
    bob, mod, admin, log_in, limited
):
    page = Html(log_in(mod).get(about(bob).url))
    assert any("A word filter : casino" in one.text.replace(":", " :") for one in page.all("li"))
    assert {"dismiss", "close"} <= {one["value"] for one in page.all("button", name="action")}
    assert any("The automatic limit ends" in one.text for one in page.all("button"))
    own = log_in(bob).get(f"/standing/{limited}").content.decode()
    assert "A filter did this automatically" in own
    log = log_in(admin).get("/moderation/log").content.decode()
    assert "The site limited" in log


def test_the_form_takes_the_days(admin, log_in):
    form = {"kind": "word", "pattern": "casino", "effect": "limit", "site_rule": "spam"}
    browser = log_in(admin)
    for days in ("0", "366", "soon"):
        response = browser.post("/moderation/words", form | {"days": days})
        assert response.status_code == 422
        assert Html(response).error("days")
    browser.post("/moderation/words", form | {"days": "30"})
    assert read_site_rules().words[0].days == 30


def test_a_filter_from_before_has_the_default(admin):
    word_rule(admin, "casino", Effect.FLAG)
    assert read_site_rules().words[0].days == DAYS_LIMITED


def test_an_old_limit_without_a_strike_gets_an_end(alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.LIMIT)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.limited_until.set(FOR_EVER)])
    for person in (alice, bob):
        for _ in range(2):
            (raw,) = fetch([keys.user_info(person.user_id)], consistent=True).values()
            end_old_limit(raw)
    (ended,) = fetch([keys.user_info(alice.user_id)], consistent=True).values()
    left = datetime.fromisoformat(ended["limited_until"]["S"]) - utc_now()
    assert timedelta(days=6, hours=23) < left <= timedelta(days=7)
    (kept,) = fetch([keys.user_info(bob.user_id)], consistent=True).values()
    assert kept["limited_until"]["S"] == FOR_EVER
