"""What a card's template puts in its place is escaped before: nothing else leaves `strings_of`."""

from html import unescape

import pytest
from django.template import Context, Engine
from django.template.base import VariableNode
from django.utils import translation
from django.utils.safestring import SafeString

from accounts.people.viewer import VISITOR
from feed.cards.ready_strings import in_runs, is_rare, strings_of
from feed.cards.words import likes_word, words_of
from tests.feed.cards.shown import ALICE, HOSTILE, NOW, STATES, VIEWERS, card, card_in, person
from tests.feed.expiring import clock_at

PARTS = ["_post", "_post_text", "_like_button", "_repost_button", "_reply_button"]
MENU = {"menu"}  # what a template drew
OF_OTHERS = ("card.", "person.", "size|")  # of what few cards show, and of `_avatar.html`


def strings(card, viewer=VISITOR):
    return strings_of(card, "en", viewer)


@pytest.mark.parametrize("state", STATES)
def test_only_strings_that_are_ready_for_html_leave(state):
    with clock_at(NOW):
        for viewer in VIEWERS.values():
            found = strings(card_in(state, viewer=viewer), viewer)
            face = found.pop("person")
            assert {type(one) for one in [*found.values(), *face.values()]} == {SafeString}
            assert "<svg" not in "".join([*found.values(), *face.values()])


def test_hostile_text_is_escaped_once():
    found = strings(card(person("eve", name=HOSTILE), lang='"><b>', warning=HOSTILE))
    assert unescape(found["name"]) == HOSTILE
    assert not set("<>\"'") & set(found["name"] + found["lang"])


def test_html_of_the_text_stays_html_and_a_text_that_claims_none_is_escaped():
    assert strings(card())["html"] == "It <b>rains</b> &amp; pours"
    assert strings(card(html="<b>"))["html"] == "&lt;b&gt;"


@pytest.mark.parametrize("name", PARTS)
def test_what_every_card_shows_is_among_the_ready_strings(name):
    template = Engine.get_default().get_template(f"feed/{name}.html")
    shown = {
        str(node.filter_expression) for node in template.nodelist.get_nodes_by_type(VariableNode)
    }
    flat = {one for one in shown if not one.startswith(OF_OTHERS)}
    assert flat
    assert flat <= strings(card()).keys() | MENU


def test_a_run_fills_in_what_django_would_and_leaves_the_rest_to_it():
    source = "100% {{ name }}{% if shown %} of {{ name }}{% endif %}, {{ card.name }}{% if not shown %}-{% endif %}"
    template = Engine.get_default().from_string(source)
    with (context := Context({"card": {"name": "<i>"}})).push(
        {"name": SafeString("<b>%s</b>"), "shown": True}
    ):
        wanted = "100% <b>%s</b> of <b>%s</b>, &lt;i&gt;"
        assert in_runs(template).render(context) == template.render(context) == wanted


def test_addresses_to_sign_in_are_for_visitors():
    assert strings(card())["sign_in_url"].startswith("/login?next=/%40alice/posts/")
    assert strings(card(), VIEWERS["bob"])["sign_in_url"] == ""


def test_words_follow_number_and_language():
    with translation.override("de"):
        german = [likes_word(number, "de") for number in (0, 1, 2)]
        assert words_of("de")["says_like"] != words_of("en")["says_like"]
    assert [likes_word(number, "en") for number in (0, 1, 2)] == ["likes", "like", "likes"]
    assert german[1] != "like"
    assert german[0] == german[2] != german[1]


def test_only_what_few_cards_have_is_rare():
    assert not is_rare(card(ALICE, liked=True, like_count=3, reply_count=1, lang="de"))
    assert is_rare(card(ALICE, edited_at="2026-05-17T10:00:00+00:00"))
    assert is_rare(card(ALICE, is_sensitive=True))
