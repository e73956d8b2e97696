"""Which texts meet a word rule: whole words whatever their case and width, links by their host."""

import pytest

from socialsite.site_settings.word_filters import Effect, Word, WordKind, matches


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
