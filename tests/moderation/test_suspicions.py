"""What several new accounts post alike, or one network sends on one day, is a hint."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import Origin
from accounts.people.viewer import Viewer
from accounts.permissions import Permission, save_role
from accounts.sign_in.browsers import OriginKind
from feed.posts.models import Audience
from feed.publishing.changes import change_audience, edit_post
from feed.publishing.writes import delete_post, publish_post
from moderation.models import HintKind
from moderation.suspicions.reads import list_hints, list_same_posts
from moderation.suspicions.stream import (
    NEW_AUTHOR,
    NEWCOMER,
    note_newcomers,
    note_posts_of_new_accounts,
)
from moderation.suspicions.writes import likenesses, note_same_posts
from privacy.erasure.search import clear
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table import Item, ids, keys, reading
from tests.accounts.scenes import codes, note
from tests.conftest import person, post
from tests.moderation.cases import QUEUE, held_post, logged
from tests.moderation.staff import SPAM, all_post, item_of, newcomers
from tests.moderation.test_bulk_decision_pages import page_text, start
from tests.streams.records import everything, handle_all, lines, unread
from tests.web.html import Html

NOON = datetime(2026, 11, 23, 12, 30, tzinfo=UTC)


def lines_of_hints() -> list[str]:
    return [hint.line for hint in list_hints(HintKind)]


def note_all(authors, text: str, moment: datetime) -> None:
    for author in authors:
        note_same_posts(item_of(author, post(author, text)), moment=moment)


def links_of(alice, text: str, moment: datetime = NOON) -> list[str]:
    found = likenesses(item_of(alice, post(alice, text)), moment)
    return [one.host for one in found if one.kind == HintKind.LINK]


def text_of(alice, text: str, moment: datetime = NOON) -> str:
    found = likenesses(item_of(alice, post(alice, text)), moment)
    return next((one.hint_id for one in found if one.kind == HintKind.TEXT), "")


# What is alike


def test_copies_that_differ_in_signs_numbers_mentions_and_addresses_are_the_same_text(alice):
    same = text_of(alice, SPAM)
    for copy in (
        "BUY cheap watches here — today only!!!",
        "@bob buy cheap watches here, today only 500",
        "Buy cheap watches here, today only https://spam.example/a1b2",
        ".@bob buy cheap watches here HTTPS://spam.example/it's_b2 today only",
        "Ｂｕｙ cheap\nwatches here 🎉 today only",
    ):
        assert text_of(alice, copy) == same, copy
    assert text_of(alice, "Buy cheap clocks here, today only") != same


@pytest.mark.parametrize(
    "short", ["Good morning!", "早安大家", "1234567890 1234567890 123", "🎉" * 20]
)
def test_a_short_text_is_like_nothing(alice, short):
    assert text_of(alice, short) == ""


def test_a_text_is_compared_within_a_day_and_links_within_an_hour(alice):
    assert text_of(alice, SPAM) == text_of(alice, SPAM, NOON + timedelta(hours=11))
    assert text_of(alice, SPAM) != text_of(alice, SPAM, NOON + timedelta(hours=12))
    linking = item_of(alice, post(alice, "https://spam.example"))
    [now] = likenesses(linking, NOON)
    assert likenesses(linking, NOON + timedelta(minutes=29)) == [now]
    assert likenesses(linking, NOON + timedelta(minutes=30)) != [now]


def test_links_are_compared_by_their_hosts_and_those_to_the_site_itself_do_not_count(
    alice, bob, settings
):
    settings.SITE_URL = "https://calm.example"
    said = "https://calm.example/@bob www.Spam.example/x, https://spam.example. e.g. this"
    assert links_of(alice, said) == ["www.spam.example", "spam.example"]
    many = " ".join(f"https://host{number}.example" for number in range(9))
    assert len(links_of(bob, many)) == 3


# What becomes a hint


def test_from_five_new_accounts_on_the_same_text_is_a_hint(table, drain_stream):
    authors = newcomers(6)
    all_post(authors[:4])
    drain_stream()
    assert not list_hints(HintKind)
    all_post(authors[4:5])
    drain_stream()
    [hint] = list_hints(HintKind)
    assert hint.line == "5 new accounts posted the same text"
    assert hint.sample == SPAM
    all_post(authors[5:])
    drain_stream()
    assert lines_of_hints() == ["6 new accounts posted the same text"]


def test_links_of_five_new_accounts_to_one_host_are_a_hint(table):
    words = ("Look", "See", "Oh", "Wow", "Here")
    for author, word in zip(newcomers(5), words, strict=True):
        note_all([author], f"{word} https://spam.example/{word}", utc_now())
    assert lines_of_hints() == ["5 new accounts linked to spam.example within an hour"]


def test_one_who_posts_the_same_again_and_again_is_no_wave(alice, drain_stream):
    all_post([alice] * 22)
    drain_stream()
    assert not list_hints(HintKind)
    [hint_id] = {text_of(alice, SPAM, utc_now())}
    [target] = list_same_posts(hint_id, most=500)
    assert len(target.posts) == 20


def test_accounts_of_more_than_thirty_days_do_not_count(table):
    for author in newcomers(5):
        written = item_of(author, post(author, SPAM))
        old = ids.time_of(author.user_id) + NEW_AUTHOR + timedelta(seconds=1)
        ledger = Ledger()
        note_posts_of_new_accounts(Change("INSERT", None, written, "1", old), ledger)
        assert not ledger.had_effects
        note_posts_of_new_accounts(
            Change("INSERT", None, written, "1", old - timedelta(seconds=2)), ledger
        )
        assert ledger.had_effects


def test_posts_that_not_everyone_reads_do_not_count_until_everyone_does(table, drain_stream):
    *others, author = newcomers(5)
    all_post(others)
    held_post(author, SPAM)
    audience = Audience.FOLLOWERS
    post_id = publish_post(by=author, content=SPAM, nonce=ids.new_id(), audience=audience)
    drain_stream()
    assert not list_hints(HintKind)
    change_audience(by=author, post_id=post_id, audience=Audience.EVERYONE)
    drain_stream()
    assert lines_of_hints() == ["5 new accounts posted the same text"]


def test_an_edit_counts_like_a_new_post(table, drain_stream):
    *others, author = newcomers(5)
    all_post(others)
    post_id = post(author, "Hello")
    edit_post(by=author, post_id=post_id, content=SPAM, version=1)
    drain_stream()
    assert len(list_hints(HintKind)) == 1


def test_the_handler_run_twice_does_what_it_does_once(table, drain_stream):
    authors = newcomers(5)
    drain_stream()
    all_post(authors, f"{SPAM} https://spam.example")
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert {"Hint", "SamePost"} <= {raw["type"]["S"] for raw in done.values()}


# What is shown and kept of it


def test_a_sample_is_shown_as_long_as_everyone_can_read_it(table, drain_stream):
    authors = newcomers(5)
    posts = all_post(authors)
    drain_stream()
    for author, post_id in zip(authors, posts, strict=True):
        delete_post(by=author, post_id=post_id)
    [hint] = list_hints(HintKind)
    assert (hint.sample, hint.authors) == ("", 5)


def test_hints_of_the_day_before_yesterday_are_gone(table):
    note_all(newcomers(5), SPAM, utc_now() - timedelta(days=2, seconds=1))
    assert not list_hints(HintKind)


def test_the_search_takes_erased_people_out_of_hints(table, drain_stream):
    authors = newcomers(5)
    all_post(authors)
    drain_stream()
    erased = [author.user_id for author in authors]
    for raw in everything().values():
        if raw["type"]["S"] in ("Hint", "SamePost"):
            assert clear(raw, erased)
    [hint] = list_hints(HintKind)
    assert hint.sample == ""
    assert not any(one in str(hint_item(hint.hint_id)) for one in erased)


def hint_item(hint_id: str) -> Item:
    [raw] = reading.query(keys.hints(), between=keys.bounds(hint_id))
    return raw


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_hints_cost(table, measure):
    *others, author = newcomers(5)
    with measure() as meter:
        assert not list_hints(HintKind)
    assert (len(meter.calls), meter.read_units) == (1, 0.5)
    note_all(others, SPAM, utc_now())
    written = item_of(author, post(author, SPAM))
    with measure() as meter:
        note_same_posts(written, moment=utc_now())
    assert (len(meter.calls), meter.read_units, meter.write_units) == (3, 1, 4)
    with measure() as meter:
        assert list_hints(HintKind)
    assert (len(meter.calls), meter.read_units) == (2, 1)


# Many new accounts from one network on one day are a hint, for staff who may see who shares a network.

NET, OTHER_NET = "203.0.113.0/24", "198.51.100.0/24"
LINE = "5 new accounts signed in from the same network within a day"


@pytest.fixture
def crowd(table, drain_stream) -> list[Viewer]:
    """Five new accounts from one network."""
    return come_all(newcomers(5), drain_stream)


def come_all(people: list[Viewer], drain_stream, network: str = NET) -> list[Viewer]:
    for one in people:
        note(one, network)
    drain_stream()
    return people


def hint_url() -> str:
    [hint] = list_hints(HintKind)
    return hint.url


def origin_of(someone: Viewer) -> Origin:
    [hmac] = codes(someone, OriginKind.NETWORK)
    return reading.get(Origin, keys.origin(OriginKind.NETWORK, hmac, someone.user_id))


def noted(someone: Viewer, age: timedelta, event: str = "INSERT") -> bool:
    """Whether the worker counts a sign-in from the network at that age of the account."""
    ledger = Ledger()
    moment = ids.time_of(someone.user_id) + age
    note_newcomers(Change(event, None, origin_of(someone), "1", moment), ledger)
    return ledger.had_effects


# What becomes a hint


def test_from_five_new_accounts_of_a_network_on_it_is_a_hint(table, drain_stream):
    people = newcomers(6)
    come_all(people[:4], drain_stream)
    assert not lines_of_hints()
    come_all(people[4:5], drain_stream)
    assert lines_of_hints() == [LINE]
    come_all(people[5:], drain_stream)
    assert lines_of_hints() == [LINE.replace("5", "6")]


def test_each_account_counts_once_and_each_network_for_itself(table, drain_stream):
    people = newcomers(4)
    for network in (NET, OTHER_NET, NET):
        come_all(people, drain_stream, network)
    come_all([person("else")], drain_stream, "192.0.2.0/24")
    assert not lines_of_hints()


def test_a_browser_that_new_accounts_share_is_no_hint(table, drain_stream):
    for one in newcomers(5):
        note(one, "", "laptop")
    drain_stream()
    assert not lines_of_hints()


def test_accounts_of_more_than_a_day_do_not_count(alice):
    note(alice, NET)
    assert not noted(alice, NEWCOMER + timedelta(seconds=1))
    assert noted(alice, NEWCOMER - timedelta(seconds=1))


def test_sign_ins_of_two_days_are_counted_apart(table):
    for number, one in enumerate(newcomers(5)):
        note(one, NET)
        moment = utc_now() - timedelta(days=number == 4)
        note_newcomers(Change("INSERT", None, origin_of(one), "1", moment), Ledger())
    assert not lines_of_hints()


def test_the_handler_of_places_run_twice_does_what_it_does_once(table, drain_stream):
    people = newcomers(5)
    drain_stream()
    for one in people:
        note(one, NET)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    assert lines_of_hints() == [LINE]


# What is kept of it


def items_of_the_hint() -> list[str]:
    held = everything().values()
    return [str(raw) for raw in held if raw["type"]["S"] in ("Hint", "SamePost")]


def test_its_items_hold_neither_the_network_nor_the_hash_of_the_origin(crowd):
    held = items_of_the_hint()
    assert len(held) == 6
    [hmac] = codes(crowd[0], OriginKind.NETWORK)
    for secret in ("203.0.113", hmac, hmac[:24], "origin"):
        assert not any(secret in one for one in held), secret


def test_the_search_leaves_nothing_of_erased_people(crowd):
    erased = [one.user_id for one in crowd]
    for raw in everything().values():
        if raw["type"]["S"] in ("Hint", "SamePost"):
            clear(raw, erased)
    assert not any(user_id in one for one in items_of_the_hint() for user_id in erased)


# What staff see and do


def test_it_stands_above_the_reports_for_those_who_may_see_origins(crowd, admins, mod, log_in):
    assert LINE in Html(admins.get(QUEUE)).one("ul", aria_labelledby="hints").text
    assert "This may be a wave" not in page_text(log_in(mod).get(QUEUE))


def test_others_see_the_hints_about_posts_alone(crowd, mod, log_in, drain_stream):
    all_post(crowd)
    drain_stream()
    shown = Html(log_in(mod).get(QUEUE)).one("ul", aria_labelledby="hints").text
    assert "posted the same text" in shown
    assert "network" not in shown


@pytest.mark.parametrize("missing", [Permission.ORIGINS, Permission.PEOPLE, Permission.CASES])
def test_without_one_of_the_three_permissions_it_can_neither_be_opened_nor_put_away(
    crowd, admin, log_in, missing
):
    three = {Permission.CASES, Permission.PEOPLE, Permission.ORIGINS}
    save_role(by=admin, name="most", title="Most", permissions=three - {missing})
    browser, before = log_in(person("hosty", role="most")), logged()
    for rest in ("look", "put-away"):
        assert browser.post(f"{hint_url()}/{rest}").status_code == 404
    assert logged() == before
    assert lines_of_hints() == [LINE]


def test_a_look_at_all_is_a_draft_about_them_that_begins_with_a_warning(crowd, admins):
    address = str(admins.post(f"{hint_url()}/look")["Location"])
    page = Html(admins.get(address))
    included = {box["value"] for box in page.all("input", name="include", checked="")}
    assert included == {f"person.{one.user_id}" for one in crowd}
    assert page.one("input", name="kind", checked="")["value"] == "warn"
    [entry] = logged()
    assert (entry.action, entry.detail) == ("look up network", {"found": 5})


def test_the_wave_of_a_hint_warns_them_and_puts_it_away(crowd, admins, drain_stream):
    address = str(admins.post(f"{hint_url()}/look")["Location"])
    start(admins, address, "warn")
    assert logged()[-1].detail["hint"].endswith("-place")  # and no hash
    drain_stream()
    assert "5 cases decided." in page_text(admins.get(address))
    assert not lines_of_hints()


def test_it_is_put_away_once_and_the_log_keeps_no_hash(crowd, admins):
    address = hint_url()
    for _ in range(2):
        assert admins.post(f"{address}/put-away").status_code == 302
    assert not lines_of_hints()
    assert "This may be a wave" not in page_text(admins.get(QUEUE))
    [entry] = logged()
    assert entry.action == "put hint away"
    assert entry.detail["hint"].endswith("-place")


def test_an_id_that_never_was_is_not_there(crowd, admins):
    day = f"{utc_now():%Y-%m-%d}"
    for hint_id in (f"{day}-place-0", f"{day}-PLACE-0", "x"):
        for rest in ("look", "put-away"):
            assert admins.post(f"/moderation/hints/{hint_id}/{rest}").status_code == 404
    assert not logged()
