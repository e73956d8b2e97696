"""The pages of one post, of its likers, and of one person, and where photos show."""

import gzip
import re

import pytest
from django.test import Client

from feed.cards.reads import get_post
from feed.likes.models import Like
from feed.posts.models import Audience, LikeCount, Post, PostPhoto
from feed.posts.reads import Pointer
from feed.sharing.writes import quote, repost
from photos.files import new_secret
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.table import ids, write_batch
from socialsite.table.ids import new_id
from tests.conftest import HTMX, person, post
from tests.feed.scenes import HASH, photo, post_photos
from tests.feed.test_outside import Feed, opengraph
from tests.feed.timelines import authors, point_at
from tests.moderation.cases import mark_sensitive
from tests.web.html import Html, shown_name


def test_a_post_is_shown_whole_to_everybody(alice, bob, carol, log_in):
    post_id = post(alice, "First\nsecond <b> & @carol https://example.org/?a=1&b=2")
    for browser in (Client(), log_in(bob), log_in(alice)):
        page = Html(browser.get(f"/@alice/posts/{post_id}"))
        assert page.post_ids() == [post_id]
        text = page.one("div", class_="post-text")
        assert "".join(text.parts).startswith("First\nsecond <b> & @carol")
        assert page.one("a", href=f"/@carol?id={carol.user_id}").text == "@carol"
        assert page.one("a", rel="ugc")["href"] == "https://example.org/?a=1&b=2"
        assert page.one("time")["datetime"]


@pytest.mark.parametrize("path", ["", "/likers"])
def test_a_post_stands_under_its_author_only(alice, bob, path):
    post_id = post(alice)
    assert Client().get(f"/@alice/posts/{post_id}{path}").status_code == 200
    for wrong in (
        f"/@bob/posts/{post_id}",
        f"/@alice/posts/{new_id()}",
        f"/@nobody/posts/{post_id}",
    ):
        response = Client().get(wrong + path)
        assert response.status_code == 404
        assert "There’s nothing here" in response.content.decode()


def test_likers_are_listed_oldest_account_first_over_pages(alice):
    post_id = post(alice)
    fans = [person(f"fan_{number:02}") for number in range(23)]
    write_batch(
        puts=[
            Like.new(post_id=post_id, author_id=alice.user_id, user_id=fan.user_id) for fan in fans
        ]
    )
    first = Html(Client().get(f"/@alice/posts/{post_id}/likers"))
    second = Html(Client().get(first.link("next")))
    assert first.handles() + second.handles() == [fan.handle for fan in fans]
    assert second.link("next") is None
    assert Html(Client().get(second.link("prev"))).handles() == first.handles()
    fragment = Html(Client().get(first.link("next"), headers=HTMX))
    assert fragment.handles() == second.handles()
    assert not fragment.all("html")


def test_a_liker_may_be_followed_from_the_list(alice, bob, log_in):
    post_id = post(alice)
    log_in(bob).post(f"/@alice/posts/{post_id}/like", {"on": "1"})
    page = Html(log_in(alice).get(f"/@alice/posts/{post_id}/likers"))
    assert page.handles() == ["bob"]
    assert page.one("button", class_="follow")["formaction"] == "/@bob/follow"


def test_a_profile_shows_the_person_and_their_posts_newest_first(alice, bob):
    posts = [post(alice, f"number {number}") for number in range(4)]
    post(bob, "not hers")
    response = Client().get("/@alice")
    assert shown_name(response) == "Alice Archer"
    assert Html(response).post_ids() == posts[::-1]


def test_a_profile_goes_older_and_newer_over_pages_that_meet(alice):
    posts = [post(alice, f"number {number}") for number in range(45)][::-1]
    first = Html(Client().get("/@alice"))
    second = Html(Client().get(first.link("next")))
    third = Html(Client().get(second.link("next")))
    assert first.post_ids() + second.post_ids() + third.post_ids() == posts
    assert third.link("next") is None
    assert Html(Client().get(third.link("prev"))).post_ids() == second.post_ids()
    assert Html(Client().get(second.link("prev"))).post_ids() == first.post_ids()


def test_more_posts_of_a_profile_come_as_a_fragment_over_htmx(alice):
    posts = [post(alice, f"number {number}") for number in range(22)]
    address = Html(Client().get("/@alice")).link("next")
    page = Html(Client().get(address, headers=HTMX))
    assert page.post_ids() == posts[1::-1]
    assert not page.all("html")


def test_a_restored_history_page_is_a_whole_page(alice):
    headers = HTMX | {"HX-History-Restore-Request": "true"}
    assert Html(Client().get("/@alice", headers=headers)).all("html")


