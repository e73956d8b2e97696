"""Word filters: what they find, tried before they are saved, edited in place, and counted."""

import time
import unicodedata
from datetime import timedelta

import pytest

from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post
from feed.publishing.changes import edit_post
from feed.publishing.writes import publish_post
from moderation.models import DayCount
from moderation.rules.filter_writes import MOST_WORDS, add_word_rule, save_word_rule
from moderation.rules.reads import POSTS_SHOWN, try_word_rule
from moderation.staff.overview import WEEKS, get_word_hits
from moderation.staff.writes import ThereAlready, TooMany
from socialsite.clock import utc_now
from socialsite.site_settings.models import WordRule
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import (
    TABLE,
    WILD,
    Effect,
    Option,
    Word,
    WordKind,
    fold_text,
    is_star_idle,
    matches,
    stand_ins,
)
from socialsite.table import NotFound, change, create, ids, keys, write_batch
from tests.conftest import post
from tests.looks import broken_invariants
from tests.moderation.staff import logged, word_rule
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html


def meets(text: str, pattern: str, kind: str = WordKind.WORD) -> bool:
    return bool(matches(text, [Word("1", kind, pattern, Effect.FLAG)]))


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("Cheap pills here", "pills"),
        ("CHEAP PILLS HERE", "pills"),
        ("cheap pills", "Cheap Pills"),
        ("cheap\n  pills", "cheap pills"),
        ("(pills!)", "pills"),
        ("pills", "pills"),
        ("no spills, but pills", "pills"),  # not at the first place where the letters stand
        ("ｐｉｌｌｓ", "pills"),  # full width
        ("pi\u200blls and more", "pills"),  # with a character of no width in it
        ("pi\u00adlls", "pills"),  # with a soft hyphen
        ("die STRASSE hinab", "straße"),
        ("cafe\u0301", "café"),
        ("网上赌博平台", "赌博"),  # no spaces between words
        ("賭博はだめ", "賭博"),
        ("เว็บพนันออนไลน์", "พนัน"),
        ("buy $$$ now", "$$$"),
        ("🎰🎰 win", "🎰"),
        ("राम आया", "राम"),
        ("don't", "don't"),
    ],
)
def test_a_word_is_found(text, pattern):
    assert meets(text, pattern)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("spills", "pills"),
        ("pillse", "pills"),
        ("pills2", "pills"),
        ("pills_x", "pills"),
        ("cheap blue pills", "cheap pills"),
        ("рills", "pills"),  # a Cyrillic р only looks alike
        ("रामा", "राम"),  # a vowel sign goes on with the word
        ("", "pills"),
        ("anything", ""),
        ("anything", "\u200b"),
        ("p.i.l.l.s", "pills"),
    ],
)
def test_what_only_holds_its_letters_is_not_found(text, pattern):
    assert not meets(text, pattern)


@pytest.mark.parametrize(
    "text",
    [
        "https://evil.example",
        "http://evil.example/path?x=1",
        "see https://shop.evil.example/a.",
        "https://EVIL.example:8080/",
        "https://good.example@evil.example/",
        "evil.example",
        "write to me@evil.example",
        "https://evil．example/",
        "https://ev\u200bil.example/",
        "(https://evil.example).",
        "https://good.example:x@evil.example/",
        "https://evil%2eexample/",
        "https://evil%2Eexample/",
        "https://%65%76il.example/",
        "https://evil%ef%bc%8eexample/",
        "https://evil%E3%80%82example/",
        "https://evil%c2%adil@evil.example",
        "https://evil。example/",
        "https://evil｡example/",
        "https://ⓔⓥⓘⓛ.example",
        "https://ev\U000e0101il.example",
        "https://ev\u180fil.example",
        "https://ev\ufe0fil.example",
        "去evil.example看看",
        "🎰evil.example🎰",
        "https://evil.example를 evil.example에서",
        "Https://evil.example's",
        "https://evil.example，很好",
        "https://evil.example./",
    ],
)
def test_a_link_is_found_by_its_host(text):
    assert meets(text, "evil.example", WordKind.LINK)


