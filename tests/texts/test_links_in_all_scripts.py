"""Where a link, a mention and a tag begin and end, in texts of many scripts and among all that stands beside them.

The cases are of the kinds that other sites agree on. `DIFFERENT` are those in which this one does otherwise, and why.
"""

import pytest
from django.conf import settings

from socialsite.texts import found as texts
from socialsite.texts.found import (
    GLUED,
    find,
    linked_hosts,
    mentioned_handles,
    tags_in,
    without_links,
)
from socialsite.web.rich_text import rich_text


def found_in(text: str) -> list[str]:
    return [text[one.start : one.end] for one in find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("の@username に", ["@username"]),
        ("の@usernameに到着を待っている", ["@username"]),
        ("看@alice吧，还有@bob。", ["@alice", "@bob"]),
        ("안녕 @alice님, @bob에게", ["@alice", "@bob"]),
        ("ถึง@aliceครับ ភ្ញៀវ@bobទៅ", ["@alice", "@bob"]),
        ("＠alice ＠Bob", ["＠alice", "＠Bob"]),
        (".@alice look, /@bob too", ["@alice", "@bob"]),
        ("转发//@alice:好//@bob:是", ["@alice", "@bob"]),
        ("@alice/@bob @alice,@bob @alice.@bob", ["@alice", "@bob"] * 3),
        (
            "(@alice) “@bob” «@carol» -@dave- ¿@erin?",
            ["@alice", "@bob", "@carol", "@dave", "@erin"],
        ),
        ("😀@alice ❤️@bob 1️⃣@carol", ["@alice", "@bob", "@carol"]),
        ("RT@alice rt:@bob Rt @carol art@dave", ["@alice", "@bob", "@carol"]),
        ("\u2066@alice\u2069 \u200e@bob\u200e", ["@alice", "@bob"]),
        ("@aliceìnheiro @alice\u0301 @bobу", []),
        ("é@alice हिन्दी@bob ж@carol", []),
        ("me@alice.example 陈@alice.example मैं@alice.example", []),
        ("example.org/@alice toot.example/@bob a/@carol", []),
        ("@alice@elsewhere.example @@alice @alice@", []),
        ("@http://example.org @https://example.org", []),
    ],
)
def test_mentions(text, found):
    assert found_in(text) == found
    assert mentioned_handles(text) == list(dict.fromkeys(one[1:].lower() for one in found))


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("✌#a ✌️#b ✌\ufe0e#c ✌🏿️#d 👨‍👩‍👧#e 1️⃣#f", ["a", "b", "c", "d", "e", "f"]),
        ("#〇〇 #FFⅦ #Ⅷ世", ["〇〇", "ffvii", "viii世"]),
        ("#CO₂ #m²", ["co2", "m2"]),
        ("#Linux/#BSD a/#no", ["linux", "bsd"]),
        ("#می‌خواهم #أي‌بي‌إم", ["می‌خواهم", "أي‌بي‌إم"]),
        ("#ශ්‍රීලංකා #র‍্যাব", ["ශ්‍රීලංකා", "র‍্যাব"]),
        ("#ca\u200dts #ca\u200cts #ca\u2060ts #cats\ufe0f", ["cats", "ca"]),
        ("#葛\U000e0100城 #葛城", ["葛城"]),
        ("#עַל־יְדֵי #וכו׳ #מ״כ", ["עַל־יְדֵי", "וכו׳", "מ״כ"]),
        ("#བོད་སྐད་ #བོད་སྐད", ["བོད་སྐད"]),
        ("#il·lusió #列夫·托尔斯泰 #a· b", ["il·lusió", "列夫·托尔斯泰", "a"]),
        ("#メ～テレ #メ〜テレ #テレ～", ["メ〜テレ", "テレ"]),
        ("#ﾊﾟﾋﾟ #は゛", ["パピ", "ば"]),
        ("#アイ・ウエ #猫・#犬", ["アイ・ウエ", "猫", "犬"]),
        ("#各〃 #〃", ["各〃"]),
        ("サッカー#猫 กำ#แมว 안녕#고양이", ["猫", "แมว", "고양이"]),
        ("#猫#https://example.org", ["猫"]),
        ("#️⃣ #\u0301 #\u3164 #http://example.org #https://example.org", []),
        ("&#x27; example.org?a=#b no#tag é#tag", []),
    ],
)
def test_tags(text, tags):
    assert tags_in(text) == tags


