"""A link beside a public post in another language leads to a translation service that the site chose. The site is off
by default, asks nobody itself, and sends no text of posts for fewer people."""

import pytest

from feed.posts.models import Post
from moderation.cases.translation import MOST_CHARACTERS, is_pattern, translation_of
from moderation.rules.writes import save_settings
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.table import change, keys
from tests.conftest import post
from tests.moderation.cases import about, about_post, held_post, logged, private_post, report
from tests.moderation.test_site_settings import SITE
from tests.web.html import Html

PATTERN = "https://translate.example/?to={to}&text={text}"


@pytest.fixture
def chosen(admin) -> None:
    save_settings(by=admin, values={"translate_url": PATTERN})


def german(author, text: str, post_id: str = "") -> str:
    post_id = post_id or post(author, text)
    change(Post, keys.post(author.user_id, post_id), [Post.lang.set("de-AT")])
    return post_id


def links(client, address: str) -> list[dict[str, str]]:
    found = Html(client.get(address)).all("a", referrerpolicy="no-referrer")
    return [one.attributes for one in found]


@pytest.mark.usefixtures("chosen")
def test_a_post_in_another_language_has_a_link_that_names_no_page_of_ours(alice, bob, mod, log_in):
    report(alice, bob, german(bob, "Grüße & Küsse?"))
    for address in (about(bob).url, f"{about(bob).url}/conduct"):
        (link,) = links(log_in(mod), address)
        assert link["href"] == (
            "https://translate.example/?to=en&text=Gr%C3%BC%C3%9Fe%20%26%20K%C3%BCsse%3F"
        )
        assert {"noreferrer", "noopener"} <= set(link["rel"].split())


def test_without_a_service_there_is_none(alice, bob, mod, log_in):
    report(alice, bob, german(bob, "Grüße"))
    assert links(log_in(mod), about(bob).url) == []


@pytest.mark.usefixtures("chosen")
def test_neither_is_there_one_in_ones_own_language_or_an_unknown_one(alice, bob, mod, log_in):
    english = post(bob, "Hello")
    report(alice, bob, english)
    assert links(log_in(mod), about(bob).url) == []
    assert translation_of("Hello", "en-GB") is None
    assert translation_of("Hello", None) is None


@pytest.mark.usefixtures("chosen")
def test_a_private_post_never_leaves_even_when_it_is_shown(alice, bob, mod, log_in):
    secret = german(bob, "Geheim", private_post(bob, "Geheim"))
    report(alice, bob, secret)
    client = log_in(mod)
    answer = client.post(f"{about(bob).url}/reveal")
    assert "Geheim" in Html(answer).one(id="evidence").text
    assert "translate.example" not in answer.content.decode()


@pytest.mark.usefixtures("chosen")
def test_neither_does_one_that_waits_for_review(bob, mod, log_in):
    held = german(bob, "Wartet", held_post(bob, "Wartet"))
    assert links(log_in(mod), about_post(held).url) == []


@pytest.mark.usefixtures("chosen")
def test_a_long_text_is_cut():
    found = translation_of("ä" * 5000, "de")
    assert found
    assert len(found.url) < len(PATTERN) + 6 * (MOST_CHARACTERS + 10)
    assert found.host == "translate.example"


@pytest.mark.parametrize(
    "wrong",
    [
        "http://translate.example/?text={text}",
        "https://translate.example/",
        "https://translate.example/?text={text}&again={text}",
        "https://{text}.example/",
        "https://a@translate.example/{text}",
        "https://translate.example/?text={text}&key={key}",
        "https://translate.example:abc/{text}",
        "javascript:alert({text})",
        "https:///?{text}",
        'https://translate.example/?"{text}',
    ],
)
def test_what_is_no_such_address_is_refused_beside_the_field(admin, log_in, wrong):
    assert not is_pattern(wrong)
    answer = log_in(admin).post("/moderation/site", SITE | {"translate_url": wrong})
    assert answer.status_code == 422
    assert Html(answer).error("translate_url")
    assert read_site_rules().translate_url == ""


def test_the_log_says_when_staff_choose_one(admin, log_in):
    for url in (PATTERN, ""):
        log_in(admin).post("/moderation/site", SITE | {"translate_url": url})
        assert read_site_rules().translate_url == url
    assert [entry.detail["translate_url"] for entry in logged()] == [["", PATTERN], [PATTERN, ""]]
