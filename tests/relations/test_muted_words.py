"""Muted words: which texts they are found in, the page on which they are chosen, and copies that are never old."""

from datetime import UTC, datetime
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

from accounts.models import UserSettings
from relations.muted_words import reads, writes
from relations.muted_words.models import MutedWords
from relations.muted_words.reads import MOST_KEPT, forget_muted_words, muted_keys, mutes_of
from relations.muted_words.words import MOST_WORDS, MutedWord, Mutes, Said, Where, needle_of
from relations.muted_words.writes import TooLongTogether, TooManyWords, mute_word, unmute_word
from socialsite.clock import utc_now
from socialsite.table import change, get, ids, item_size, keys, write_batch
from tests.conftest import HTMX, person, post
from tests.feed.scenes import clock_at
from tests.looks import broken_invariants
from tests.streams.crowd import returning
from tests.web.html import Html

PAGE = "/settings/muted-words"
FORM = {"word": "election", "length": "ever", "where": "everywhere", "how": "fold"}


def words(viewer) -> dict[str, str]:
    """What the person mutes, as it is stored."""
    mutes = mutes_of(returning(viewer), {})
    return {one.word: one.code for one in mutes.words}


def mute_many(viewer, *muted: MutedWord) -> None:
    """Mutes so many words at once."""
    version, stored = ids.new_id(), {one.word: one.code for one in muted}
    write_batch(puts=[MutedWords.new(user_id=viewer.user_id, version=version, words=stored)])
    noted = [UserSettings.muted_version.set(version)]
    change(UserSettings, keys.user_settings(viewer.user_id), noted)


@pytest.mark.parametrize(
    ("word", "text", "is_found"),
    [
        ("election", "The Election, at last", True),
        ("election", "The elections", False),
        ("election", "#election", True),
        ("election", "example.org/election-2026", True),
        ("Élection", "une election", True),
        ("naive", "so naïve!", True),
        ("ｅｌｅｃｔｉｏｎ", "election", True),
        ("elec\u00adtion", "the election", True),
        ("straße", "STRASSE", True),
        ("new york", "in New York, today", True),
        ("new york", "a new old york", False),
        ("don't", "I don’t know", True),
        ("#election", "my election", False),
        ("#election", "my #Election!", True),
        ("#año", "#ano", False),
        ("＃選挙", "今日は#選挙 だ", True),
        ("选举", "明天的选举结果", True),
        ("选举", "选 举", False),
        ("選挙", "選挙に行く", True),
        ("การเมือง", "ข่าวการเมืองวันนี้", True),
        ("선거", "선거를 했다", True),
        ("각", "가", False),
        ("iphone", "我的iPhone手机", True),
        ("iPhone手机", "我的iPhone 手机", True),
        ("iphone", "iphones", False),
        ("выборы", "Выборы сегодня", True),
        ("выбор", "Выборы сегодня", False),
        ("चुनाव", "आज चुनाव है", True),
        ("🎉", "party 🎉!", True),
        ("❤️", "I ❤ it", True),
        ("C++", "I write c++ daily", True),
        ("C++", "vitamin c", False),
        ("a", "a b", True),
        ("a", "bat", False),
    ],
)
def test_a_word_is_found_as_readers_read_it(word, text, is_found):
    mutes = Mutes("v", (MutedWord(word),))
    assert bool(mutes.met_by(Said(["", text]), where=Where.HOME)) is is_found


def test_signs_alone_that_nobody_sees_are_no_word():
    assert not needle_of("\u200b").text
    assert not Said(["a"]).has(needle_of("\u200b"))


@pytest.mark.parametrize(
    ("muted_in", "page", "acts"),
    [(one, one, True) for one in Where]
    + [(Where.EVERYWHERE, one, True) for one in Where]
    + [
        (Where.HOME, Where.EVERYWHERE, False),
        (Where.HOME, Where.NOTIFICATIONS, False),
        (Where.NOTIFICATIONS, Where.HOME, False),
    ],
)
def test_a_word_acts_where_it_is_muted(muted_in, page, acts):
    mutes = Mutes("v", (MutedWord("tea", muted_in),))
    assert bool(mutes.met_by(Said(["tea"]), where=page)) is acts


def test_a_word_that_hides_wins_over_one_that_folds():
    both = MutedWord("tea"), MutedWord("cake", folds=False)
    for order in (both, both[::-1]):
        met = Mutes("v", order).met_by(Said(["tea and cake"]), where=Where.HOME)
        assert met is not None
        assert met.word == "cake"


