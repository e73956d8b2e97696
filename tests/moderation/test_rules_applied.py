"""What rules do to posts that are published or edited, and to those that ended meanwhile."""

import secrets
from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserCount, UserInfo
from accounts.people.reads import get_user_info
from accounts.people.restrictions import FOR_EVER
from accounts.people.viewer import Viewer
from feed.posts.content_checks import MOST_FLAGS, RefusedByRules, Verdict
from feed.posts.models import Audience, Post, Withheld
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.decisions import NothingToActOn
from moderation.cases.effects import end_old_limit, undo_action
from moderation.cases.lists import get_case
from moderation.cases.reads import THE_SITE, is_open, read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, Queue
from moderation.rules.filter_writes import add_word_rule
from socialsite.clock import utc_now
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.site_setup import SiteRules
from socialsite.site_settings.word_filters import DAYS_LIMITED, Effect, Word, WordKind
from socialsite.table import change, fetch, get, ids, keys
from tests.conftest import HTMX, post
from tests.feed.scenes import (
    SECOND,
    clock_at,
    edit,
    end_of,
    ending_post,
    posts_shown,
    remove_expired,
)
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.moderation.cases import (
    about,
    about_post,
    broken,
    decide,
    index,
    report,
    strikes,
    withheld,
)
from tests.moderation.staff import logged, set_up, word_rule
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html


def publish(browser: Client, content: str, **extra):
    return browser.post("/posts", {"content": content, "nonce": secrets.token_urlsafe(16)}, **extra)


def stored(viewer, post_id: str) -> Post:
    return get(Post, keys.post(viewer.user_id, post_id), consistent=True)


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_refused_post_is_not_published_and_its_text_stays(admin, alice, log_in, extra):
    word_rule(admin, "cheap pills", Effect.REFUSE)
    response = publish(log_in(alice), "Buy cheap  PILLS here", **extra)
    page = Html(response)
    assert response.status_code == 422
    assert "No spam" in page.one(id="composer-error").text
    assert page.value("content") == "Buy cheap  PILLS here"
    assert get_user_info(alice.user_id).posts == 0
    assert publish(log_in(alice), "Buy pills, cheap").status_code == 302


def test_a_rule_that_names_no_rule_of_the_site_says_so_too(admin, alice, log_in):
    word_rule(admin, "pills", Effect.REFUSE, site_rule="")
    page = Html(publish(log_in(alice), "pills"))
    assert "aren’t allowed here" in page.one(id="composer-error").text