@pytest.mark.parametrize(
    "text",
    [
        "https://notevil.example",
        "https://evil.example.org",
        "https://evil.examples",
        "https://good.example/evil",
        "https://evil%252eexample/",
        "https://evil-.example/",
        "evil",
        "example",
    ],
)
def test_another_host_is_not_found(text):
    assert not meets(text, "evil.example", WordKind.LINK)


@pytest.mark.parametrize(
    "text",
    [
        "https://bücher.example",
        "https://xn--bcher-kva.example",
        "https://BÜCHER.example",
        "https://b%C3%BCcher.example",
        "https://bu\u0308cher。example",
    ],
)
@pytest.mark.parametrize("pattern", ["bücher.example", "xn--bcher-kva.example"])
def test_a_host_in_other_letters_has_one_spelling(text, pattern):
    assert meets(text, pattern, WordKind.LINK)


@pytest.mark.parametrize("host", ["straße.example", "i❤.example", "例え.example"])
def test_a_host_that_browsers_know_is_found(host):
    assert meets(f"https://{host}/", host, WordKind.LINK)
    assert not meets("https://strasse.example", host, WordKind.LINK)


def test_all_rules_that_are_met_are_named_in_their_order():
    rules = [Word(str(n), WordKind.WORD, w, Effect.FLAG) for n, w in enumerate(["c", "x", "a"])]
    assert [rule.rule_id for rule in matches("a b c", rules)] == ["0", "2"]


def test_the_longest_post_with_the_most_rules_is_compared_in_no_time():
    rules = [Word(str(n), WordKind.WORD, f"word{n}", Effect.FLAG) for n in range(250)]
    rules += [Word(str(n), WordKind.LINK, f"host{n}.example", Effect.FLAG) for n in range(250)]
    for text in (
        "é." * 1500,
        "é" * 3000 + ".example",
        "a%2e" * 700,
        "陈." * 1500,
        "a." * 1500,
        "-" * 3000,
        "word2" * 600,
        "a\u0301" * 1500,
    ):
        assert matches(text, rules) == []


# What a word filter finds besides the words themselves: stars, letters that look alike, leetspeak, and spaces.

ALIKE, LEET, SPACED = Option.ALIKE, Option.LEET, Option.SPACED
ALL = frozenset(Option)


def word(pattern: str, *options: str) -> Word:
    return Word("1", WordKind.WORD, pattern, Effect.FLAG, options=frozenset(options))


def meets_with(text: str, pattern: str, *options: str) -> bool:
    return bool(matches(text, [word(pattern, *options)]))


@pytest.mark.parametrize(
    ("text", "pattern", "option"),
    [
        ("casinos", "casino*", WILD),
        ("my casino", "casino*", WILD),
        ("mycasino", "*casino", WILD),
        ("mycasinos", "*casino*", WILD),
        ("cheap pillses", "cheap pills*", WILD),
        ("саsino", "casino", ALIKE),  # а Cyrillic с and a
        ("СASІNО", "casino", ALIKE),
        ("cαsιnο", "casino", ALIKE),  # Greek
        ("𝐜asιno", "casino", ALIKE),  # mathematical
        ("ｃаsino", "casino", ALIKE),  # full width
        ("KAЗИНО", "казино", ALIKE),  # a Latin K and A
        ("pi1ls", "pills", LEET),
        ("p111s", "pills", LEET),
        ("P!LL$", "pills", LEET),
        ("l33t", "leet", LEET),
        ("leet", "l33t", LEET),
        ("(@ss)", "ass", LEET),
        ("p i l l s", "pills", SPACED),
        ("p.i.l.l.s", "pills", SPACED),
        ("p _ i _ l _ l _ s", "pills", SPACED),
        ("pil.ls now", "pills", SPACED),
        ("cheap-pills", "cheap pills", SPACED),
        ("赌 博", "赌博", SPACED),
        ("网上赌。博平台", "赌博", SPACED),
    ],
)
def test_an_option_finds_what_the_words_alone_do_not(text, pattern, option):
    assert meets_with(text, pattern, option)
    assert not meets_with(text, pattern) or option == WILD


