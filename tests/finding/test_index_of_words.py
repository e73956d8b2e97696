"""The index of words: what it costs, what a common word does to it, that the audit sees what is wrong in it, and that
it is made anew on a running site."""

from collections import Counter
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from accounts.people.viewer import Viewer
from accounts.profile.writes import save_privacy
from feed.posts.content_checks import Verdict
from feed.posts.models import Audience, Post
from feed.publishing.changes import change_audience, edit_post
from feed.publishing.writes import delete_post
from finding import checks, stream_handlers, writes
from finding.checks import WordInvariants, mend_words
from finding.models import WordEntry, WordUse
from finding.stream_handlers import follow_choice, index_words
from moderation.cases.reads import read_case
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import handlers_by_change
from socialsite.streams.ledger import Ledger
from socialsite.table import Item, keys, reading, write_batch
from tests.conftest import person, post, publish_post
from tests.feed.conftest import Requests
from tests.finding.test_finding_posts import entries, found
from tests.moderation.cases import about
from tests.privacy.lives import erase
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def audit() -> dict[str, list[str]]:
    invariants = WordInvariants()
    for raw in reading.scan():
        invariants.add(Item.from_raw_data(raw))
    return {name: wrong for name, wrong in invariants.results().items() if wrong}


def stored(name: str) -> list[reading.RawItem]:
    return [raw for raw in reading.scan() if raw["type"]["S"] == name]


def test_the_handler_run_twice_changes_nothing(alice, drain_stream):
    post(alice, "soup and salad")
    drain_stream()
    (raw,) = stored("Post")
    index_words(Change("INSERT", None, Item.from_raw_data(raw), "1"), Ledger())
    assert sorted(entries()) == ["salad", "soup"]
    assert audit() == {}


def test_the_audit_sees_lost_and_left_entries_and_reconcile_mends_them(alice, drain_stream):
    post(alice, "soup and salad")
    drain_stream()
    left = Item.from_raw_data(stored("WordEntry")[0])
    assert isinstance(left, WordEntry)
    write_batch(deletes=[left.key])
    assert audit()
    left.sk = keys.pointer("01" + "0" * 24, alice.user_id)
    left.post_id = "01" + "0" * 24
    write_batch(puts=[left])
    assert audit()
    assert mend_words(stored("Post"), stored("WordEntry")) == 2
    assert audit() == {}


def test_a_fault_of_the_index_holds_no_moderator_up(alice, drain_stream, monkeypatch):
    def fail(*args: Any, **rest: Any) -> None:
        raise ValueError("a fault of the index")

    monkeypatch.setattr(stream_handlers, "enter_words", fail)
    publish_post(by=alice, content="soup and salad", nonce="n", verdict=Verdict(flagged="a-filter"))
    drain_stream()
    assert stored("DeadLetter")
    assert read_case(about(alice)).reports == 1


def test_the_index_hears_of_a_post_after_everyone_else():
    for event in ("INSERT", "MODIFY", "REMOVE"):
        assert handlers_by_change()[Post, event][-1] is index_words


def _delete(by: Viewer, post_id: str) -> None:
    delete_post(by=by, post_id=post_id)


def _edit(by: Viewer, post_id: str) -> None:
    edit_post(by=by, post_id=post_id, content="soup and bread", version=1)


def _close(by: Viewer, post_id: str) -> None:
    change_audience(by=by, post_id=post_id, audience=Audience.ONLY_ME)


def choose(by: Viewer, *, is_silent: bool) -> None:
    choice = {"locked": False, "archived_before": None, "not_suggested": False}
    save_privacy(by=by, not_indexed=False, not_searched=is_silent, **choice)


def _choose(by: Viewer, post_id: str) -> None:
    choose(by, is_silent=True)


@pytest.mark.parametrize("what", [_delete, _edit, _close, _choose])
@pytest.mark.parametrize("had", ["nothing", "all", "too much"])
def test_the_index_is_made_anew_while_people_go_on(
    alice, drain_stream, monkeypatch, capsys, what, had
):
    """The worst moment: between what was read and what is written, and the worker is done by then."""
    mine, other = post(alice, "soup and salad"), post(alice, "soup of the day")
    drain_stream()
    if had == "nothing":
        write_batch(deletes=[Item.from_raw_data(raw).key for raw in stored("WordEntry")])
    elif had == "too much":
        left = Item.from_raw_data(stored("WordEntry")[0])
        assert isinstance(left, WordEntry)
        left.word, left.pk = "bread", keys.word_entries("bread")
        write_batch(puts=[left])
    moments = iter([what])

    def write(*args: Any, **kwargs: Any) -> None:
        if now := next(moments, None):
            now(alice, mine)
            drain_stream()
        write_batch(*args, **kwargs)

    for module in (checks, writes):
        monkeypatch.setattr(module, "write_batch", write)
    call_command("index_posts")
    monkeypatch.undo()
    assert audit() == {}
    assert "2 posts and" in capsys.readouterr().out
    if what is not _choose:
        assert other in found("soup")
    call_command("index_posts")
    assert " 0 entries set right" in capsys.readouterr().out


@pytest.mark.parametrize("change", ["INSERT", "MODIFY", "REMOVE"])
def test_each_handler_run_twice_changes_nothing_more(alice, drain_stream, change):
    mine = post(alice, "soup and salad")
    drain_stream()
    (old,) = stored("Post")
    new = old
    if change == "MODIFY":
        _edit(alice, mine)
        drain_stream()
        (new,) = stored("Post")
    elif change == "REMOVE":
        _delete(alice, mine)
        drain_stream()
    before = stored("WordEntry")
    images = {"INSERT": (None, new), "MODIFY": (old, new), "REMOVE": (old, None)}[change]
    index_words(Change(change, *(raw and Item.from_raw_data(raw) for raw in images), "1"), Ledger())
    assert stored("WordEntry") == before
    assert audit() == {}
    assert len(before) == (0 if change == "REMOVE" else 2)


