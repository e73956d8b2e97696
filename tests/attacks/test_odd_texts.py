"""Odd fields at the composer, and hosts in disguise."""

import itertools
import random
import re
from collections.abc import Iterator
from functools import partial
from html import unescape
from itertools import product

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import Browser

from photos.files import list_places
from photos.reads import list_album
from socialsite.hosts import is_within, normal_host
from socialsite.site_settings.word_filters import Effect, Word, WordKind, matches
from socialsite.table import ids
from socialsite.web.rich_text import rich_text
from tests.accounts.pictures import camera_jpeg
from tests.browser.conftest import browser_type_launch_args
from tests.faults.world import let_the_hour_pass
from tests.feed.scenes import ask, fields, photo, post_photos, press, texts_of, votes_of
from tests.injected.faults import share
from tests.looks import broken_invariants
from tests.together import together
from tests.web.html import Html

__all__ = ["browser_type_launch_args"]

FINE = {200, 302, 400, 404, 409, 413, 422, 429}
NAUGHTY = (
    "\x00",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    "\u202e" + "x" * 50,
    "a\u0300" * 400,
    "👩‍👩‍👧‍👦" * 200,
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "${7*7}{{7*7}}%s%n",
    "../../../etc/passwd",
    "\r\nSet-Cookie: a=b",
    "-1",
    "NaN",
    "1e400",
    "9" * 400,
    "²",
    "٣",
    "\ufeff",
    "\u2028\u2029",
    " ",
    "[]",
    '{"a": 1}',
    "𝟘",
    "İ",
    "#" * 1000,
    "@" * 1000,
    "u#x#post",
)
NAMES = (
    "content",
    "warning",
    "language",
    "audience",
    "replies",
    "nonce",
    "photo",
    "description",
    "poll_options",
    "poll_several",
    "poll_ends",
    "poll_change",
    "poll_early",
    "publish_at",
    "zone",
    "expires_in",
    "draft",
    "version",
    "writer",
    "scheduled",
    "continues",
    "2-content",
    "2-warning",
    "3-content",
    "11-content",
)
ADDRESSES = ("/posts", "/drafts")


@pytest.fixture
def stranger(bob, log_in) -> Client:
    browser = log_in(bob)
    browser.raise_request_exception = False
    return browser


@pytest.mark.parametrize("name", NAMES)
def test_no_field_is_a_fault_of_the_site(stranger, name):
    bad = []
    tries = itertools.product(ADDRESSES, NAUGHTY)
    for address, value in share(tries, one_of=8, salt=f"composer {name}"):
        let_the_hour_pass()
        answer = stranger.post(address, fields("Hello") | {name: [value, value]})
        if answer.status_code not in FINE:
            bad.append((address, value[:20], answer.status_code))
    assert not bad


def test_what_cannot_be_read_in_a_further_post_of_a_draft_is_told_and_kept(stranger, bob):
    for text in ("\x00", "x" * 20_000):
        answer = stranger.post("/drafts", fields("One") | {"2-content": text})
        assert answer.status_code == 422
        assert Html(answer).value("content") == "One"
    assert texts_of(bob) == []


