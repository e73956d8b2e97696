"""A host that a link rule names, written in every way that a browser still reads as that host.

Chromium itself says where each address leads. An address that leads to the host, linked or only there to be copied,
must meet the rule; and a link must lead where it seems to. Run with `-s` to see the counts.
"""

import random
import re
from collections.abc import Iterator
from html import unescape
from itertools import product

import pytest
from playwright.sync_api import Browser

from socialsite.hosts import is_within, normal_host
from socialsite.site_settings.word_filters import Effect, Word, WordKind, matches
from socialsite.web.rich_text import rich_text
from tests.browser.conftest import browser_type_launch_args
from tests.injected.rotation import share

__all__ = ["browser_type_launch_args"]

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
