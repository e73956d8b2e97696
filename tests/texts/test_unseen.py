"""Signs that nobody sees: taken out quietly as a text comes in, and never acting beyond the text they stand in."""

import pytest
from django.core.exceptions import ValidationError

from accounts.credentials.forms import EmailField
from accounts.models import UserInfo, UserSettings
from accounts.people.cards import PersonCard
from accounts.people.viewer import named
from accounts.permissions import list_roles
from feed.cards.reads import get_post
from feed.posts.models import Post
from feed.saved.reads import folder_of, folders_of
from socialsite.models import Role
from socialsite.table import change, create, fetch, ids, keys
from socialsite.texts.unseen import isolated
from socialsite.web.fields import PlainTextField
from socialsite.web.rich_text import beginning, rich_text
from tests.feed.polls.polling import ask
from tests.streams.crowd import returning
from tests.web.html import Html

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
