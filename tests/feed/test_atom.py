"""A person's public posts for feed readers: valid Atom, the same for everyone, and nothing that visitors do not see."""

import re
from datetime import datetime

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from feed.likes.writes import like_post
from feed.posts.models import Audience, Post, Withheld
from feed.publishing.writes import delete_post, publish_post
from socialsite.clock import utc_now
from socialsite.table import change, ids, keys
from tests.conftest import person, post
from tests.feed.outside import Feed, describe, stay_out_of_search_engines, told
from tests.moderation.restricting import let_wait, mark_sensitive, restrict, withhold
from tests.relations.relations import lock
from tests.web.html import Html
from tests.web.naughty import CONTROLS, SOME

SITE = "http://testserver"
PAGE = "/@alice/feed.atom"
pages = pytest.mark.engines("embedded", reason="looks at the feed, which no engine changes")


def feed(browser: Client | None = None) -> Feed:
    return Feed.of((browser or Client()).get(PAGE))


def close(author: Viewer, content: str, audience: Audience = Audience.FOLLOWERS) -> str:
    return publish_post(by=author, content=content, nonce=ids.new_id(), audience=audience)


def test_it_says_whose_it_is(alice):
    describe(alice, bio="Tea & <cake>")
    found = feed()
    assert found.text("a:title") == "Alice Archer (@alice)"
    assert found.text("a:subtitle") == "Tea & <cake>"
    assert found.text("a:author/a:name") == "Alice Archer"
    assert found.text("a:author/a:uri") == f"{SITE}/@alice"
    assert found.links("a:link", "alternate") == [f"{SITE}/@alice"]
    assert found.links("a:link", "self") == [f"{SITE}{PAGE}"]
    assert found.text("a:id").startswith("tag:testserver,")


def test_it_holds_the_newest_posts_whole(alice, bob):
    posts = [post(alice, f"number {number}") for number in range(23)][::-1]
    post(bob, "not hers")
    found = feed()
    addresses = [f"{SITE}/@alice/posts/{post_id}" for post_id in posts[:20]]
    assert found.links("a:entry/a:link", "alternate") == addresses
    assert found.texts("a:content") == [f"number {number}" for number in range(22, 2, -1)]
    assert found.texts("a:author/a:name") == ["Alice Archer"] * 20
    assert len({*found.texts("a:id"), found.text("a:id")}) == 21
    times = [datetime.fromisoformat(moment) for moment in found.texts("a:updated")]
    assert times == [ids.time_of(post_id) for post_id in posts[:20]]
    assert found.text("a:updated") == found.texts("a:updated")[0]


def test_a_post_is_html_whose_links_work_anywhere(alice, bob):
    post(alice, 'One <b> & "two"\n@bob https://example.org/?a=1&b=2 href="/x')
    (content,) = feed().texts("a:content")
    assert content == (
        "One &lt;b&gt; &amp; &quot;two&quot;<br>"
        f'<a href="{SITE}/@bob?id={bob.user_id}">@bob</a> '
        '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow noopener ugc">'
        "example.org/?a=1&amp;b=2</a> href=&quot;/x"
    )
    assert feed().texts("a:title")[0].startswith('One <b> & "two" @bob')


def test_a_sensitive_post_is_announced_without_its_text(alice):
    mark_sensitive(alice, post(alice, "Not for every eye"))
    response = Client().get(PAGE)
    assert "every eye" not in response.content.decode()
    assert Feed.of(response).texts("a:title") == ["Post by Alice Archer"]
    assert Feed.of(response).texts("a:content") == ["This post is marked as sensitive."]


@pytest.mark.parametrize("why", ["audience", "held", "hidden", "archived", "deleted", "narrowed"])
def test_what_visitors_do_not_see_leaves_the_feed_and_changes_its_etag(alice, log_in, why):
    stays = post(alice, "stays") if why != "archived" else None
    if why == "audience":
        close(alice, "gone")
    else:
        post_id = post(alice, "gone")
        before = Client().get(PAGE)
        assert "gone" in before.content.decode()
        match why:
            case "held":
                withhold(alice, post_id, Withheld.HELD)
            case "hidden":
                withhold(alice, post_id)
            case "archived":
                edge = ids.first_id_at(utc_now().replace(year=9000))
                describe(alice, archived_before=edge)
            case "deleted":
                delete_post(by=alice, post_id=post_id)
            case "narrowed":
                key = keys.post(alice.user_id, post_id)
                change(Post, key, [Post.audience.set(Audience.FRIENDS)])
        again = Client().get(PAGE, headers={"If-None-Match": before["ETag"]})
        assert again.status_code == 200
        assert again["ETag"] != before["ETag"]
    for browser in (Client(), log_in(alice)):
        response = browser.get(PAGE)
        assert "gone" not in response.content.decode()
        assert len(Feed.of(response).texts("a:id")) == bool(stays)


