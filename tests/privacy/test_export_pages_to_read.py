"""The pages of an export open anywhere: no script, no form, links that lead somewhere, and people's texts as typed."""

import csv
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

import pytest
from django.http import HttpResponse

from accounts.profile.writes import edit_profile
from feed.posts.models import Post
from feed.publishing.writes import publish_post
from relations.export import FORMULA
from relations.friends.writes import create_circle
from relations.models import RelationType
from relations.relation import update_relation
from socialsite.table import ids, write_batch
from socialsite.texts.unseen import isolated
from tests.conftest import post
from tests.feed.editing.edits import edit
from tests.privacy.exporting import SITE, Unpacked, export_of
from tests.relations.relations import befriend
from tests.web.html import Html

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "</td></table></article><!--",
    "{{ 7|add:7 }} {% debug %}",
    'href="/" onmouseover="alert(1)',
    "\u202eright to left 👩‍👩‍👧",
    "=HYPERLINK(1)",
]
ALLOWED = {
    *("html", "head", "meta", "title", "link", "body", "main", "nav", "header", "div", "h1", "h2"),
    *("p", "a", "ul", "li", "bdi", "span", "article", "details", "summary", "table", "thead"),
    *("tbody", "tr", "th", "td", "img"),
}


@pytest.fixture
def of_alice(alice, log_in, drain_stream) -> Callable[..., Unpacked]:
    return lambda **how: export_of(alice, drain_stream, log_in(alice), **how)


def pages(unpacked: Unpacked) -> dict[str, Html]:
    return {
        name: Html(HttpResponse(unpacked.bytes(name)))
        for name in unpacked.names
        if name.endswith(".html")
    }


def month(unpacked: Unpacked) -> Html:
    (name,) = [name for name in unpacked.names if name.startswith("posts/")]
    return pages(unpacked)[name]


def test_hostile_texts_are_text_in_every_page_list_and_name(alice, bob, of_alice):
    befriend(alice, bob)
    circles = {create_circle(by=alice, name=text[:30]) for text in HOSTILE}
    update_relation(
        by=alice,
        relation_type=RelationType.FRIEND,
        user_id=bob.user_id,
        tags=circles,
        note=HOSTILE[0],
    )
    edit_profile(by=alice, name=HOSTILE[0], bio="\n".join(HOSTILE), location=HOSTILE[2])
    for text in HOSTILE:
        post(alice, text)
    publish_post(by=alice, content="Beware", warning=HOSTILE[3], nonce=ids.new_id())
    edit(alice, post(alice, HOSTILE[1]), HOSTILE[2])
    unpacked = of_alice()
    for name, page in pages(unpacked).items():
        assert {one.tag for one in page.elements} <= ALLOWED, name
        assert not [a for one in page.elements for a in one.attributes if a.startswith("on")]
    shown = [isolated(text) for text in HOSTILE]
    assert [one.text for one in month(unpacked).all("p", class_="text")][: len(HOSTILE)] == shown
    assert unpacked.items("posts")[0]["text"] == HOSTILE[0]
    rows = list(csv.reader(StringIO(unpacked.text("relations/lists.csv"))))
    assert len(rows) == len(HOSTILE)
    assert not [cell for one in rows for cell in one if cell.startswith(FORMULA)]
    assert all(name.isascii() and ".." not in name for name in unpacked.names)


def test_every_link_leads_to_a_file_of_the_export_or_to_the_site(alice, bob, of_alice):
    befriend(alice, bob)
    post(alice, "Hello @bob, look: https://elsewhere.example/x #cats")
    unpacked = of_alice()
    for name, page in pages(unpacked).items():
        for one in (*page.all("a"), *page.all("link"), *page.all("img")):
            address = one.attributes.get("href") or one["src"]
            parts = urlsplit(address)
            if parts.scheme:
                assert address.startswith((SITE, "https://elsewhere.example"))
            else:
                assert normpath(join(dirname(name), unquote(parts.path))) in unpacked.names
    texts = unpacked.text(next(name for name in unpacked.names if name.startswith("posts/")))
    assert f'<a href="{SITE}/@bob?id={bob.user_id}">@bob</a>' in texts
    assert f'<a href="{SITE}/tags/cats">#cats</a>' in texts


def test_each_month_has_a_page_in_the_time_zone_of_the_person(alice, of_alice):
    moments = [
        datetime(2026, 10, 31, 22, 59, tzinfo=UTC),
        datetime(2026, 10, 31, 23, 1, tzinfo=UTC),  # November in Berlin
        datetime(2026, 11, 2, tzinfo=UTC),
    ]
    write_batch(
        puts=[
            Post.new(post_id=ids.id_at(at, bytes(10)), author_id=alice.user_id, content=f"{at:%d}")
            for at in moments
        ]
    )
    unpacked = of_alice(zone="Europe/Berlin")
    months = [name for name in unpacked.names if name.startswith("posts/")]
    assert months == ["posts/2026-10.html", "posts/2026-11.html"]
    links = [one["href"] for one in pages(unpacked)["index.html"].all("a")]
    assert [link for link in links if link.startswith("posts/")] == months
    texts = pages(unpacked)["posts/2026-11.html"].all("p", class_="text")
    assert [one.text for one in texts] == ["31", "02"]


def test_pages_are_in_the_language_in_which_it_was_asked_for(alice, of_alice):
    unpacked = of_alice(language="de")
    assert pages(unpacked)["index.html"].one("html")["lang"] == "de"
    assert unpacked.items("posts") == []


def test_it_says_what_the_data_are_for_and_how_long_they_are_kept(of_alice):
    about = pages(of_alice())["about.html"].one("main").text
    for heading in ("What we use it for", "Who gets it", "How long we keep it", "Your rights"):
        assert heading in about