def test_the_choice_of_an_author_is_followed_once_however_often_it_is_read(alice, drain_stream):
    post(alice, "soup")
    drain_stream()
    (old,) = stored("UserInfo")
    choose(alice, is_silent=True)
    (new,) = stored("UserInfo")
    for _ in range(2):
        ledger = Ledger()
        images = Item.from_raw_data(old), Item.from_raw_data(new)
        follow_choice(Change("MODIFY", *images, "7"), ledger)
        assert len(ledger.new_items) == 1
    drain_stream()
    drain_stream()
    assert entries() == []
    assert audit() == {}


def test_the_words_of_an_erased_person_leave_the_index_at_once(alice, bob, worker):
    mine, other = post(alice, "soup"), post(bob, "soup")
    worker.drain()
    assert found("soup") == [other, mine]
    erase(alice, worker)
    assert found("soup") == [other]
    assert entries() == ["soup"]
    assert audit() == {}


def test_an_entry_ends_with_its_post_and_at_the_latest_after_ninety_days(alice, drain_stream):
    publish_post(by=alice, content="soup", nonce="n", expires_in="1w")
    post(alice, "salad")
    drain_stream()
    ends = {raw["word"]["S"]: int(raw["ttl"]["N"]) for raw in stored("WordEntry")}
    now = utc_now().timestamp()
    days = {word: round((end - now) / 86_400) for word, end in ends.items()}
    assert days == {"soup": 7, "salad": settings.TAG_DAYS}


@capacity
def test_a_post_of_ten_words_takes_ten_write_units_behind_the_stream_and_none_before(
    alice, drain_stream, requests_of
):
    words = "soup salad bread butter cheese onions garlic pepper lemon water"
    with requests_of() as requests:
        post(alice, words)
    assert units_by_word(requests) == {}
    with requests_of() as requests:
        drain_stream()
    assert units_by_word(requests) == dict.fromkeys(words.split(), 1)


def units_by_word(requests: Requests) -> dict[str, float]:
    """The write units of each partition of the index."""
    units: Counter[str] = Counter()
    for one in requests.made:
        batch = [
            each["PutRequest"]["Item"]["PK"]["S"]
            for some in one.parameters.get("RequestItems", {}).values()
            if isinstance(some, list)
            for each in some
            if "PutRequest" in each
        ]
        for partition in batch:
            if partition.startswith("word#"):
                units[partition.removeprefix("word#")] += one.units / len(batch)
    return dict(units)


@capacity
def test_a_raid_makes_no_partition_hot_and_leaves_other_words_as_they_were(
    alice, drain_stream, requests_of, monkeypatch
):
    """A word in each of 60 posts, where 20 a day are entered: the units of the words, not of the posts, stay even."""
    monkeypatch.setattr(writes, "NOTED", 5)
    monkeypatch.setattr(writes, "MOST_A_DAY", 20)
    for number in range(60):
        post(alice, f"raid number{number}")
    with requests_of() as requests:
        drain_stream()
    units = units_by_word(requests)
    noted = 20 // 5
    assert units.pop("raid") == 19 + noted
    assert units == {f"number{number}": 1 for number in range(60)}


def test_a_word_of_a_raid_gets_no_more_entries_that_day_and_the_page_says_so(
    alice, drain_stream, monkeypatch, client
):
    monkeypatch.setattr(writes, "NOTED", 2)
    monkeypatch.setattr(writes, "MOST_A_DAY", 4)
    for number in range(7):
        post(alice, f"raid number{number}")
    drain_stream()
    assert entries().count("raid") == 3  # the fourth notes the use
    assert sum(word.startswith("number") for word in entries()) == 7
    assert len(stored(WordUse.__name__)) == 1
    assert audit() == {}
    assert len(found("raid number6")) == 1
    assert "not every one of them" in client.get("/search?tab=posts&q=raid").content.decode()


HOSTILE = (
    "soup " * 500,
    "soup" + "x" * 10_000,
    '"soup salad',
    "\u202e\u200fsoup salad",
    "-soup salad",
)


@capacity
def test_a_page_of_twenty_hits_keeps_to_its_calls_and_units(
    alice, log_in, drain_stream, requests_of
):
    for number in range(21):
        post(person(f"author{number}", "Soup Author"), "soup and salad with bread #soups")
    drain_stream()
    browser = log_in(alice)
    found_too_dear = []
    asked = [
        *({"tab": "posts", "q": text} for text in ("soup salad", "soup salad bread", *HOSTILE)),
        *({"q": text} for text in ("soup salad", "#soups", "@author1", *HOSTILE)),
        {"tab": "posts", "q": "soup"} | {"most": "45"},
        {"q": "soup"} | {"most": "45"},
        *(
            {"tab": "posts", "by": "likes", "q": text, "most": "85"}
            for text in ("soup", "soup salad")
        ),
    ]
    for one in asked:
        most = float(one.pop("most", "60"))
        with requests_of() as requests:
            page = Html(browser.get("/search", one))
        if len(requests.operations) > 5 or sum(requests.units) > most:
            found_too_dear.append((one, requests.operations, sum(requests.units)))
        if one["q"] in ("soup", "soup salad"):
            assert len(page.post_ids()) == (20 if "tab" in one else 5)
    assert found_too_dear == []