@pytest.mark.parametrize(
    ("text", "pattern", "option"),
    [
        ("mycasino", "casino*", WILD),
        ("casinos", "*casino", WILD),
        ("рот", "pot", ALIKE),  # a Russian word, which only looks like one
        ("cаsinos", "casino", ALIKE),
        ("455", "ass", LEET),  # a number
        ("mall", "mail", LEET),  # 1 stands for i and for l, but they are different
        ("p1lls4u", "pills", LEET),
        ("push it", "shit", SPACED),
        ("s hit", "shit", SPACED),
        ("now here", "nowhere", SPACED),
        ("p ....... i l l s", "pills", SPACED),
    ],
)
def test_an_option_leaves_other_words_alone(text, pattern, option):
    assert not meets_with(text, pattern, option)


@pytest.mark.parametrize("text", ["с-@-ѕ-1-n-о", "c4$1n0s", "C A 5 I Π 0 casІn0", "casino"])
def test_all_options_work_together(text):
    assert meets_with(text, "casino*", WILD, *ALL)


def test_a_star_of_a_filter_from_before_stars_is_a_star():
    assert meets_with("s*ch", "s*ch")
    assert meets_with("sale* now", "sale*")
    assert not meets_with("sales", "sale*")


@pytest.mark.parametrize(
    ("pattern", "is_idle"), [("casino*", False), ("$$$*", True), ("🎰*", True), ("*赌博", True)]
)
def test_a_star_that_changes_nothing_is_known(pattern, is_idle):
    assert is_star_idle(word(pattern, WILD)) == is_idle


def test_the_table_of_look_alikes_is_pinned_and_holds_what_texts_are_folded_to():
    head = TABLE.read_text()
    assert "# Version: 17.0.0" in head
    assert "SPDX-License-Identifier: Unicode-3.0" in head
    table = stand_ins(frozenset({ALIKE}))
    assert len(table) > 300
    assert {table[one] for one in "аеорсху"} == {"a", "e", "o", "p", "c", "x", "y"}
    for character, letters in table.items():
        assert fold_text(character) == character or unicodedata.category(character)[0] in "MSZ"
        assert letters.isascii()
        assert letters.isalpha()


def test_the_longest_post_with_the_most_options_is_compared_in_no_time():
    words = [f"word{n}" for n in range(250)] + ["l" * 20 + f"x{n}" for n in range(250)]
    rules = [word(one, *ALL) for one in words]
    for text in ("é" * 3000, "1l" * 1500, "1 l " * 750, "w o r d " * 400, "-" * 3000, "陈." * 1500):
        began = time.thread_time()
        assert matches(text, rules) == []
        assert time.thread_time() - began < 2


# How many posts met a word filter is counted by day, once each, and shown by week.


def hits(rule_id: str) -> int:
    return sum(week.times for week in get_word_hits(rule_id))


def test_each_post_counts_once_for_each_filter_that_it_met(admin, alice, bob, drain_stream):
    casino, bonus = (word_rule(admin, word, Effect.FLAG) for word in ("casino", "bonus"))
    post(alice, "casino casino bonus")
    post(bob, "casino")
    post(bob, "nothing")
    drain_stream()
    assert (hits(casino), hits(bonus)) == (2, 1)


def test_an_edit_counts_what_it_adds(admin, alice, drain_stream):
    casino, bonus = (word_rule(admin, word, Effect.FLAG) for word in ("casino", "bonus"))
    post_id = post(alice, "casino")
    edit_post(by=alice, post_id=post_id, content="casino bonus", version=1)
    drain_stream()
    assert (hits(casino), hits(bonus)) == (1, 1)


def test_held_posts_count_too(admin, alice, drain_stream):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    post(alice, "casino")
    drain_stream()
    assert hits(rule_id) == 1