def test_a_handle_in_the_address_may_have_any_case(alice):
    assert shown_name(Client().get("/@ALICE")) == "Alice Archer"


@pytest.mark.parametrize("path", ["/@nobody", "/@nobody/followers", "/@ab", "/@" + "a" * 31])
def test_nobody_has_no_page(table, path):
    response = Client().get(path)
    assert response.status_code == 404
    assert "There’s nothing here" in response.content.decode()


def test_the_buttons_of_a_profile_fit_the_viewer(alice, bob, log_in):
    own, other, visitor = (
        Html(browser.get("/@alice")) for browser in (log_in(alice), log_in(bob), Client())
    )
    assert own.one("a", class_="button", href="/settings/profile").text == "Edit profile"
    assert not own.all("button", class_="follow")
    assert other.one("button", class_="follow")["value"] == "1"
    assert visitor.one("a", href="/login?next=/%40alice").text == "Follow"


# Where photos show: on cards, in quotes, on their own page, among someone's media, and on other sites.

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

KB = 1024
PICTURES = re.compile(r'<div class="post-photos .*?</div>\s*</div>', re.DOTALL)


def imgs(page: Html) -> list:
    return [one for one in page.all("img") if "data-hash" in one.attributes]


def home_full_of_photos(alice, description: str) -> None:
    """Twenty posts of twenty people with four photos each, everything that a page can show of them."""
    items = []
    for author in authors(20):
        post_id = ids.new_id()
        photos = [
            PostPhoto(
                photo_id=ids.new_id(),
                secret=new_secret(),
                public_secret=new_secret(),
                width=1600,
                height=1200,
                thumbhash=HASH,
                alt=description,
            )
            for _ in range(4)
        ]
        items += [author, LikeCount.new(post_id=post_id)]
        items.append(
            Post.new(post_id=post_id, author_id=author.user_id, content="Look", photos=photos)
        )
        point_at(alice, post_id, author.user_id)
    write_batch(puts=items)


@embedded_alone
def test_home_with_eighty_photos_is_three_calls_and_light(alice, log_in, requests_of):
    home_full_of_photos(alice, "A heron stands in the canal and looks at a child with a balloon")
    browser = log_in(alice)
    with requests_of() as requests:
        page = browser.get("/").content.decode()
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    grids = PICTURES.findall(page)
    assert len(grids) == 20
    assert "".join(grids).count("<img") == 80
    assert sum(len(one.encode()) for one in grids) <= 60 * KB
    assert len(gzip.compress(page.encode())) <= 16 * KB


@embedded_alone
@pytest.mark.parametrize(("path", "most"), [("/media", 5), ("/posts/{post}/photos/1", 3)])
def test_the_pages_of_photos_keep_to_their_calls(alice, requests_of, path, most):
    post_id = post_photos(alice)
    with requests_of() as requests:
        assert Client().get(f"/@alice{path.format(post=post_id)}").status_code == 200
    assert len(requests.made) <= most
    assert {*requests.operations} <= {"BatchGetItem", "Query"}


