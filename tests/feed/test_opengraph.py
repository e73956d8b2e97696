"""How links to posts and people look elsewhere: OpenGraph, the one address of a page, and whether it may be listed."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.people.restrictions import Restriction
from feed.posts.models import Audience, Withheld
from feed.publishing.writes import publish_post
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import ids
from socialsite.texts.unseen import isolated
from socialsite.web.rich_text import LOCALES, beginning
from tests.conftest import person, post
from tests.feed.outside import (
    canonical,
    describe,
    is_indexed,
    opengraph,
    stay_out_of_search_engines,
    told,
)
from tests.moderation.restricting import mark_sensitive, restrict, withhold
from tests.relations.relations import lock
from tests.web.html import Html
from tests.web.naughty import SOME

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

SITE = "http://testserver"
FLAG = "🇩🇪"  # two code points


def look(path: str, browser: Client | None = None) -> Html:
    response = (browser or Client()).get(path)
    assert response.status_code == 200, path
    return Html(response)


def said_in_head(page: Html) -> str:
    return " ".join(tag.attributes.get("content", "") for tag in page.all("meta"))


def test_a_post_shows_its_author_and_its_text(alice):
    describe(alice, avatar="avatars/A.webp")
    post_id = post(alice, 'First <b> & "second" @alice\nthird')
    path = f"/@alice/posts/{post_id}"
    page = look(path)
    assert opengraph(page) == {
        "site_name": "socialsite",
        "type": "article",
        "url": f"{SITE}{path}",
        "title": "Alice Archer (@alice)",
        "description": 'First <b> & "second" @alice third',
        "locale": "en_GB",
        "image": f"{SITE}/media/avatars/A.webp",
    }
    assert page.one("meta", name="twitter:card")["content"] == "summary"
    assert page.one("meta", name="description")["content"] == opengraph(page)["description"]
    assert canonical(page) == f"{SITE}{path}"
    assert is_indexed(page)


def test_a_profile_shows_name_and_bio(alice):
    describe(alice, bio="Tea &\ncake")
    page = look("/@ALICE?from=elsewhere")
    shown = opengraph(page)
    assert (shown["title"], shown["description"]) == ("Alice Archer (@alice)", "Tea & cake")
    assert shown["type"] == "profile"
    assert shown["url"] == canonical(page) == f"{SITE}/@alice"
    assert "image" not in shown
    assert is_indexed(page)


def test_a_profile_without_a_bio_says_whose_posts_there_are(bob):
    assert opengraph(look("/@bob"))["description"] == "Posts by Bob Brandt on socialsite."


def test_a_long_text_is_cut_between_what_people_see_as_characters(alice):
    post_id = post(alice, FLAG * 250)
    shown = opengraph(look(f"/@alice/posts/{post_id}"))["description"]
    assert shown == FLAG * 199 + "…"
    assert beginning("x" * 200) == "x" * 200
    assert beginning("one two", 5) == "one…"


def test_a_sensitive_post_keeps_its_text_to_itself(alice):
    post_id = post(alice, "Not for every eye")
    mark_sensitive(alice, post_id)
    page = look(f"/@alice/posts/{post_id}")
    assert opengraph(page)["description"] == "This post is marked as sensitive."
    assert "every eye" not in said_in_head(page)
    assert is_indexed(page)


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.ONLY_ME])
def test_a_post_that_is_not_for_everyone_has_no_preview(alice, log_in, audience):
    post_id = publish_post(by=alice, content="Hush", nonce=ids.new_id(), audience=audience)
    assert_has_no_preview(look(f"/@alice/posts/{post_id}", log_in(alice)))
    assert not is_indexed(look(f"/@alice/posts/{post_id}/likers", log_in(alice)))


def test_a_withheld_post_has_no_preview(alice, log_in):
    post_id = post(alice, "Hush")
    withhold(alice, post_id, Withheld.HELD)
    assert_has_no_preview(look(f"/@alice/posts/{post_id}", log_in(alice)))


def test_an_archived_post_has_no_preview(alice, bob, log_in):
    post_id = post(alice, "Hush")
    follow(by=bob, user_id=alice.user_id)
    assert opengraph(look(f"/@alice/posts/{post_id}", log_in(bob)))
    describe(alice, archived_before=ids.first_id_at(utc_now().replace(year=9000)))
    assert_has_no_preview(look(f"/@alice/posts/{post_id}", log_in(bob)))


def assert_has_no_preview(page: Html) -> None:
    assert opengraph(page) == {}
    assert not is_indexed(page)
    assert "Hush" not in said_in_head(page)


def test_a_profile_that_one_blocked_has_no_preview(alice, bob, log_in):
    describe(bob, bio="Never mind")
    block(by=alice, user_id=bob.user_id)
    page = look("/@bob", log_in(alice))
    assert opengraph(page) == {}
    assert "Never mind" not in said_in_head(page)
    assert not page.all("link", type="application/atom+xml")


CLOSINGS = {
    "for followers": lambda author, post_id: None,
    "held": lambda author, post_id: withhold(author, post_id, Withheld.HELD),
    "hidden": lambda author, post_id: withhold(author, post_id),
    "archived": lambda author, post_id: describe(
        author, archived_before=ids.first_id_at(utc_now().replace(year=9000))
    ),
    "of a suspended person": lambda author, post_id: restrict(author, Restriction.SUSPENDED),
}


@pytest.mark.parametrize("why", CLOSINGS)
@pytest.mark.parametrize("page", ["", "/likers"])
def test_a_closed_post_is_to_visitors_as_one_that_never_was(alice, why, page):
    audience = Audience.FOLLOWERS if why == "for followers" else Audience.EVERYONE
    post_id = publish_post(by=alice, content="Hush", nonce=ids.new_id(), audience=audience)
    CLOSINGS[why](alice, post_id)

    def answer(one: str) -> tuple[int, str]:
        return told(Client().get(f"/@alice/posts/{one}{page}"), one)

    assert answer(post_id)[0] == 404
    assert answer(post_id) == answer(ids.new_id())


@pytest.mark.parametrize("way", ["chosen", "locked", "limited"])
def test_search_engines_are_asked_to_leave_people_out(alice, bob, way):
    paths = ["/@alice", f"/@alice/posts/{post(alice)}", "/@alice/followers", "/@alice/following"]
    paths.append(f"{paths[1]}/likers")
    assert all(is_indexed(look(path)) for path in paths)
    match way:
        case "chosen":
            stay_out_of_search_engines(alice)
        case "locked":
            lock(alice)
        case "limited":
            restrict(alice, Restriction.LIMITED)
    for path in paths:
        page = look(path)
        assert not is_indexed(page), path
        assert canonical(page) == f"{SITE}{path}"
    assert opengraph(look("/@alice"))["title"] == "Alice Archer (@alice)"
    assert is_indexed(look("/@bob"))


def test_texts_of_people_left_out_are_not_quoted_from_lists_of_many(alice, bob, drain_stream):
    shown, left_out = post(bob), post(alice)
    stay_out_of_search_engines(alice)
    drain_stream()
    page = look("/local")
    assert page.post_ids() == [left_out, shown]
    quoted = ["data-nosnippet" not in text.attributes for text in page.all(class_="post-text")]
    assert quoted == [False, True]


def test_only_the_first_page_of_a_list_is_listed_and_all_name_it(alice, drain_stream):
    liked = post(alice)
    for _ in range(22):
        post(alice)
    for number in range(22):
        follow(by=person(f"fan_{number:02}"), user_id=alice.user_id)
    drain_stream()
    for path in ("/@alice", "/@alice/followers", "/local"):
        first = look(path)
        older = look(first.link("next"))
        assert is_indexed(first), path
        assert not is_indexed(older), path
        assert canonical(first) == canonical(older) == f"{SITE}{path}"
    likers = look(f"/@alice/posts/{liked}/likers")
    assert canonical(likers) == f"{SITE}/@alice/posts/{liked}/likers"


def test_behind_a_proxy_addresses_are_those_of_the_public_site(alice, settings):
    settings.ALLOWED_HOSTS = ["example.org"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"Host": "example.org", "X-Forwarded-Proto": "https"}
    page = Html(Client().get("/@alice", headers=headers))
    assert canonical(page) == opengraph(page)["url"] == "https://example.org/@alice"


def test_pages_of_members_and_errors_say_nothing_of_all_this(alice, log_in):
    for response in (log_in(alice).get("/settings/privacy"), Client().get("/@nobody")):
        page = Html(response)
        assert opengraph(page) == {}
        assert not page.all("link", rel="canonical")


def test_every_language_of_the_site_has_a_name_in_opengraph():
    assert set(LOCALES) == set(dict(settings.LANGUAGES))


def test_any_name_and_text_stays_inside_its_attribute(alice):
    author = alice
    for text in SOME:
        text = text[:2_000].replace("\x00", "")
        describe(author, name=text or "x", bio=text or "x")
        page = look("/@alice")
        shown = opengraph(page)["title"]
        assert " ".join(shown.split()) == " ".join(
            f"{isolated(text or 'x') or 'alice'} (@alice)".split()
        )
        assert all("src" in script.attributes for script in page.all("script"))
