"""Texts of many scripts: links, shortening, and signs that nobody sees."""

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.template import Context, Template

from accounts.credentials.forms import EmailField
from accounts.models import UserInfo, UserSettings
from accounts.people.cards import PersonCard
from accounts.people.viewer import named
from accounts.permissions import list_roles
from feed.cards.reads import get_post
from feed.posts.models import Post
from feed.saved.reads import folder_of, folders_of
from socialsite import texts
from socialsite.models import Role
from socialsite.table import change, create, fetch, ids, keys
from socialsite.texts import (
    GLUED,
    find,
    initial,
    isolated,
    linked_hosts,
    mentioned_handles,
    shortened,
    shortened_to_bytes,
    tags_in,
    without_links,
)
from socialsite.web.fields import PlainTextField
from socialsite.web.rich_text import beginning, rich_text
from tests.feed.scenes import ask
from tests.streams.crowd import returning
from tests.web.html import Html

# Where a link, a mention and a tag begin and end, in texts of many scripts and among all that stands beside them.
#
# The cases are of the kinds that other sites agree on. `DIFFERENT` are those in which this one does otherwise,
# and why.


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


# Texts that are shortened for lists: no character is cut in two, and no direction mark reaches beyond them.

FAMILY, FLAG = "👩‍👩‍👧", "🇩🇪"


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("one two", 7, "one two"),
        ("one two", 5, "one…"),
        (FAMILY * 5, 3, FAMILY * 2 + "…"),
        (FLAG * 5, 3, FLAG * 2 + "…"),
        ("\u2067אבגד\u2069 x", 4, "אב…"),
        ("a\u2069b", 9, "ab"),
        ("a\nb", 9, "a\nb"),
        ("", 9, ""),
    ],
)  # fmt: skip
def test_what_is_left_of_a_text(text, most, kept):
    assert shortened(text, most) == kept


@pytest.mark.parametrize(
    ("text", "most", "kept"),
    [
        ("abc", 3, "abc"),
        ("abcdef", 5, "ab…"),
        (FLAG * 5, 20, FLAG * 2 + "…"),
        ("\u2067אבגד\u2069", 10, "אב…"),
        ("abc", 0, "…"),
    ],
)  # fmt: skip
def test_what_is_left_in_so_many_bytes(text, most, kept):
    assert shortened_to_bytes(text, most) == kept


@pytest.mark.parametrize(
    ("name", "letter"),
    [("Alice", "A"), (f"{FLAG} Bob", FLAG), ("\u2067נור\u2069", "נ"), ("é", "é"), ("", "")],
)
def test_the_initial_of_a_name_is_what_is_seen_of_it_first(name, letter):
    assert initial(name) == letter


def test_the_text_of_html_is_not_cut_inside_a_sign():
    template = Template("{% load site %}{{ html|plain_text|shortened:4 }}")
    assert template.render(Context({"html": "<p>a &amp; b</p>"})) == "a &amp;…"
    assert template.render(Context({"html": "<p>a&lt;b</p>"})) == "a&lt;b"


# Signs that nobody sees: taken out quietly as a text comes in, and never acting beyond the text they stand in.

PHONE = "+49 30 1234"


def line(text: str) -> str:
    return PlainTextField(max_characters=80, required=False).clean(text)


def lines(text: str) -> str:
    return PlainTextField(max_characters=500, multiline=True, required=False).clean(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"\u202a{PHONE}\u202c", PHONE),
        (f"\u2066{PHONE}\u2069", PHONE),
        ("\u200eBob\u200f", "Bob"),
        ("Title\x0bSubtitle", "Title Subtitle"),
        ("a\tb\u2028c", "a b c"),
        ("bell \x07 rings\x9f", "bell  rings"),
        ("turned \u202egpj.exe", "turned gpj.exe"),
        ("\ufeffBob", "Bob"),
        ("\u202e\u200e\x07", ""),
    ],
)
def test_what_copies_bring_is_taken_out_of_a_line(text, kept):
    assert line(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Title\x0bSubtitle\x0cPage", "Title\nSubtitle\nPage"),
        ("a\tb", "a\tb"),
        (f"call \u202a{PHONE}\u202c\nnow", f"call {PHONE}\nnow"),
    ],
)
def test_breaks_of_slides_are_lines_of_a_text(text, kept):
    assert lines(text) == kept