HOST = "https://example.org"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("HTTPS://example.org Https://example.org/A", ["HTTPS://example.org", "Https://example.org/A"]),
        ("WWW.example.org wWw.example.org", ["WWW.example.org", "wWw.example.org"]),
        (f"{HOST}/wiki/Schindler's_List", [f"{HOST}/wiki/Schindler's_List"]),
        (f"{HOST}/wiki/L’Équipe ‘{HOST}/a’", [f"{HOST}/wiki/L’Équipe", f"{HOST}/a"]),
        (f"'{HOST}/a' **{HOST}/b** ||{HOST}/c||", [f"{HOST}/a", f"{HOST}/b", f"{HOST}/c"]),
        (f"{HOST}/x?a[0] {HOST}/x_(y).", [f"{HOST}/x?a[0]", f"{HOST}/x_(y)"]),
        (f"({HOST}/c/)for [{HOST}/a](b) {{{HOST}}}", [f"{HOST}/c/", f"{HOST}/a", HOST]),
        (f"{HOST}/Hatfield–McCoy {HOST}/a–", [f"{HOST}/Hatfield–McCoy", f"{HOST}/a"]),
        (f"{HOST}😀 {HOST}/a❤️ {HOST}→ {HOST}/a™", [HOST, f"{HOST}/a", HOST, f"{HOST}/a"]),
        ("https://例え.jp😀 http://✪df.example/a", ["https://例え.jp", "http://✪df.example/a"]),
        (f"{HOST}\u200b {HOST}/a\u200e {HOST}/a\u2069b", [HOST, f"{HOST}/a", f"{HOST}/a"]),
        (f"\u2066\u202a{HOST}/\u202c\u2069", [f"{HOST}/"]),
        (f"打开{HOST}看看 {HOST}/看看 {HOST}/a看看", [HOST, f"{HOST}/", f"{HOST}/a"]),
        (f"{HOST}를 {HOST}/path에서 {HOST}นะ", [HOST, f"{HOST}/path", HOST]),
        (f"{HOST}привет {HOST}مرحبا", [HOST, HOST]),
        (f"{HOST}/wiki/北京 {HOST}/wiki/서울", [f"{HOST}/wiki/北京", f"{HOST}/wiki/서울"]),
        (f"{HOST}/Русские_слова {HOST}/می‌خواهم", [f"{HOST}/Русские_слова", f"{HOST}/می‌خواهم"]),
        (f"{HOST}/क्या। {HOST}/a؟ {HOST}/b፡ {HOST}/c。", [f"{HOST}/क्या", *(f"{HOST}/{one}" for one in "abc")]),
        ("http://foobar.みんな/ http://foobar.پاکستان/", ["http://foobar.みんな/", "http://foobar.پاکستان/"]),
        ("http://a_b.c-d.com http://a.b.cd", ["http://a_b.c-d.com", "http://a.b.cd"]),
        ("https://हिन्दी.भारत/ https://ไทย.ไทย", ["https://हिन्दी.भारत/", "https://ไทย.ไทย"]),
        (f"{HOST}./a {HOST}. {HOST}:8080/a {HOST}: a", [f"{HOST}./a", HOST, f"{HOST}:8080/a", HOST]),
        (f"{HOST}/" + "a" * 900, [f"{HOST}/" + "a" * 900]),
        ("http://-a.example http://a-.example http://a_.example.org http://_a.example.org", []),
        ("http://a_b.example.c_m http://a_b.example http://a.b-c http://xn--あ.example", []),
        (f"@{HOST} #{HOST} ${HOST}", []),
    ],
)  # fmt: skip
def test_addresses(text, found):
    assert found_in(text) == found


DIFFERENT = [
    # No scheme and no `www.`: too often a file, a version or two sentences without a blank.
    ("example.org it.so ELPAÍS.example", []),
    # Only a shortener's own site knows which ends its addresses cannot have.
    ("http://t.co/pbY2NfTZ's http://t.co/FNkPfmii-", ["http://t.co/pbY2NfTZ's", "http://t.co/FNkPfmii-"]),
    # Chinese and Japanese have no blanks before a tag, and seasons are tags.
    ("我喜欢#猫 #2025_26", ["#猫", "#2025_26"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), DIFFERENT)
def test_what_this_site_does_otherwise(text, found):
    assert found_in(text) == found


def test_a_link_keeps_what_was_typed_but_for_its_scheme():
    assert rich_text("HTTPS://Example.org/A's") == (
        '<a href="https://Example.org/A&#x27;s" rel="nofollow noopener ugc">Example.org/A&#x27;s</a>'
    )
    assert rich_text("＠Alice") == '<a href="/@alice">＠Alice</a>'


def test_hosts_are_those_of_links():
    text = f"{HOST}看 WWW.Example.com/a😀 http://a@evil.example"
    assert linked_hosts(text) == ["example.org", "www.example.com"]


def test_a_text_without_its_links():
    assert without_links(f"hi @bob, see {HOST}/a! #cats") == "hi  , see  ! #cats"


def test_the_suggestions_while_one_types_know_the_same_letters():
    script = (settings.BASE_DIR / "static/js/complete.js").read_text()
    for letters in (texts.LETTER, texts.INNER, GLUED.replace(r"\p{", r"\p{sc=")):
        assert letters in script