@embedded_alone
def test_every_picture_has_its_size_and_all_but_the_first_wait(alice, bob, log_in, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    post_photos(bob, photo(bob, width=900, height=1600), photo(bob))
    post_photos(bob, photo(bob, "A heron"))
    drain_stream()
    found = imgs(Html(log_in(alice).get("/")))
    assert [one["loading"] for one in found] == ["eager", "lazy", "lazy"]
    assert [(one["width"], one["height"]) for one in found][1] == ("900", "1600")
    assert [one["alt"] for one in found] == ["A heron", *["Photo without description"] * 2]
    assert all(one["data-hash"] == HASH and "sizes" in one.attributes for one in found)
    assert re.findall(r" (\d+)w", found[1]["srcset"]) == ["270", "540"]


@embedded_alone
def test_a_photo_without_description_says_so_and_others_lead_to_theirs(alice):
    post_id = post_photos(alice, photo(alice, "A heron"), photo(alice))
    page = Html(Client().get(f"/@alice/posts/{post_id}"))
    marks = page.all(class_="photo-alt")
    assert [one.text for one in marks] == ["ALT", "no description"]
    assert marks[0]["href"] == f"/@alice/posts/{post_id}/photos/1#says"


@embedded_alone
def test_photos_behind_a_warning_never_load_by_themselves(alice):
    post_id = post_photos(alice, warning="Spiders")
    sensitive = post_photos(alice)
    mark_sensitive(alice, sensitive)
    for one in (post_id, sensitive):
        for address in (f"/@alice/posts/{one}", "/@alice"):
            assert {img["loading"] for img in imgs(Html(Client().get(address)))} <= {"lazy"}
        head = opengraph(Html(Client().get(f"/@alice/posts/{one}")))
        assert "/m/" not in head.get("image", "")
        own = Client().get(f"/@alice/posts/{one}/photos/1")
        assert "/m/" not in opengraph(Html(own)).get("image", "")


@embedded_alone
def test_the_page_of_a_photo_has_the_whole_description_and_leads_on_and_back(alice):
    long = "A heron. " * 100
    post_id = post_photos(alice, photo(alice), photo(alice, long), photo(alice))
    address = f"/@alice/posts/{post_id}"
    page = Html(Client().get(f"{address}/photos/2"))
    assert page.one("figcaption").text == long.strip()
    assert page.one("h1").text == "Photo 2 of 3"
    assert (page.link("prev"), page.link("next")) == (f"{address}/photos/1", f"{address}/photos/3")
    assert [a for a in page.all("a", href=address) if a.text == "Back to the post"]
    first = Html(Client().get(f"{address}/photos/1"))
    assert first.link("prev") is None
    for number in (0, 4, 99):
        assert Client().get(f"{address}/photos/{number}").status_code == 404


@embedded_alone
def test_the_viewer_gets_all_photos_of_the_post(alice):
    post_id = post_photos(alice, photo(alice, "One"), photo(alice, "Two"))
    page = Html(Client().get(f"/@alice/posts/{post_id}/photos/2", headers=HTMX))
    assert page.one("dialog")["aria-labelledby"] == "viewer-title"
    assert [one.text for one in page.all("figcaption")] == ["One", "Two"]
    assert page.one("h2")["data-words"] == "Photo {n} of 2"


@embedded_alone
def test_a_repost_and_a_quote_show_the_photos(alice, bob, carol, log_in, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    post_id = post_photos(carol, photo(carol, "A heron"))
    shown = Pointer(post_id, carol.user_id)
    quoting = quote(by=bob, post=shown, content="Look at this", nonce="n" * 22)
    drain_stream()
    card = get_post(quoting, bob.user_id, viewer=alice)
    assert card.quoted.photos[0].alt == "A heron"
    page = Html(log_in(alice).get(f"/@bob/posts/{quoting}"))
    assert len(imgs(page)) == 1
    assert page.all(class_="quoted-photos")
    repost(by=bob, post=shown)
    drain_stream()
    assert len(page.all(class_="post-photos")) == 0
    assert Html(log_in(alice).get("/")).all(class_="post-photos")


@embedded_alone
def test_the_media_of_a_person_are_the_posts_with_photos_that_the_viewer_may_see(
    alice, bob, carol, log_in
):
    follow(by=bob, user_id=alice.user_id)
    block(by=alice, user_id=carol.user_id)
    words = post(alice)
    for_all = post_photos(alice)
    for_followers = post_photos(alice, audience=Audience.FOLLOWERS)
    mine = post_photos(alice, audience=Audience.ONLY_ME)

    def media(browser) -> list[str]:
        return Html(browser.get("/@alice/media")).post_ids()

    assert media(Client()) == [for_all]
    assert media(log_in(bob)) == [for_followers, for_all]
    assert media(log_in(alice)) == [mine, for_followers, for_all]
    assert words not in media(log_in(alice))
    assert log_in(carol).get("/@alice/media").status_code == 404


@embedded_alone
def test_media_go_on_over_pages(alice):
    posts = [post_photos(alice) for _ in range(22)]
    page = Html(Client().get("/@alice/media"))
    rest = Html(Client().get(page.link("next")))
    assert [*page.post_ids(), *rest.post_ids()] == posts[::-1]


@embedded_alone
def test_other_sites_get_a_jpeg_of_a_post_for_everyone_alone(alice, log_in, bob):
    follow(by=bob, user_id=alice.user_id)
    open_post = post_photos(alice)
    closed = post_photos(alice, audience=Audience.FOLLOWERS)
    head = opengraph(Html(Client().get(f"/@alice/posts/{open_post}")))
    image = head["image"].removeprefix("http://testserver")
    assert Client().get(image)["Content-Type"] == "image/jpeg"
    page = log_in(bob).get(f"/@alice/posts/{closed}")
    assert "image" not in opengraph(Html(page))
    feed = Feed.of(Client().get("/@alice/feed.atom"))
    assert [
        one.removeprefix("http://testserver") for one in feed.links("a:entry/a:link", "enclosure")
    ] == [image]
