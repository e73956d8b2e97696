"""Posts and people as other sites and feed readers see them: Atom and OpenGraph."""

import re
from dataclasses import dataclass
from datetime import datetime
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from accounts.models import UserInfo
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import save_privacy
from feed.likes.writes import like_post
from feed.posts.models import Audience, Post, Withheld
from feed.publishing.writes import delete_post, publish_post
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import change, ids, keys
from socialsite.texts import isolated
from socialsite.web.rich_text import LOCALES, beginning
from tests.conftest import person, post
from tests.moderation.cases import let_wait, mark_sensitive, restrict, withhold
from tests.relations.scenes import lock
from tests.web.html import Html
from tests.web.naughty import CONTROLS, SOME

ONCE = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")[^"]+')
ATOM = {"a": "http://www.w3.org/2005/Atom"}


def describe(author: Viewer, **values: str) -> None:
    """Writes straight into a person's info."""
    actions = [getattr(UserInfo, name).set(value) for name, value in values.items()]
    change(UserInfo, keys.user_info(author.user_id), actions)


def stay_out_of_search_engines(author: Viewer) -> None:
    save_privacy(
        by=author, locked=False, archived_before=None, not_suggested=False, not_indexed=True
    )


def opengraph(page: Html) -> dict[str, str]:
    """Its properties, without `og:`."""
    tags = [tag for tag in page.all("meta") if "property" in tag.attributes]
    return {tag["property"].removeprefix("og:"): tag["content"] for tag in tags}


def told(response: HttpResponse, *differing: str) -> tuple[int, str]:
    """Status and page of an answer, without what is new in every answer, and without the given parts of its address."""
    page = ONCE.sub("", response.content.decode())
    for part in (response["X-Request-ID"], *differing):
        page = page.replace(part, "")
    return response.status_code, page


def canonical(page: Html) -> str:
    return page.one("link", rel="canonical")["href"]


def is_indexed(page: Html) -> bool:
    return "noindex" not in [tag["content"] for tag in page.all("meta", name="robots")]


@dataclass
class Feed:
    """A feed as a reader parses it. Raises where it is no XML."""

    root: ElementTree.Element

    @classmethod
    def of(cls, response: HttpResponse) -> "Feed":
        assert response.status_code == 200
        return cls(ElementTree.fromstring(response.content))

    def text(self, path: str) -> str:
        found = self.root.find(path, ATOM)
        assert found is not None, path
        return found.text or ""

    def texts(self, path: str) -> list[str]:
        """Of each entry."""
        return [found.text or "" for found in self.root.findall(f"a:entry/{path}", ATOM)]

    def links(self, path: str, rel: str) -> list[str]:
        return [
            link.attrib["href"]
            for link in self.root.findall(path, ATOM)
            if link.attrib.get("rel") == rel
        ]


# A person's public posts for feed readers: valid Atom, the same for everyone, and nothing that visitors do not
# see.

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


# How links to posts and people look elsewhere: OpenGraph, the one address of a page, and whether it may be
# listed.

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")
FLAG = "🇩🇪"  # two code points


def look(path: str, browser: Client | None = None) -> Html:
    response = (browser or Client()).get(path)
    assert response.status_code == 200, path
    return Html(response)


def said_in_head(page: Html) -> str:
    return " ".join(tag.attributes.get("content", "") for tag in page.all("meta"))


@embedded_alone
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


@embedded_alone
def test_a_profile_shows_name_and_bio(alice):
    describe(alice, bio="Tea &\ncake")
    page = look("/@ALICE?from=elsewhere")
    shown = opengraph(page)
    assert (shown["title"], shown["description"]) == ("Alice Archer (@alice)", "Tea & cake")
    assert shown["type"] == "profile"
    assert shown["url"] == canonical(page) == f"{SITE}/@alice"
    assert "image" not in shown
    assert is_indexed(page)


@embedded_alone
def test_a_profile_without_a_bio_says_whose_posts_there_are(bob):
    assert opengraph(look("/@bob"))["description"] == "Posts by Bob Brandt on socialsite."


@embedded_alone
def test_a_long_text_is_cut_between_what_people_see_as_characters(alice):
    post_id = post(alice, FLAG * 250)
    shown = opengraph(look(f"/@alice/posts/{post_id}"))["description"]
    assert shown == FLAG * 199 + "…"
    assert beginning("x" * 200) == "x" * 200
    assert beginning("one two", 5) == "one…"


@embedded_alone
def test_a_sensitive_post_keeps_its_text_to_itself(alice):
    post_id = post(alice, "Not for every eye")
    mark_sensitive(alice, post_id)
    page = look(f"/@alice/posts/{post_id}")
    assert opengraph(page)["description"] == "This post is marked as sensitive."
    assert "every eye" not in said_in_head(page)
    assert is_indexed(page)


@embedded_alone
@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.ONLY_ME])
def test_a_post_that_is_not_for_everyone_has_no_preview(alice, log_in, audience):
    post_id = publish_post(by=alice, content="Hush", nonce=ids.new_id(), audience=audience)
    assert_has_no_preview(look(f"/@alice/posts/{post_id}", log_in(alice)))
    assert not is_indexed(look(f"/@alice/posts/{post_id}/likers", log_in(alice)))


@embedded_alone
def test_a_withheld_post_has_no_preview(alice, log_in):
    post_id = post(alice, "Hush")
    withhold(alice, post_id, Withheld.HELD)
    assert_has_no_preview(look(f"/@alice/posts/{post_id}", log_in(alice)))


@embedded_alone
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


@embedded_alone
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


@embedded_alone
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


@embedded_alone
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


@embedded_alone
def test_texts_of_people_left_out_are_not_quoted_from_lists_of_many(alice, bob, drain_stream):
    shown, left_out = post(bob), post(alice)
    stay_out_of_search_engines(alice)
    drain_stream()
    page = look("/local")
    assert page.post_ids() == [left_out, shown]
    quoted = ["data-nosnippet" not in text.attributes for text in page.all(class_="post-text")]
    assert quoted == [False, True]


@embedded_alone
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


@embedded_alone
def test_behind_a_proxy_addresses_are_those_of_the_public_site(alice, settings):
    settings.ALLOWED_HOSTS = ["example.org"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"Host": "example.org", "X-Forwarded-Proto": "https"}
    page = Html(Client().get("/@alice", headers=headers))
    assert canonical(page) == opengraph(page)["url"] == "https://example.org/@alice"


@embedded_alone
def test_pages_of_members_and_errors_say_nothing_of_all_this(alice, log_in):
    for response in (log_in(alice).get("/settings/privacy"), Client().get("/@nobody")):
        page = Html(response)
        assert opengraph(page) == {}
        assert not page.all("link", rel="canonical")


@embedded_alone
def test_every_language_of_the_site_has_a_name_in_opengraph():
    assert set(LOCALES) == set(dict(settings.LANGUAGES))


@embedded_alone
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