@pytest.mark.parametrize(
    "text",
    ["می‌خواهم", "ශ්‍රී", "👩‍👩‍👧", "❤️", "葛\U000e0100", "🏴\U000e0067\U000e007f", "ไทย\u200bไทย", "so\u00adft"],
)  # fmt: skip
def test_what_scripts_and_emoji_need_stays(text):
    assert line(text) == lines(text) == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"התקשר \u202a{PHONE}\u202c", f"התקשר \u2066{PHONE}\u2069"),
        (f"اتصل \u2066{PHONE}\u2069", f"اتصل \u2066{PHONE}\u2069"),
        ("שלום C++\u200e", "שלום C++\u200e"),
        ("שלום \u202eabc\u202c", "שלום abc"),
        ("שלום\u2069 \u2067a", "שלום a"),
    ],
)
def test_marks_that_order_a_text_from_right_to_left_stay_if_they_end(text, kept):
    assert line(text) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Bob\u2069 \u2067x", "Bob x"),
        ("\u2068Bob\u2069", "\u2068Bob\u2069"),
        ("\u2066a\u2067b\u2069", "a\u2067b\u2069"),
        ("a\u2066\nb\u2069", "a\nb"),
        ("\u202bBob\u202c\u202e", "\u2067Bob\u2069"),
    ],
)  # fmt: skip
def test_no_mark_acts_on_what_follows_its_text(text, kept):
    assert isolated(text) == kept
    assert rich_text(text) == kept


def test_the_beginning_of_a_text_ends_what_it_begins():
    assert beginning("\u2067" + "אב " * 200 + "\u2069", 20) == "אב " * 5 + "אב…"


def test_an_older_name_keeps_to_its_element_and_to_the_title(alice, bob, log_in):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.name.set("Bob\u2069 \u202eevil\u2067")])
    raw = fetch([keys.user_info(bob.user_id)])[keys.user_info(bob.user_id)]
    assert PersonCard.from_raw(raw).name == "Bob evil"
    page = log_in(alice).get("/@bob").content.decode()
    assert "Bob evil" in Html(log_in(alice).get("/@bob")).one("title").text
    assert not set(page) & set("\u202e\u2067\u2069")


def test_an_older_warning_and_an_older_answer_do_too(alice, bob):
    turned = "\u202ea\u2067"
    post_id = ask(bob, (turned, "Tea"))
    change(Post, keys.post(bob.user_id, post_id), [Post.warning.set(turned)])
    card = get_post(post_id, bob.user_id, viewer=alice)
    assert (card.warning, [one.text for one in card.poll.choices]) == ("a", ["a", "Tea"])


def test_an_older_name_of_a_circle_a_folder_or_a_role_does_too(alice):
    turned = "\u202ea\u2067"
    key, names = keys.user_settings(alice.user_id), {ids.new_id(): turned}
    change(UserSettings, key, [UserSettings.circles.set(names), UserSettings.folders.set(names)])
    create(Role.new(name="turned", title=turned, permissions={"see_costs"}))
    alice = returning(alice)
    assert [one.name for one in alice.circles] == ["a"]
    assert [one.name for one in named((), [turned])] == ["a"]  # from before there were ids
    (folder,) = folders_of(alice)
    assert folder.name == "a"
    assert folder_of(alice, folder.folder_id) == folder
    assert list_roles()[-1].title == "a"


def test_an_address_from_contacts_is_taken():
    assert EmailField().clean("\u202abob@example.org\u202c") == "bob@example.org"


@pytest.mark.parametrize(
    "text",
    [
        "ཧྐྵྨླྺྼྻྂ",  # the seed syllable of Kalachakra
        "བསྒྲུབས་",
        "अ॒ग्निमी॑ळे॒ क\u0951\u0952\u1cda\u1cd0\u0902",
        "שּׁ֖\u05bd",
        "ကြွှို့",
        "e\u0301\u0302\u0303\u0304",
    ],
)
def test_scripts_that_stack_letters_may(text):
    assert lines(text)


@pytest.mark.parametrize("mark", ["\u0301", "\u0e47", "\u0489", "\u0fb5", "\u0f72", "\u0f71\u0f72"])
def test_towers_of_marks_are_refused(mark):
    with pytest.raises(ValidationError, match="too many accents"):
        lines("ཀ" + mark * 6)


def test_hostile_marks_take_no_time():
    text = ("\u2066" * 9 + "\u202e\u0301") * 10_000
    assert isolated(text) == "\u0301" * 10_000
