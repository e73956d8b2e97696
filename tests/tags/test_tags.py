"""Tags: found, completed, followed, posts listed under them, mended, and as Atom."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from feed.posts.models import Audience, Post, Withheld
from feed.publishing.writes import delete_post, publish_post
from relations.blocks.writes import block
from relations.directory import find_tags
from relations.follows.writes import follow
from relations.own_choices.writes import (
    MOST_FOLLOWED_TAGS,
    TooManyTags,
    follow_tag,
    followed_tags_now,
    unfollow_tag,
)
from socialsite.clock import utc_now
from socialsite.streams.change import Change, change_of, dead_letter_of
from socialsite.streams.ledger import Ledger
from socialsite.table import change, fetch, ids, keys, query, reading, write_batch
from tags.checks import mend_tags
from tags.models import TagEntry, tag_items
from tags.reads import complete
from tags.stream_handlers import list_under_tags
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer
from tests.feed.test_outside import Feed
from tests.moderation.cases import mark_sensitive, restrict, withhold
from tests.tags.tagged import found_tags, under
from tests.web.html import Html


def set_on(author: Viewer, post_id: str, *actions) -> None:
    change(Post, keys.post(author.user_id, post_id), list(actions))


def test_a_public_post_stands_under_each_of_its_tags_once_the_worker_has_passed(
    alice, drain_stream
):
    post_id = post(alice, "#Cats and #dogs")
    assert under("cats") == []
    drain_stream()
    assert under("cats") == under("dogs") == [post_id]
    assert found_tags("ca") == ["cats"]


@pytest.mark.parametrize("audience", [one for one in Audience if one])
def test_a_post_for_some_does_not(alice, drain_stream, audience):
    publish_post(by=alice, content="#cats", nonce=ids.new_id(), audience=audience)
    drain_stream()
    assert under("cats") == found_tags("ca") == []


def test_an_answer_to_somebody_else_does_not_but_a_part_of_ones_story_does(
    alice, bob, drain_stream
):
    root = post(alice, "a story")
    answer(bob, alice, root, "#cats")
    part = answer(alice, alice, root, "#cats")
    drain_stream()
    assert under("cats") == [part]


def test_a_held_post_stands_under_its_tags_from_its_release_on(alice, drain_stream):
    post_id = post(alice, "#cats")
    withhold(alice, post_id, Withheld.HELD)
    drain_stream()
    assert under("cats") == found_tags("ca") == []
    set_on(alice, post_id, Post.withheld.remove())
    drain_stream()
    assert under("cats") == [post_id]


def test_a_deleted_post_leaves_its_tags_and_the_last_one_the_index(alice, bob, drain_stream):
    post_id, other = post(alice, "#cats"), post(bob, "#cats")
    drain_stream()
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert (under("cats"), found_tags("ca")) == ([other], ["cats"])
    delete_post(by=bob, post_id=other)
    drain_stream()
    assert under("cats") == found_tags("ca") == []


def test_an_edit_takes_tags_away_and_brings_others(alice, drain_stream):
    post_id = post(alice, "#cats #dogs")
    drain_stream()
    set_on(alice, post_id, Post.content.set("#dogs #birds"))
    drain_stream()
    assert (under("cats"), under("dogs"), under("birds")) == ([], [post_id], [post_id])


def test_a_post_that_becomes_one_for_some_leaves_its_tags(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    set_on(alice, post_id, Post.audience.set(Audience.FRIENDS))
    drain_stream()
    assert under("cats") == []


def test_an_entry_expires_with_its_time_under_tags(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    entry = reading.get(TagEntry, keys.tag_entry("cats", post_id, alice.user_id))
    lasts = entry.ttl - ids.time_of(post_id)
    assert lasts.total_seconds() == pytest.approx(settings.TAG_DAYS * 86_400, abs=1)


def test_a_post_that_is_older_is_not_listed(alice):
    old = ids.first_id_at(utc_now() - timedelta(days=settings.TAG_DAYS + 1))
    made = Post.new(post_id=old, author_id=alice.user_id, content="#cats")
    list_under_tags(Change("INSERT", None, made, "1"), Ledger())
    assert under("cats") == []


def test_a_dead_letter_keeps_no_text_and_its_post_is_listed_all_the_same(alice):
    post_id = post(alice, "#cats")
    made = reading.get(Post, keys.post(alice.user_id, post_id)).serialize()
    record = {
        "eventName": "INSERT",
        "dynamodb": {
            "Keys": {name: made[name] for name in ("PK", "SK")},
            "NewImage": made,
            "SequenceNumber": "1",
        },
    }
    letter = dead_letter_of(record, shard_id="s", error=ValueError("no"))
    assert "cats" not in str(letter.image)
    list_under_tags(change_of(letter), Ledger())
    assert under("cats") == [post_id]


def test_handled_twice_it_is_the_same(alice, drain_stream):
    post_id = post(alice, "#cats")
    made = reading.get(Post, keys.post(alice.user_id, post_id))
    for _ in range(2):
        list_under_tags(Change("INSERT", None, made, "1"), Ledger())
    assert (under("cats"), found_tags("ca")) == ([post_id], ["cats"])
    for _ in range(2):
        list_under_tags(Change("REMOVE", made, None, "2"), Ledger())
    assert under("cats") == found_tags("ca") == []


def test_a_tag_of_one_chinese_letter_is_found(alice, drain_stream):
    post(alice, "#猫 #猫咪")
    drain_stream()
    assert found_tags("猫") == ["猫", "猫咪"]


# What reconcile mends of tags after stream records were lost.


def mend(author, tag: str = "cats") -> None:
    posts = list(query(keys.posts(author.user_id)))
    mend_tags(posts, list(query(keys.tagged_posts(tag))))


def test_a_post_that_was_never_listed_is(alice):
    post_id = post(alice, "#cats")
    mend(alice)
    assert (under("cats"), found_tags("ca")) == ([post_id], ["cats"])


def test_a_tag_that_is_not_found_is_found_again(alice, drain_stream):
    post(alice, "#cats")
    drain_stream()
    write_batch(deletes=[keys.tag_use("cats")])
    mend(alice)
    assert found_tags("ca") == ["cats"]


def test_an_entry_of_a_post_that_is_gone_goes(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    entries = fetch([keys.tag_entry("cats", post_id, alice.user_id)]).values()
    delete_post(by=alice, post_id=post_id)
    mend_tags([], list(entries))
    assert under("cats") == found_tags("ca") == []


def test_an_entry_under_a_tag_as_it_was_once_cut_moves_to_the_whole_tag(alice):
    post_id = post(alice, "#il·lusió")
    (raw,) = query(keys.posts(alice.user_id))
    write_batch(puts=tag_items(Post.from_raw_data(raw), ["il"]))
    mend(alice, "il")
    assert (under("il"), under("il·lusió")) == ([], [post_id])


def test_what_is_right_stays(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    mend(alice)
    assert under("cats") == [post_id]


# What the composer asks for while someone types: at most eight people or tags.


def texts(typed: str, viewer) -> list[str]:
    return [one.text for one in complete(typed, viewer=viewer)]


def test_people_whom_one_follows_come_first(alice, drain_stream):
    others = [person(f"otto{number}") for number in range(4)]
    follow(by=alice, user_id=others[2].user_id)
    drain_stream()
    assert texts("@ot", alice) == ["@otto2", "@otto0", "@otto1", "@otto3"]


def test_at_most_eight(alice, drain_stream):
    for number in range(9):
        person(f"otto{number}")
    post(alice, " ".join(f"#tag{number}" for number in range(9)))
    drain_stream()
    assert len(texts("@ot", alice)) == len(texts("#tag", alice)) == 8


def test_people_are_found_by_a_word_of_their_name_and_written_as_their_handle(
    alice, bob, drain_stream
):
    drain_stream()
    assert texts("@bran", alice) == ["@bob"]


def test_nobody_is_suggested_whom_a_block_hides(alice, bob, drain_stream):
    block(by=bob, user_id=alice.user_id)
    drain_stream()
    assert texts("@bo", alice) == []


@pytest.mark.parametrize("typed", ["", "@", "#", "bo", "cats", "@ ", "#-", "&bo"])
def test_anything_else_finds_nothing(alice, bob, drain_stream, typed):
    post(bob, "#cats")
    drain_stream()
    assert texts(typed, alice) == []


def test_the_answer_is_options_or_nothing(alice, bob, log_in, drain_stream):
    post(bob, "#Cats")
    drain_stream()
    browser = log_in(alice)
    for typed, text in (
        ("%23ca", "#cats"),
        ("%EF%BC%83CA", "#cats"),
        ("@bo", "@bob"),
        ("＠bo", "@bob"),
    ):
        option = Html(browser.get(f"/complete?q={typed}")).one("li")
        assert option["data-text"] == text
    assert browser.get("/complete?q=@zz").status_code == 204
    assert browser.get("/complete").status_code == 204


# Searching for tags: by their beginning, with or without the sign, while posts stand under them.


@pytest.fixture
def in_use(alice, drain_stream) -> str:
    """A post, so that these tags are in use."""
    post_id = post(alice, "#Cats #caterpillar #año #猫 #snow_day #ca")
    drain_stream()
    return post_id


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("cat", ["caterpillar", "cats"]),
        ("#CATS", ["cats"]),
        ("＃ｃａ", ["ca", "caterpillar", "cats"]),
        ("c", []),
        ("猫", ["猫"]),
        ("año", ["año"]),
        ("ano", []),
        ("snow_", ["snow_day"]),
        ("cats dogs", []),
        ("#", []),
        ("", []),
        ("a" * 200, []),
    ],
)
def test_a_tag_is_found_by_its_beginning(in_use, text, tags):
    assert find_tags(text, size=8) == tags


def test_at_most_as_many_as_asked_for(in_use):
    assert find_tags("ca", size=2) == ["ca", "caterpillar"]


def test_the_search_leads_to_the_pages_of_tags(in_use):
    for headers in ({}, HTMX):
        found = Html(Client().get("/search?q=%23cat", headers=headers))
        links = [link["href"] for link in found.all("a", class_="chip")]
        assert links == ["/tags/caterpillar", "/tags/cats"]
        assert "We couldn’t find" not in found.one(id="found").text


def test_people_and_tags_are_found_together(in_use, alice, drain_stream):
    post(alice, "#alps")
    drain_stream()
    found = Html(Client().get("/search?q=al"))
    assert [link["href"] for link in found.all("a", class_="chip")] == ["/tags/alps"]
    assert found.handles() == ["alice"]


def test_a_tag_that_nobody_uses_any_more_is_not_found(in_use, alice, drain_stream):
    delete_post(by=alice, post_id=in_use)
    drain_stream()
    found = Html(Client().get("/search?q=%23cats"))
    assert not found.all("a", class_="chip")
    assert "We couldn’t find “#cats”" in found.one(id="found").text


# Following a tag: the button, the list of followed tags, and how many there can be.

ON, OFF = {"on": "1"}, {"on": "0"}
FOLLOW = "/tags/cats/follow"
pages = pytest.mark.engines("embedded", reason="looks at the page, which no engine changes")


@pages
def test_the_button_follows_and_unfollows_and_may_be_pressed_twice(alice, log_in):
    browser = log_in(alice)
    for form, state in ((ON, "true"), (ON, "true"), (OFF, "false"), (OFF, "false")):
        answer = browser.post(FOLLOW, form, headers=HTMX)
        assert Html(answer).one("button")["aria-pressed"] == state
        assert followed_tags_now(alice.user_id) == ({"cats"} if form is ON else set())
        button = Html(browser.get("/tags/cats")).one("button", id="follow-tag-cats")
        assert button["aria-pressed"] == state


@pages
def test_without_htmx_it_leads_back(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/tags/Cats/follow", ON)["Location"] == "/tags/cats"
    assert browser.post(f"{FOLLOW}?from=tags", OFF)["Location"] == "/tags"


@pages
def test_what_is_no_press_is_refused(alice, log_in):
    browser = log_in(alice)
    assert browser.post("/tags/2026/follow", ON).status_code == 404
    assert not Html(Client().get("/tags/cats")).all("button", id="follow-tag-cats")


@pages
def test_the_followed_tags_are_listed_with_a_button_each(alice, bob, log_in):
    browser = log_in(alice)
    assert "Follow a tag on its page" in browser.get("/tags").content.decode()
    for tag in ("dogs", "猫"):
        follow_tag(by=alice, tag=tag)
    follow_tag(by=bob, tag="cats")
    page = Html(browser.get("/tags"))
    assert [one["href"] for one in page.all("a", class_="circle-friends")] == [
        "/tags/dogs",
        "/tags/%E7%8C%AB",
    ]
    assert page.one("button", id="follow-tag-猫")["aria-pressed"] == "true"
    assert page.one("button", id="follow-tag-猫")["formaction"].endswith("/follow?from=tags")


def test_one_follows_at_most_fifty(alice, log_in):
    for number in range(MOST_FOLLOWED_TAGS):
        follow_tag(by=alice, tag=f"tag{number}")
    with pytest.raises(TooManyTags):
        follow_tag(by=alice, tag="cats")
    follow_tag(by=alice, tag="tag0")  # repeating is no new one
    browser = log_in(alice)
    for headers in ({}, HTMX):
        assert browser.post(FOLLOW, ON, headers=headers).status_code == 409
    assert "up to 50 tags" in browser.post(FOLLOW, ON).content.decode()
    unfollow_tag(by=alice, tag="tag0")
    follow_tag(by=alice, tag="cats")


def test_a_followed_tag_has_its_follower(alice):
    follow_tag(by=alice, tag="cats")
    both = [keys.followed_tag(alice.user_id, "cats"), keys.tag_follower("cats", alice.user_id)]
    assert set(fetch(both)) == {*both}
    unfollow_tag(by=alice, tag="cats")
    assert not fetch(both)


# The posts with a tag for feed readers: valid Atom, the same for everyone, and nothing that visitors do not see.

SITE = "http://testserver"
PAGE = "/tags/cats/feed.atom"
embedded_alone = pytest.mark.engines(
    "embedded", reason="looks at the feed, which no engine changes"
)


def feed(browser: Client | None = None) -> Feed:
    return Feed.of((browser or Client()).get(PAGE))


@embedded_alone
def test_it_holds_the_newest_posts_whole_with_their_authors(alice, bob, drain_stream):
    posts = [post(alice, f"number {number} #cats") for number in range(22)]
    posts.append(post(bob, "Look: #Cats"))
    drain_stream()
    found = feed()
    assert found.text("a:title") == "#cats"
    assert found.links("a:link", "alternate") == [f"{SITE}/tags/cats"]
    assert found.links("a:link", "self") == [f"{SITE}{PAGE}"]
    entries = found.links("a:entry/a:link", "alternate")
    assert [address.rpartition("/")[2] for address in entries] == posts[:2:-1]
    assert found.texts("a:content")[0] == f'Look: <a href="{SITE}/tags/cats">#Cats</a>'
    assert found.texts("a:author/a:name")[:2] == ["Bob Brandt", "Alice Archer"]


@embedded_alone
def test_an_empty_feed_is_valid_and_stays_the_same(table):
    first, second = Client().get(PAGE), Client().get(PAGE)
    assert first.content == second.content
    assert feed().texts("a:content") == []


@embedded_alone
def test_a_reader_that_has_it_gets_a_304_until_something_changes(alice, drain_stream):
    post_id = post(alice, "#cats")
    drain_stream()
    tag = Client().get(PAGE)["ETag"]
    again = Client().get(PAGE, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    delete_post(by=alice, post_id=post_id)
    assert Client().get(PAGE, headers={"If-None-Match": tag}).status_code == 200


@embedded_alone
def test_it_is_as_visitors_see_it_whoever_asks(alice, bob, log_in, drain_stream):
    post(alice, "#cats")
    drain_stream()
    block(by=alice, user_id=bob.user_id)
    answers = [browser.get(PAGE) for browser in (Client(), log_in(alice), log_in(bob))]
    assert len({answer.content for answer in answers}) == 1
    assert "Cookie" not in answers[0]["Vary"]


@embedded_alone
@pytest.mark.parametrize("hide", ["suspended", "limited", "withheld"])
def test_a_hidden_post_is_absent_as_if_it_had_never_been(alice, drain_stream, hide):
    empty = Client().get(PAGE).content
    post_id = post(alice, "#cats")
    drain_stream()
    if hide == "withheld":
        withhold(alice, post_id)
    else:
        restrict(alice, Restriction(hide))
    assert Client().get(PAGE).content == empty


@embedded_alone
def test_a_sensitive_post_is_covered(alice, drain_stream):
    post_id = post(alice, "Blood #cats")
    drain_stream()
    mark_sensitive(alice, post_id)
    assert "Blood" not in Client().get(PAGE).content.decode()


@embedded_alone
def test_the_page_names_its_feed(table):
    page = Html(Client().get("/tags/cats"))
    assert [link["href"] for link in page.all("link", rel="alternate")] == [PAGE]