def test_a_word_ends_at_its_second_in_every_copy(alice):
    end = int(utc_now().timestamp()) + 60
    mute_word(by=alice, word=MutedWord("tea", until=end))
    viewer = returning(alice)
    mutes = mutes_of(viewer, {})
    for seconds, is_muted in ((-1, True), (0, False)):
        with clock_at(datetime.fromtimestamp(end + seconds, UTC)):
            assert bool(mutes.met_by(Said(["tea"]), where=Where.HOME)) is is_muted
            assert bool(list(mutes_of(viewer, {}).in_force())) is is_muted


@pytest.mark.parametrize(
    "word", [MutedWord("tea", w, f, u) for w in Where for f in (0, 1) for u in (0, 9)]
)
def test_a_word_is_read_as_it_was_written(word):
    again = MutedWord.from_code(word.word, word.code)
    assert (again.where, again.folds, again.until) == (word.where, bool(word.folds), word.until)


# What is written.


def test_repeating_changes_nothing_and_another_spelling_is_the_same_word(alice, drain_stream):
    for word in (MutedWord("Café"), MutedWord("Café")):
        mute_word(by=alice, word=word)
    first = returning(alice).muted_version
    mute_word(by=alice, word=MutedWord("Café"))
    assert returning(alice).muted_version == first
    mute_word(by=alice, word=MutedWord("cafe", folds=False))
    assert words(alice) == {"cafe": "eh"}
    for _ in range(2):
        unmute_word(by=alice, word="CAFÉ")
    assert words(alice) == {}
    assert returning(alice).muted_version == ""
    drain_stream()
    assert broken_invariants() == {}


def test_two_windows_at_once_keep_both_words(alice, monkeypatch):
    mute_word(by=alice, word=MutedWord("tea"))
    read = writes.read_mutes

    def read_and_be_overtaken(viewer):
        mutes = read(viewer)
        monkeypatch.setattr(writes, "read_mutes", read)
        mute_word(by=alice, word=MutedWord("cake"))
        return mutes

    monkeypatch.setattr(writes, "read_mutes", read_and_be_overtaken)
    mute_word(by=alice, word=MutedWord("rain"))
    assert set(words(alice)) == {"tea", "cake", "rain"}


def test_a_change_of_a_word_that_another_window_removed_is_not_lost(alice):
    mute_word(by=alice, word=MutedWord("snow"), was="rain")
    assert set(words(alice)) == {"snow"}


def test_there_are_a_hundred_words_at_most_and_what_is_over_does_not_count(alice):
    mute_many(
        alice, *(MutedWord(f"w{number}", until=int(not number)) for number in range(MOST_WORDS))
    )
    mute_word(by=alice, word=MutedWord("one more"))
    with pytest.raises(TooManyWords):
        mute_word(by=alice, word=MutedWord("two more"))
    mute_word(by=alice, word=MutedWord("another"), was="w1")
    mute_word(by=alice, word=MutedWord("ANOTHER", Where.HOME))
    assert len(words(alice)) == MOST_WORDS
    assert item_size(get(MutedWords, keys.muted_words(alice.user_id)).serialize()) < 4096


def test_words_that_are_too_long_together_are_refused(alice):
    mute_many(alice, *(MutedWord(f"{number:02}{'長' * 58}") for number in range(22)))
    with pytest.raises(TooLongTogether):
        mute_word(by=alice, word=MutedWord("長" * 60))
    assert len(words(alice)) == 22


# What a process keeps.


def test_a_process_reads_words_once_and_never_shows_old_ones(alice, bob, measure):
    mute_word(by=alice, word=MutedWord("tea"))
    forget_muted_words()
    viewer = returning(alice)
    assert muted_keys(viewer) == [keys.muted_words(alice.user_id)]
    assert muted_keys(returning(bob)) == []
    mutes_of(viewer, {})
    with measure() as meter:
        assert [one.word for one in mutes_of(viewer, {}).words] == ["tea"]
        assert muted_keys(viewer) == []
    assert not meter.calls
    mute_word(by=alice, word=MutedWord("cake"), was="tea")
    forget_muted_words()  # in another process, to which a late request comes
    old = SimpleNamespace(user_id=alice.user_id, muted_version=viewer.muted_version)
    assert [one.word for one in mutes_of(old, {}).words] == ["cake"]
    assert words(alice) == {"cake": "ef"}


def test_words_that_are_gone_before_they_are_read_are_none_and_asked_for_once(alice, measure):
    mute_word(by=alice, word=MutedWord("tea"))
    viewer = returning(alice)
    unmute_word(by=alice, word="tea")
    forget_muted_words()
    assert not mutes_of(viewer, {}).words
    with measure() as meter:
        assert not mutes_of(viewer, {}).words
    assert not meter.calls


def test_a_process_keeps_the_words_of_the_last_people_alone():
    for number in range(MOST_KEPT + 5):
        viewer = SimpleNamespace(user_id=f"u{number}", muted_version="v")
        reads._keep(viewer, Mutes("v"))
    assert len(reads._kept) == MOST_KEPT
    assert "u4" not in reads._kept