@pytest.mark.parametrize("name", ["photo", "2-photo"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_photo_of_another_person_is_in_no_form_a_way_to_it(alice, bob, stranger, address, name):
    theirs, shown = photo(alice), photo(alice)
    post_photos(alice, shown)
    for photo_id in (theirs, shown):
        given = fields("Mine") | {"2-content": "Two", name: photo_id, "description": "Mine"}
        answer = stranger.post(address, given)
        assert answer.status_code in FINE
        stranger.post(f"/photos/{photo_id}/description", {"description": "Mine"})
        stranger.post(f"/photos/{photo_id}/delete")
        for page in ("/photos", "/drafts", "/@bob/media"):
            assert photo_id not in stranger.get(page).content.decode()
    theirs_now = {one.photo_id: (one.alt, bool(one.post_id)) for one in list_album(alice).items}
    assert theirs_now == {theirs: (None, False), shown: (None, True)}


def test_an_upload_that_is_cut_in_the_middle_leaves_no_file_and_the_next_one_works(bob, stranger):
    whole, photo_id = camera_jpeg(), ids.new_id()
    for length in (0, 1, 100, len(whole) // 2):
        file = SimpleUploadedFile("me.jpg", whole[:length])
        assert stranger.post("/photos", {"photo": file, "photo_id": photo_id}).status_code == 422
    assert list(list_places(bob.user_id)) == []
    file = SimpleUploadedFile("me.jpg", whole)
    assert stranger.post("/photos", {"photo": file, "photo_id": photo_id}).status_code == 302


def test_votes_that_are_cast_at_once_are_one(alice, bob, log_in, drain_stream):
    post_id = ask(alice)
    browsers = [log_in(bob) for _ in range(4)]
    together(*(partial(press, one, post_id, n % 3) for n, one in enumerate(browsers)))
    drain_stream()
    assert len(votes_of(post_id)) == 1
    assert broken_invariants() == {}


@pytest.mark.parametrize("choices", [["9"], ["-1"], ["x"], ["0", "1"], ["²"], [""], ["0"] * 70])
def test_a_vote_that_no_poll_takes_is_refused_with_a_sentence(alice, stranger, choices):
    post_id = ask(alice)
    answer = press(stranger, post_id, *choices)
    assert answer.status_code in {302, 400, 422}
    assert [one.choices for one in votes_of(post_id)] in ([], ["0"])


EVIL = "evil.example"
RULE = Word("1", WordKind.LINK, EVIL, Effect.HOLD)

SCHEMES = ["https://", "http://", "HTTPS://", "https:\\\\", "https:/", "https:", "//"]
USERS = [
    "",
    "good.example@",
    "good.example:443@",
    "a" * 60 + "@",
    "good.example%2f@",
    "%40@",
    "x@y@",
]
DOTS = [".", "%2e", "%2E", "．", "。", "｡", "%EF%BC%8E", "%E3%80%82", "\u200b.", ".\u00ad"]
LETTERS = [
    str,
    str.upper,
    lambda letter: f"%{ord(letter):02x}",
    lambda letter: chr(ord(letter) + 0xFEE0),  # full width
    lambda letter: chr(ord(letter) - ord("a") + 0x24D0),  # in a circle
    lambda letter: chr(ord(letter) - ord("a") + 0x1D41A),  # mathematical bold
    lambda letter: letter + "\u00ad",
    lambda letter: letter + "\u200b",
    lambda letter: letter + "\u2060",
    lambda letter: letter + "\ufe0f",
    lambda letter: letter + "\U000e0101",
    lambda letter: letter + "\u180b",
    lambda letter: letter + "\u034f",
    lambda letter: letter + "\U0001bca0",
    lambda letter: letter + "\u115f",
]
TAILS = ["", "/", "/path?a=b#c", ":8080/", "./", ".", "?x", "#x", "\\path", "%2e/", "。"]
AROUND = ["{}", "看{}，很好", "（{}）", "🎰 {} 🎰", "({}).", "“{}”", "see {}!", "x\n{}\ny"]

WHERE = """addresses => addresses.map((address) => {
  try { return new URL(address, "https://here.example").hostname; } catch { return ""; }
})"""


def disguises() -> Iterator[str]:
    """Addresses of the host: each part in each way, and many mixtures."""
    rng = random.Random(17)
    for scheme, user, tail in product(SCHEMES, USERS, TAILS):
        yield f"{scheme}{user}{EVIL}{tail}"
    for dot in DOTS:
        for write in LETTERS:
            yield "https://" + dot.join("".join(map(write, label)) for label in EVIL.split("."))
    for _ in range(4_000):
        labels = [
            "".join(rng.choice(LETTERS)(letter) for letter in label) for label in EVIL.split(".")
        ]
        below = rng.choice(["", "www.", "shop.", "a%2eb."])
        host = below + rng.choice(DOTS).join(labels)
        yield rng.choice(SCHEMES) + rng.choice(USERS) + host + rng.choice(TAILS)


def linked(text: str) -> list[str]:
    """The addresses that a text links. Tags and mentions lead into the site."""
    hrefs = re.findall(r'<a href="([^"]+)"', rich_text(text))
    return [unescape(href) for href in hrefs if not re.match("/(tags/|@)", href)]


@pytest.fixture(scope="module")
def where(browser: Browser):
    """Where addresses lead, as Chromium reads them."""
    page = browser.new_page()
    yield lambda addresses: page.evaluate(WHERE, addresses)
    page.close()


def around_it(address: str) -> list[str]:
    """What stands around an address: two of eight each time, and all with `FAULTS=long`."""
    return share(AROUND, one_of=4, salt=address)


def test_no_disguise_of_a_host_passes_its_rule(where):
    addresses = list(dict.fromkeys(disguises()))
    hosts = where(addresses)
    leading = [one for one, host in zip(addresses, hosts, strict=True) if is_within(host, EVIL)]
    passed = [
        text
        for address in leading
        for text in (around.format(address) for around in around_it(address))
        if not matches(text, [RULE])
    ]
    print(f"\n{len(addresses)} addresses, {len(leading)} lead there, {len(passed)} pass the rule")
    assert len(leading) > 2_000
    assert not passed


def test_a_link_leads_to_the_host_that_it_shows(where):
    hosts = [
        EVIL,
        "bücher.example",
        "例え.example",
        "straße.example",
        "ｅｖｉｌ.example",
        "BIG.example",
    ]
    written = [f"{scheme}{host}{tail}" for scheme in SCHEMES for host in hosts for tail in TAILS]
    texts = [around.format(one) for one in [*disguises(), *written] for around in AROUND]
    hrefs = list(dict.fromkeys(href for text in texts for href in linked(text)))
    shown = [re.split(r"[/?#:]", href.split("://")[1])[0] for href in hrefs]
    elsewhere = [
        (href, host)
        for href, name, host in zip(hrefs, shown, where(hrefs), strict=True)
        if "@" in name or normal_host(name) != host.strip(".")
    ]
    print(f"\n{len(texts)} texts, {len(hrefs)} addresses linked, {len(elsewhere)} lead elsewhere")
    assert len(hrefs) > 50
    assert not elsewhere