def test_closed_posts_do_not_crowd_out_public_ones(alice, requests_of):
    shown = post(alice, "shown")
    for _ in range(25):
        close(alice, "closed")
    with requests_of() as requests:
        assert feed().texts("a:content") == ["shown"]
    assert len(requests.made) == 6
    assert shown
    for _ in range(40):
        close(alice, "closed")
    with requests_of() as requests:
        assert feed().texts("a:content") == []
    assert len(requests.made) == 8


def test_there_is_none_of_people_who_are_not_to_be_seen(alice, bob, carol, log_in):
    restrict(bob, Restriction.SUSPENDED)
    let_wait(carol)
    answers = set()
    for handle in ("bob", "carol", "not_there"):
        answers.add(told(Client().get(f"/@{handle}/feed.atom"), handle))
        assert log_in(alice).get(f"/@{handle}/feed.atom").status_code == 404, handle
    assert [status for status, _ in answers] == [404]


def test_it_is_the_same_for_everyone_and_tells_caches_so(alice, bob, log_in):
    post(alice)
    member = log_in(bob)
    member.post("/settings/appearance", {"theme": "dark", "language": "de"})
    visitor, signed_in = Client().get(PAGE), member.get(PAGE, headers={"Accept-Language": "de"})
    assert visitor.content == signed_in.content
    for response in (visitor, signed_in):
        assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
        assert response["Cache-Control"] == "public, max-age=300"
        assert response["Vary"] == "Accept-Encoding"
        assert not response.cookies


@pages
def test_its_own_words_are_in_the_language_of_the_site(alice):
    mark_sensitive(alice, post(alice))
    found = Feed.of(Client().get(PAGE, headers={"Accept-Language": "de"}))
    assert found.text("a:subtitle") == "Posts by Alice Archer on socialsite."
    assert found.texts("a:content") == ["This post is marked as sensitive."]


def test_a_reader_who_has_it_gets_no_copy(alice, bob, measure):
    post_id = post(alice)
    first = Client().get(PAGE)
    headers = {"If-None-Match": first["ETag"]}
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    with measure() as meter:
        again = Client().get(PAGE, headers=headers)
    assert (again.status_code, again.content) == (304, b"")
    assert again["Cache-Control"] == first["Cache-Control"]
    assert again["ETag"] == first["ETag"]
    assert again["Vary"] == first["Vary"]
    operations = [call.operation for call in meter.calls]
    assert operations == ["GetItem", "Query", "Query", "BatchGetItem"]
    assert Client().head(PAGE)["ETag"] == first["ETag"]
    post(alice, "more")
    assert Client().get(PAGE, headers=headers).status_code == 200


def test_without_posts_it_stays_the_same_too(alice):
    first = Client().get(PAGE)
    assert datetime.fromisoformat(Feed.of(first).text("a:updated")) == ids.time_of(alice.user_id)
    assert Client().get(PAGE, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_compressed_it_is_known_again(alice):
    for number in range(20):
        post(alice, f"number {number} " * 20)
    zipped = Client().get(PAGE, headers={"Accept-Encoding": "gzip"})
    assert zipped["Content-Encoding"] == "gzip"
    headers = {"Accept-Encoding": "gzip", "If-None-Match": zipped["ETag"]}
    assert Client().get(PAGE, headers=headers).status_code == 304


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_it_costs(alice, requests_of):
    for number in range(20):
        post(alice, f"number {number}")
    with requests_of() as requests:
        feed()
    assert requests.operations == ["GetItem", "Query", "Query", "BatchGetItem"]
    assert requests.units == [0.5, 0.5, 0.5, 10]


@pages
@pytest.mark.parametrize("way", ["chosen", "locked", "limited"])
def test_search_engines_are_asked_to_leave_it_out(alice, way):
    assert "X-Robots-Tag" not in Client().get(PAGE)
    match way:
        case "chosen":
            stay_out_of_search_engines(alice)
        case "locked":
            lock(alice)
        case "limited":
            restrict(alice, Restriction.LIMITED)
    assert Client().get(PAGE)["X-Robots-Tag"] == "noindex"


@pages
def test_a_profile_leads_to_it(alice):
    page = Html(Client().get("/@alice"))
    (alternate,) = page.all("link", rel="alternate")
    assert (alternate["href"], alternate["type"]) == (PAGE, "application/atom+xml")
    assert page.one("a", href=PAGE).text == "Atom feed"


@pages
def test_any_text_makes_well_formed_xml(table):
    """Written straight into the table, where there may be what forms refuse today."""
    author = person("alice", "Alice Archer")
    post_id = post(author)
    for text in (*CONTROLS, *SOME):
        text = text[:2_000]
        describe(author, name=text or "x", bio=text or "x")
        change(Post, keys.post(author.user_id, post_id), [Post.content.set(text or "x")])
        found = feed()
        assert found.text("a:title").endswith("(@alice)"), text[:40]
        (content,) = found.texts("a:content")
        assert not re.search(r"<(?!a |/a>|br>)", content), text[:40]


def test_a_handle_in_capitals_leads_to_the_same_feed(alice):
    post(alice)
    assert Client().get("/@ALICE/feed.atom").content == Client().get(PAGE).content