def test_whoever_calls_the_service_meets_the_rules(admin, alice):
    word_rule(admin, "pills", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        post(alice, "pills")


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_held_post_waits_and_does_not_count(admin, alice, bob, log_in, extra):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    browser = log_in(alice)
    response = publish(browser, "casino!", **extra)
    page = Html(response if extra else browser.get(response["Location"]))
    said = response["HX-Trigger"] if extra else page.one(id="toasts").text
    assert "A moderator will review your post" in said
    (post_id,) = page.post_ids()
    assert (stored(alice, post_id).withheld, stored(alice, post_id).flagged) == ("held", rule_id)
    assert get_user_info(alice.user_id).posts == 0
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 404
    delete_post(by=alice, post_id=post_id)
    assert get_user_info(alice.user_id).posts == 0


def test_a_flagged_post_is_published_and_names_the_rules(admin, alice, bob, log_in):
    first = word_rule(admin, "casino", Effect.FLAG)
    second = word_rule(admin, "spam.example", Effect.FLAG, kind=WordKind.LINK)
    post_id = post(alice, "A casino at https://www.spam.example/")
    assert set(str(stored(alice, post_id).flagged).split()) == {first, second}
    assert get_user_info(alice.user_id).posts == 1
    assert log_in(bob).get(f"/@alice/posts/{post_id}").status_code == 200
    assert stored(alice, post(alice, "Nothing in it")).flagged is None


def test_a_post_stays_small_however_many_rules_it_meets(admin, alice):
    words = [f"w{number}" for number in range(MOST_FLAGS + 2)]
    for word in words:
        word_rule(admin, word, Effect.FLAG)
    flagged = stored(alice, post(alice, " ".join(words))).flagged
    assert len(str(flagged).split()) == MOST_FLAGS


def test_the_strongest_of_several_rules_holds(admin, alice):
    word_rule(admin, "casino", Effect.FLAG)
    word_rule(admin, "bonus", Effect.HOLD)
    assert stored(alice, post(alice, "casino bonus")).withheld == "held"
    word_rule(admin, "now", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        post(alice, "casino bonus now")


def test_what_is_for_oneself_alone_is_judged_by_nobody(admin, alice):
    word_rule(admin, "casino", Effect.REFUSE)
    set_up(admin, hold_first_posts=3)
    post_id = publish_post(by=alice, content="casino", nonce="n", audience=Audience.ONLY_ME)
    assert stored(alice, post_id).withheld is None


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.FRIENDS])
def test_what_is_for_some_is_judged(admin, alice, audience):
    word_rule(admin, "casino", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        publish_post(by=alice, content="casino", nonce="n", audience=audience)


def test_first_posts_wait_until_moderators_have_let_as_many_through(admin, alice, bob, log_in):
    for number in range(2):
        post(bob, f"number {number}")
    set_up(admin, hold_first_posts=2)
    assert stored(bob, post(bob)).withheld is None
    first, second = post(alice), post(alice, "again")
    assert stored(alice, first).withheld == stored(alice, second).withheld == "held"
    _release(alice, first)
    assert stored(alice, post(alice, "third")).withheld == "held"
    _release(alice, second)
    assert stored(alice, post(alice, "fourth")).withheld is None


def test_first_posts_of_staff_do_not_wait(admin, mod):
    set_up(admin, hold_first_posts=2)
    assert stored(mod, post(mod)).withheld is None


def test_a_form_sent_again_finds_its_held_post(admin, alice):
    word_rule(admin, "casino", Effect.HOLD)
    nonce = ids.new_id()
    first, again = (publish_post(by=alice, content="casino", nonce=nonce) for _ in range(2))
    assert first == again


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_publishing_costs(admin, alice, measure):
    def cost(content: str) -> list[tuple[str, float]]:
        with measure() as meter:
            post(alice, content)
        return [(call.operation, call.units) for call in meter.calls]

    word_rule(admin, "held", Effect.HOLD)
    word_rule(admin, "limited", Effect.LIMIT)  # by the stream worker
    cost("the copy of the rules is read anew")
    assert cost("nothing") == [("TransactWriteItems", 10)]
    assert cost("held") == [("TransactWriteItems", 8)]
    assert cost("limited") == [("TransactWriteItems", 10)]
    set_up(admin, hold_first_posts=50)
    cost("the copy of the rules is read anew, once more")
    assert cost("a first post") == [("GetItem", 0.5), ("TransactWriteItems", 8)]


def _release(author, post_id: str) -> None:
    """As moderators do, with the count that it brings."""
    change(Post, keys.post(author.user_id, post_id), [Post.withheld.remove()])
    change(UserCount, keys.user_count(author.user_id), [UserCount.posts.add(1)])


# A word filter that limits is an action like any other, done by the site: with reason, end, strike, log, appeal
# and Undo. Dismissing the reports lifts it.

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


# An edit never slips past a moderator: what was reported is kept, and what is held waits.

HELD, REPORTS = keys.queue(Queue.HELD), keys.queue(Queue.REPORTS)
WORDS = (
    Word("w1", "word", "cheap", Effect.FLAG, "spam", ""),
    Word("w2", "word", "casino", Effect.HOLD, "spam", ""),
)


@pytest.fixture
def words(table):
    keep_site_rules(SiteRules(words=WORDS))
    yield
    keep_site_rules(SiteRules())


def evidence(person) -> list[str]:
    return [str(one.html) for one in get_case(about(person)).evidence]


def test_an_edit_leaves_the_evidence_as_it_was(alice, bob):
    post_id = post(bob, "Awful")
    report(alice, bob, post_id)
    edit(bob, post_id, "Lovely")
    (kept,) = get_case(about(bob)).evidence
    assert (kept.html, kept.is_changed) == ("Awful", True)


def test_the_case_says_that_the_post_was_edited_and_leads_to_its_history(alice, bob, mod, log_in):
    post_id = post(bob, "Awful")
    report(alice, bob, post_id)
    browser, history = log_in(mod), f"/@bob/posts/{post_id}/history"
    assert not Html(browser.get(about(bob).url)).all("a", href=history)
    edit(bob, post_id, "Lovely")
    page = Html(browser.get(about(bob).url))
    assert "Since changed" in [one.text for one in page.all(class_="chip")]
    assert page.one("a", href=history)
    assert browser.get(history).status_code == 200


def test_the_version_that_the_reporter_saw_is_the_evidence(alice, bob, log_in):
    post_id = post(bob, "Awful")
    browser = log_in(alice)
    form = Html(browser.get(f"/@bob/posts/{post_id}/report"))
    assert form.value("version") == "1"
    edit(bob, post_id, "Lovely")
    sent = {"reason": "spam", "comment": "", "version": form.value("version")}
    assert browser.post(f"/@bob/posts/{post_id}/report", sent).status_code == 302
    assert evidence(bob) == ["Awful"]


@pytest.mark.parametrize("version", [0, 2, 3, 99])
def test_a_version_that_there_is_not_is_the_present_one(alice, bob, version):
    post_id = post(bob, "Awful")
    edit(bob, post_id, "Lovely")
    report(alice, bob, post_id, version=version)
    assert evidence(bob) == ["Lovely"]


def test_two_people_who_saw_two_versions_report_both(alice, carol, bob):
    post_id = post(bob, "Awful")
    report(alice, bob, post_id)
    edit(bob, post_id, "Awfuller")
    report(carol, bob, post_id)
    assert sorted(evidence(bob)) == ["Awful", "Awfuller"]


def test_an_edit_that_is_held_opens_a_case(words, bob, log_in, drain_stream):
    post_id = post(bob)
    drain_stream()
    edit(bob, post_id, "casino")
    assert Client().get(f"/@bob/posts/{post_id}").status_code == 404
    drain_stream()
    assert index() == {HELD: [about_post(post_id)]}
    assert broken(before_the_worker=False) == {}


def test_what_was_released_and_is_edited_waits_in_another_round(words, bob, mod, drain_stream):
    post_id = post(bob, "casino")
    drain_stream()
    released = decide(mod, about_post(post_id), ActionKind.RELEASE)
    assert withheld(bob, post_id) is None
    drain_stream()
    edit(bob, post_id, "casino!")
    drain_stream()
    case = read_case(about_post(post_id))
    assert index() == {HELD: [about_post(post_id)]}
    assert case.round == 2
    undo_action(by=mod, case_id=about_post(post_id), action_id=released)
    assert withheld(bob, post_id) == "held"
    decide(mod, about_post(post_id), ActionKind.RELEASE)
    drain_stream()
    assert (withheld(bob, post_id), index()) == (None, {})
    assert broken(before_the_worker=False) == {}


def test_an_edit_that_meets_a_word_rule_is_reported_by_the_site(words, bob, drain_stream):
    post_id = post(bob)
    edit(bob, post_id, "so cheap")
    drain_stream()
    assert index() == {REPORTS: [about(bob)]}
    assert evidence(bob) == ["so cheap"]
    edit(bob, post_id, "so good")
    drain_stream()
    assert evidence(bob) == ["so cheap"]
    assert broken(before_the_worker=False) == {}


@pytest.mark.parametrize("released", [False, True])
@pytest.mark.parametrize("text", ["casino", "cheap"])
def test_the_worker_may_hear_of_such_an_edit_twice(words, bob, mod, drain_stream, text, released):
    post_id = post(bob, "casino" if released else "Hello")
    drain_stream()
    if released:
        decide(mod, about_post(post_id), ActionKind.RELEASE)
        drain_stream()
    edit(bob, post_id, f"{text}!")
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    if text == "casino":
        decide(mod, about_post(post_id), ActionKind.RELEASE)
        handle_all(records)
        assert index() == {}
    drain_stream()
    assert broken(before_the_worker=False) == {}


def test_a_held_edit_that_is_deleted_leaves_no_open_case(words, bob, drain_stream):
    post_id = post(bob)
    edit(bob, post_id, "casino")
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert index() == {}
    assert broken(before_the_worker=False) == {}


# A post that ended by itself while moderators had it: nothing is left to decide, and nothing breaks.


def held(author) -> str:
    return ending_post(author, verdict=Verdict(withheld=Withheld.HELD))


def test_a_held_post_counts_once_it_is_released_and_until_its_end(alice, mod, drain_stream):
    post_id = held(alice)
    drain_stream()
    assert posts_shown(alice) == 0
    decide(mod, about_post(post_id), ActionKind.RELEASE)
    drain_stream()
    assert posts_shown(alice) == 1
    assert broken_invariants() == {}
    with clock_at(end_of(alice, post_id)):
        assert posts_shown(alice) == 0


def test_the_case_of_a_held_post_closes_with_it(alice, mod, log_in, drain_stream):
    post_id = held(alice)
    drain_stream()
    browser = log_in(mod)
    page = f"/moderation/cases/post/{post_id}"
    with clock_at(end_of(alice, post_id)):
        assert browser.get(page).status_code == 200
        assert browser.get("/moderation/queue").status_code == 200
        remove_expired()
        drain_stream()
        assert not is_open(read_case(about_post(post_id)))
        assert browser.get(page).status_code == 200
        assert broken_invariants() == {}


@pytest.mark.parametrize("kind", [ActionKind.HIDE, ActionKind.SENSITIVE])
def test_a_post_that_ended_meanwhile_is_not_decided_about(alice, bob, mod, drain_stream, kind):
    post_id = ending_post(alice)
    report(bob, alice, post_id)
    drain_stream()
    with clock_at(end_of(alice, post_id) + SECOND):
        with pytest.raises(NothingToActOn):
            decide(mod, about(alice), kind, post_id)
        remove_expired()
        drain_stream()
        assert posts_shown(alice) == 0
        assert broken_invariants() == {}
