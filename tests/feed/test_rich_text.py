"""What people wrote, as HTML: escaped, web addresses and mentions linked, nothing else."""

import time
from html.parser import HTMLParser
from math import inf

import pytest

from socialsite.texts.found import mentioned_handles
from socialsite.web.rich_text import rich_text
from tests.web.naughty import STRINGS

ALLOWED = {"href", "rel"}


class Checker(HTMLParser):
    """Every tag with its attributes, and the text as a browser shows it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def links(text: str) -> list[str | None]:
    return [attributes["href"] for _, attributes in Checker(rich_text(text)).tags]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("a < b > c & d", "a &lt; b &gt; c &amp; d"),
        ("\"quoted\" 'text'", "&quot;quoted&quot; &#x27;text&#x27;"),
        ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
        ("", ""),
        ("two\nlines", "two\nlines"),
    ],
)
def test_text_is_escaped(text, html):
    assert rich_text(text) == html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://example.org", ["https://example.org"]),
        ("see http://example.org/a?b=c&d=e#f.", ["http://example.org/a?b=c&d=e#f"]),
        ("(https://example.org/a)", ["https://example.org/a"]),
        ("https://example.org/ä/陈", ["https://example.org/ä/陈"]),
        ("https://a.example and https://b.example!", ["https://a.example", "https://b.example"]),
        ("https://example.org。", ["https://example.org"]),
        ("https://en.wikipedia.org/wiki/A_(letter)", ["https://en.wikipedia.org/wiki/A_(letter)"]),
        ("(https://en.wikipedia.org/wiki/A)", ["https://en.wikipedia.org/wiki/A"]),
        ("https://a.example/@bob", ["https://a.example/@bob"]),
        ("javascript:alert(1) data:text/html,x ftp://example.org", []),
        ("//example.org", []),
        ("https://good.example@evil.example/", []),
        ("https://good.example:pw@evil.example/ x", []),
        ("https://evil%2eexample/", []),
        ("https://good.example\\@evil.example", []),
        ("https://localhost:8000/ http://router/", []),
        ("http://127.0.0.1/ http://0x7f.1/ http://2130706433/ http://10.0.0.12:80", []),
        ("https://-/ https://a..example/", []),
        ("看https://example.org，很好", ["https://example.org"]),
        ("（https://example.org/a）", ["https://example.org/a"]),
        ("“https://example.org/a”！", ["https://example.org/a"]),
        (
            "去https://example.org/a、https://example.com；",
            ["https://example.org/a", "https://example.com"],
        ),
        ("打开https://example.org看看", ["https://example.org"]),
        ("https://例え.example/", ["https://例え.example/"]),
        ("https:// example", []),
    ],
)
def test_web_addresses_are_linked(text, expected):
    assert links(text) == expected
    shown = text
    for address in expected:
        shown = shown.replace(address, address.split("://")[1])  # links go without their scheme
    assert Checker(rich_text(text)).text == shown


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see www.example.org.", ["https://www.example.org"]),
        ("Www.example.org/a?b#c", ["https://Www.example.org/a?b#c"]),
        ("去www.example.org看看", ["https://www.example.org"]),
        ("去 www.example.org。", ["https://www.example.org"]),
        ("(www.example.org)", ["https://www.example.org"]),
        ("me@www.example.org /www.example.org xwww.example.org www.www", ["https://www.www"]),
        ("www.example", ["https://www.example"]),
        ("www. www.. www.a www.1", []),
        ("www.good.example@evil.example", []),
    ],
)
def test_an_address_without_its_scheme_is_linked(text, expected):
    assert links(text) == expected
    assert Checker(rich_text(text)).text == text


@pytest.mark.parametrize("text", ["https://...", "https://!!!", "http://)))", "https://,,,;"])
def test_what_holds_no_address_is_no_link(text):
    assert links(text) == []
    assert Checker(rich_text(text)).text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello @alice!", ["/@alice"]),
        ("@Alice_1, @bob", ["/@alice_1", "/@bob"]),
        ("(@alice)", ["/@alice"]),
        ("陈@alice", ["/@alice"]),
        ("mail alice@example.org", []),
        ("@alice@elsewhere.example", []),
        ("@ab and @" + "a" * 31, []),
        ("@аlice with a Cyrillic а", []),
        ("@@alice", []),
        ("a/@alice", []),
    ],
)
def test_mentions_are_linked(text, expected):
    assert links(text) == expected
    assert Checker(rich_text(text)).text == text


def test_only_people_who_were_found_are_linked():
    text = "@alice, @Bob and @nobody"
    html = Checker(rich_text(text, {"alice": "A", "bob": "B"}))
    assert [attributes["href"] for _, attributes in html.tags] == ["/@alice?id=A", "/@bob?id=B"]
    assert html.text == text
    assert not Checker(rich_text(text, {})).tags


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@alice @Bob @ALICE", ["alice", "bob"]),
        ("https://a.example/@carol and a@bob.example", []),
        ("nobody", []),
    ],
)
def test_handles_are_mentioned_where_they_would_be_linked(text, expected):
    assert mentioned_handles(text) == expected


@pytest.mark.parametrize(
    "address",
    [
        "https://" + "paypal.example.com-login." * 3 + "evil.example/" + "a" * 60,
        "https://" + "a" * 60 + ".evil.example",
        "https://" + "a" * 30 + ".evil.example:8080?x=" + "y" * 80,
    ],
)
def test_a_long_host_always_shows_whose_it_is(address):
    shown = Checker(rich_text(address)).text
    assert "evil.example" in shown
    assert len(shown) <= 40


def test_a_long_address_is_shown_short_and_linked_whole():
    address = "https://example.org/" + "a" * 200
    html = Checker(rich_text(address))
    assert html.tags[0][1]["href"] == address
    assert len(html.text) <= 40
    assert html.text.endswith("…")


def test_links_to_elsewhere_give_nothing_away():
    ((_, attributes),) = Checker(rich_text("https://example.org/")).tags
    assert set(str(attributes["rel"]).split()) == {"nofollow", "noopener", "ugc"}


@pytest.mark.parametrize("text", STRINGS, ids=range(len(STRINGS)))
def test_nobody_gets_html_of_their_own_through(text):
    for wrapped in (text, f"https://example.org/{text}", f"@alice{text}@bob"):
        for tag, attributes in Checker(rich_text(wrapped)).tags:
            assert tag == "a"
            assert set(attributes) <= ALLOWED
            assert str(attributes["href"]).startswith(("https://", "http://", "/@"))


@pytest.mark.parametrize(
    "unit",
    ["@", "@a", "@abc", "@abc@", "a@", "https://", "http", "https://a", "h", ":/", ".", "()", "<", "&",
     "https://aaa ", "_" * 31 + "@", "https://x" + "." * 20, "www.", "www.a", "www.a.a 陈", "，",
     "https://" + "a." * 200, "https://a.bc/(", "https://a.bc/)", "https://a.bc:1", "https://a.bc/陈", "rt@abc",
     "#a/", "#a·", "#\u0301", "/#", "//@abc", "陈@abc.d", "https://" + "😀" * 300, "https://a" + "\u0301" * 300],
)  # fmt: skip
def test_hostile_text_takes_time_in_step_with_its_length(unit):
    def quickest_of_three(size: int, *, enough: float = 0.0) -> float:
        """Seconds. The first try that is quick enough is the last one."""
        text = (unit * (size // len(unit) + 1))[:size]
        quickest = inf
        for _ in range(3):
            start = time.process_time()
            rich_text(text)
            quickest = min(quickest, time.process_time() - start)
            if quickest < enough:
                break
        return quickest

    whole = quickest_of_three(100_000, enough=0.25)
    assert whole < 0.5
    assert whole < 0.25 or whole < 25 * quickest_of_three(10_000)
