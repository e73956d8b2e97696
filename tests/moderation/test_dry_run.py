"""A word rule is tried on the newest public posts before it is saved; then it is listed, and removed."""

import pytest

from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post
from feed.publishing.writes import publish_post
from moderation.rules.filter_writes import MOST_WORDS
from moderation.rules.reads import POSTS_SHOWN, try_word_rule
from moderation.staff.writes import TooMany
from socialsite.site_settings.models import WordRule
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import Effect, Word, WordKind
from socialsite.table import change, ids, keys, write_batch
from tests.conftest import post
from tests.moderation.site import logged, word_rule
from tests.web.html import Html

FORM = {"kind": "word", "pattern": "casino", "effect": "hold", "site_rule": "spam"}


def spam_of(*authors: Viewer) -> None:
    for author in authors:
        post(author, "My casino")
        post(author, "My cat")


def test_a_trial_shows_the_posts_and_saves_nothing(admin, alice, bob, log_in, drain_stream):
    spam_of(alice, bob)
    drain_stream()
    page = Html(log_in(admin).post("/moderation/words/try", FORM))
    assert "2 of the newest 4 public posts" in page.one("p", class_="banner").text
    assert len(page.post_ids()) == 2
    for name in FORM:
        assert page.all(name=name)
    assert page.value("pattern") == "casino"
    assert read_site_rules().words == ()
    assert logged() == []


def test_a_trial_of_what_nobody_wrote_says_so(admin, log_in):
    page = Html(log_in(admin).post("/moderation/words/try", FORM))
    assert "0 of the newest 0 public posts" in page.one("p", class_="banner").text
    assert page.post_ids() == []


def test_a_trial_looks_at_public_posts_alone(admin, alice, drain_stream):
    for audience in (Audience.FOLLOWERS, Audience.ONLY_ME):
        publish_post(by=alice, content="casino", nonce=ids.new_id(), audience=audience)
    hidden = post(alice, "casino")
    change(Post, keys.post(alice.user_id, hidden), [Post.withheld.set("hidden")])
    drain_stream()
    trial = try_word_rule(Word("", WordKind.WORD, "casino", Effect.FLAG), viewer=admin)
    assert (trial.tried, trial.met, trial.posts) == (0, 0, [])


def test_of_many_posts_the_newest_are_shown_and_all_are_counted(admin, alice, drain_stream):
    posts = [post(alice, f"casino {number}") for number in range(POSTS_SHOWN + 3)]
    drain_stream()
    trial = try_word_rule(Word("", WordKind.WORD, "casino", Effect.FLAG), viewer=admin)
    assert (trial.tried, trial.met) == (len(posts), len(posts))
    assert [card.post_id for card in trial.posts] == posts[:2:-1]


def test_saving_it_lists_it(admin, log_in):
    browser = log_in(admin)
    assert browser.post("/moderation/words", FORM)["Location"] == "/moderation/words"
    (word,) = read_site_rules().words
    assert (word.kind, word.pattern, word.effect, word.site_rule) == (
        "word",
        "casino",
        "hold",
        "spam",
    )
    page = browser.get("/moderation/words").content.decode()
    assert "Hold it for review" in page
    (entry,) = logged()
    assert entry[:2] == (admin.user_id, "add word rule")
    assert entry[2]["pattern"] == "casino"


def test_the_same_twice_is_said(admin, log_in):
    browser = log_in(admin)
    browser.post("/moderation/words", FORM)
    again = browser.post("/moderation/words", FORM | {"pattern": "CASINO", "effect": "flag"})
    assert again.status_code == 422
    assert Html(again).error("pattern")
    assert len(read_site_rules().words) == 1
    assert len(logged()) == 1


@pytest.mark.parametrize(
    "typed",
    ["evil.example", "https://www.Evil.example/path?x=1", "evil.example:8080", "//evil.example"],
)
def test_of_a_link_the_host_is_kept(admin, log_in, typed):
    log_in(admin).post("/moderation/words", FORM | {"kind": "link", "pattern": typed})
    (word,) = read_site_rules().words
    assert word.pattern == "evil.example"


@pytest.mark.parametrize("where", ["/moderation/words", "/moderation/words/try"])
@pytest.mark.parametrize(
    "wrong",
    [
        {"pattern": ""},
        {"pattern": "x" * 101},
        {"pattern": "\u200b"},
        {"pattern": "evil", "kind": "link"},
        {"pattern": "http://[", "kind": "link"},
        {"pattern": "two words.example", "kind": "link"},
        {"kind": "regex"},
        {"effect": "explode"},
        {"site_rule": "nothing"},
    ],
)
def test_what_cannot_be_is_said_beside_its_field(admin, log_in, where, wrong):
    response = log_in(admin).post(where, FORM | wrong)
    assert response.status_code == 422
    assert Html(response).error(next(iter(wrong)))
    assert read_site_rules().words == ()


def test_a_removed_rule_is_gone(admin, alice, log_in):
    rule_id = word_rule(admin, "casino", Effect.REFUSE)
    browser = log_in(admin)
    address = f"/moderation/words/{rule_id}/remove"
    assert browser.get(address).status_code == 405
    for _ in range(2):
        assert browser.post(address).status_code == 302
    assert read_site_rules().words == ()
    assert post(alice, "casino")
    assert [action for _, action, _ in logged()] == ["add word rule", "remove word rule"]


def test_there_are_so_many_at_most(admin):
    rules = [
        WordRule.new(
            rule_id=str(number), kind="word", pattern=f"w{number}", effect="flag", site_rule="",
            created="",
        )
        for number in range(MOST_WORDS)
    ]  # fmt: skip
    write_batch(puts=rules)
    with pytest.raises(TooMany):
        word_rule(admin, "one more", Effect.FLAG)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_a_trial_costs(admin, alice, measure, drain_stream):
    for number in range(30):
        post(alice, f"casino {number}")
    drain_stream()
    with measure() as meter:
        try_word_rule(Word("", WordKind.WORD, "casino", Effect.FLAG), viewer=admin)
    assert len(meter.calls) <= 32 + 2
    assert meter.read_units <= 16 + 15 + 40