def test_the_handler_run_twice_does_what_it_does_once(admin, alice, drain_stream):
    word_rule(admin, "casino", Effect.FLAG)
    drain_stream()
    post(alice, "casino")
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert any("hits#" in raw["PK"]["S"] for raw in done.values())


def test_a_count_that_an_older_site_began_is_counted_on(admin, alice, drain_stream):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    now = utc_now()
    count = DayCount.of_word(rule_id=rule_id, day=now.date().isoformat(), ttl=now + timedelta(1))
    older = {**count.serialize(), "type": {"S": "WordHits"}, "times": {"N": "4"}}
    write_batch(puts=[older])
    post(alice, "casino")
    drain_stream()
    assert hits(rule_id) == 5
    assert broken_invariants() == {}


def test_the_page_of_a_filter_shows_its_weeks(admin, log_in):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    now = utc_now()
    for days, times in ((0, 3), (6, 1), (7, 2), (7 * WEEKS - 1, 4), (7 * WEEKS, 50)):
        day, end = (now - timedelta(days=days)).date().isoformat(), now + timedelta(days=1)
        count = DayCount.of_word(rule_id=rule_id, day=day, ttl=end)
        count.times = times
        create(count)
    weeks = get_word_hits(rule_id)
    assert [week.times for week in weeks] == [4, *[0] * (WEEKS - 3), 2, 4]
    page = Html(log_in(admin).get(f"/moderation/words/{rule_id}"))
    assert page.one("figcaption").text == "Last 12 weeks 10"
    assert len(page.all("td")) == WEEKS


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_the_weeks_cost(admin, measure):
    rule_id = word_rule(admin, "casino", Effect.FLAG)
    now = utc_now()
    for days in range(7 * WEEKS):
        day = (now - timedelta(days=days)).date().isoformat()
        create(DayCount.of_word(rule_id=rule_id, day=day, ttl=now + timedelta(days=90)))
    with measure() as meter:
        get_word_hits(rule_id)
    parts = len(keys.parts_of(""))
    assert (len(meter.calls), meter.read_units) == (parts, 1 + 0.5 * (parts - 1))


# A word rule is tried on the newest public posts before it is saved; then it is listed, and removed.

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


EDITED_FORM = {
    "kind": "word",
    "pattern": "casino*",
    "options": ["alike", "leet"],
    "effect": "hold",
    "site_rule": "spam",
}


# A word filter is edited in place: tried, saved under the id that it has, and logged with its words before.


def the_word() -> Word:
    (word,) = read_site_rules().words
    return word


def test_it_keeps_its_id_and_takes_all_that_was_typed(admin, log_in):
    rule_id = word_rule(admin, "bonus", Effect.FLAG, site_rule="")
    browser = log_in(admin)
    for _ in range(2):  # a form sent twice
        sent = browser.post(f"/moderation/words/{rule_id}", EDITED_FORM)
        assert sent["Location"] == "/moderation/words"
    word = the_word()
    assert (word.rule_id, word.pattern, word.effect, word.site_rule) == (
        rule_id,
        "casino*",
        "hold",
        "spam",
    )
    assert word.options == {"alike", "leet", WILD}
    actions = logged()
    assert [action for _, action, _ in actions] == ["add word rule", "edit word rule"]
    assert actions[1][2] == {
        "rule": rule_id,
        "kind": "word",
        "pattern": "casino*",
        "was": "bonus",
        "effect": "hold",
        "options": "alike, leet, wild",
    }


def test_its_page_shows_it_and_the_list_leads_there(admin, log_in):
    rule_id = word_rule(admin, "casino", Effect.HOLD)
    browser = log_in(admin)
    browser.post(f"/moderation/words/{rule_id}", EDITED_FORM)
    address = f"/moderation/words/{rule_id}"
    assert Html(browser.get("/moderation/words")).all("a", href=address)
    page = Html(browser.get(address))
    assert page.value("pattern") == "casino*"
    checked = [
        box["value"] for box in page.all("input", name="options") if "checked" in box.attributes
    ]
    assert checked == ["alike", "leet"]