# The page.


def test_words_are_added_changed_and_removed(alice, log_in):
    browser = log_in(alice)
    assert browser.post(PAGE, FORM)["Location"] == PAGE
    page = Html(browser.get(PAGE))
    assert [one.text for one in page.all("bdi", class_="name")][-1] == "election"
    change = next(
        one for one in page.all("a") if one.attributes.get("href", "").startswith(f"{PAGE}?change")
    )
    form = Html(browser.get(change["href"]))
    assert (form.value("word"), form.value("was")) == ("election", "election")
    browser.post(PAGE, FORM | {"word": "vote", "was": "election", "how": "hide", "where": "home"})
    assert words(alice) == {"vote": "hh"}
    for _ in range(2):
        assert browser.post(f"{PAGE}/remove", {"word": "vote"})["Location"] == PAGE
    assert words(alice) == {}


@pytest.mark.parametrize(("length", "days"), [("1d", 1), ("7d", 7), ("30d", 30)])
def test_a_word_is_muted_for_a_time_which_a_change_can_keep(alice, log_in, length, days):
    browser = log_in(alice)
    browser.post(PAGE, FORM | {"length": length})
    (word,) = mutes_of(returning(alice), {}).words
    assert abs(word.until - ids.time_of(ids.new_id()).timestamp() - days * 86_400) < 60
    assert "until" in browser.get(PAGE).content.decode()
    browser.post(PAGE, FORM | {"length": "as-now", "was": "election", "how": "hide"})
    (changed,) = mutes_of(returning(alice), {}).words
    assert (changed.until, changed.folds) == (word.until, False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"word": ""},
        {"word": "\u2800"},
        {"word": "x" * 61},
        {"word": "two\nlines"},
        {"length": "2h"},
        {"length": "as-now"},
        {"length": ""},
        {"where": "nowhere"},
        {"how": "shout"},
    ],
)
def test_an_invalid_form_keeps_what_was_typed(alice, log_in, wrong):
    typed = FORM | {"word": "politics"} | wrong
    answer = log_in(alice).post(PAGE, typed)
    assert answer.status_code == 422
    page = Html(answer)
    if "\n" not in typed["word"]:
        assert page.value("word") == typed["word"]
    checked = {
        (one["name"], one["value"])
        for one in page.all("input", type="radio")
        if "checked" in one.attributes
    }
    valid = {(name, typed[name]) for name in ("length", "where", "how") if name not in wrong}
    assert checked == valid
    assert words(alice) == {}


def test_the_hundred_and_first_word_is_refused_with_what_was_typed(alice, log_in):
    mute_many(alice, *(MutedWord(f"w{number}") for number in range(MOST_WORDS)))
    browser = log_in(alice)
    answer = browser.post(PAGE, FORM)
    assert answer.status_code == 422
    assert "That is the limit" in answer.content.decode()
    assert Html(answer).value("word") == "election"


def test_the_menu_of_a_post_offers_its_tags(alice, bob, log_in):
    post_id = post(bob, "Vote! #Election #Mayor")
    url = f"/@bob/posts/{post_id}"
    browser = log_in(alice)
    menu = Html(browser.get(url))
    here = urlencode({"next": url}).replace("%40", "@").replace("%2F", "/")
    hrefs = [one.attributes.get("href", "") for one in menu.all("a")]
    (link,) = [one for one in hrefs if one.startswith(f"{url}/mute-words")]
    assert here.split("=")[1] in link or "next=" in link
    for more in ({}, HTMX):
        form = Html(browser.get(f"{url}/mute-words?next=/local", headers=more))
        assert form.value("word") == "#election"
        offered = [one for one in form.all("a") if one.text.startswith("#")]
        assert [one.text for one in offered] == ["#election", "#mayor"]
        assert Html(browser.get(offered[1]["href"])).value("word") == "#mayor"
    answer = browser.post(f"{PAGE}?next=/local", FORM | {"word": "#mayor"}, headers=HTMX)
    assert answer["HX-Redirect"] == "/local"
    again = browser.post(f"{PAGE}?next=/local", FORM | {"word": ""}, headers=HTMX)
    assert (again.status_code, again["HX-Retarget"]) == (422, "#modal")
    assert not Html(log_in(bob).get(url)).all("a", href=f"{url}/mute-words?next={url}")


def test_nobody_sees_the_words_of_others(alice, bob, log_in):
    mute_word(by=alice, word=MutedWord("secretword"))
    assert "secretword" not in log_in(bob).get(PAGE).content.decode()
    assert "secretword" not in log_in(person("dora")).get("/@alice").content.decode()