def test_an_edit_is_tried_and_saves_nothing(admin, alice, log_in, drain_stream):
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    post(alice, "My cаs1nos")
    drain_stream()
    page = Html(log_in(admin).post(f"/moderation/words/{rule_id}/try", EDITED_FORM))
    assert "1 of the newest 1 public posts" in page.one("p", class_="banner").text
    assert page.all("form", action=f"/moderation/words/{rule_id}")
    assert page.value("pattern") == "casino*"
    assert the_word().pattern == "bonus"


@pytest.mark.parametrize("act", ["", "/try"])
@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"pattern": "*"}, "pattern"),
        ({"pattern": "* *"}, "pattern"),
        ({"pattern": "cas*ino"}, "pattern"),
        ({"pattern": "cheap* pills"}, "pattern"),
        ({"pattern": "* casino"}, "pattern"),
        ({"pattern": "$$$*"}, "pattern"),
        ({"pattern": "赌博*"}, "pattern"),
        ({"kind": "link", "options": [], "pattern": "*.evil.example"}, "pattern"),
        ({"kind": "link", "options": [], "pattern": "ev*il.example"}, "pattern"),
        ({"kind": "link", "pattern": "evil.example"}, "options"),
        ({"options": ["explode"]}, "options"),
    ],
)
def test_what_cannot_match_is_said_beside_its_field(admin, log_in, act, wrong, field):
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    response = log_in(admin).post(f"/moderation/words/{rule_id}{act}", EDITED_FORM | wrong)
    assert response.status_code == 422
    page = Html(response)
    assert page.error(field)
    assert page.value("pattern") == (EDITED_FORM | wrong)["pattern"]
    assert the_word().pattern == "bonus"


def test_the_words_of_another_filter_are_refused(admin, log_in):
    word_rule(admin, "casino", Effect.FLAG)
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    response = log_in(admin).post(
        f"/moderation/words/{rule_id}", EDITED_FORM | {"pattern": "CASINO"}
    )
    assert response.status_code == 422
    assert Html(response).error("pattern")


def test_words_that_an_edited_filter_had_are_free_again(admin):
    rule_id = word_rule(admin, "bonus", Effect.FLAG)
    save_word_rule(by=admin, rule_id=rule_id, word=Word("", WordKind.WORD, "casino", Effect.FLAG))
    again = word_rule(admin, "bonus", Effect.FLAG)
    assert again != rule_id
    with pytest.raises(ThereAlready):
        add_word_rule(by=admin, word=Word("", WordKind.WORD, "Bonus", Effect.HOLD))
    assert {word.pattern for word in read_site_rules().words} == {"bonus", "casino"}


def test_a_filter_that_is_gone_cannot_be_edited(admin, log_in):
    browser = log_in(admin)
    for answer in (
        browser.get("/moderation/words/none"),
        browser.post("/moderation/words/none", EDITED_FORM),
        browser.post("/moderation/words/none/try", EDITED_FORM),
    ):
        assert answer.status_code == 404
    with pytest.raises(NotFound):
        save_word_rule(by=admin, rule_id="none", word=Word("", "word", "x", Effect.FLAG))


def test_a_trial_counts_and_shows_false_alarms_in_each_language(admin, log_in):
    browser = log_in(admin)

    def false_alarms(pattern: str) -> dict[str, str]:
        typed = EDITED_FORM | {"pattern": pattern, "options": []}
        page = Html(browser.post("/moderation/words/try", typed))
        return {one["lang"]: one.text for one in page.all("p", class_="harmless")}

    found = false_alarms("*ass*")
    assert set(found) == {"en", "de"}
    assert "embassy" in found["en"]
    assert "Scunthorpe" not in found["en"]
    assert "Wasser" in found["de"]
    assert "上海口交通" in false_alarms("口交")["zh-hans"]
    assert false_alarms("xyzzy") == {}
