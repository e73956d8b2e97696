"""Reposting: the button, the count, each post once in timelines and on profiles, and what can be taken back."""

import pytest
from django.test import Client

from accounts.people.cards import PersonCard
from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.people.viewer import Viewer
from feed.cards.post_card import PostCard
from feed.cards.reads import get_post
from feed.home.reads import get_favourites, get_timeline, list_newer
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience, LikeCount, Post, Withheld
from feed.posts.reads import Pointer
from feed.profiles.reads import list_liked, list_posts
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.reads import list_reposters
from feed.sharing.writes import repost, take_repost_back
from feed.threads.writes import leave_thread, set_reply_aside
from feed.timelines.local import list_public
from relations.blocks.writes import block, mute, unblock
from relations.follows.writes import follow
from relations.own_choices.writes import favourite, hide_reposts
from relations.reads import get_person
from socialsite.streams.models import JobKind
from socialsite.table import Place, change, fetch, get, keys, query, write_cursor
from socialsite.table.ids import new_id
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer
from tests.looks import broken_invariants
from tests.moderation.cases import restrict, withhold
from tests.relations.scenes import relationship
from tests.streams.crowd import crowd, gather, home, jobs, last_here, returning
from tests.web.html import Html

ON, OFF = {"on": "1"}, {"on": "0"}


@pytest.fixture
def post_id(alice) -> str:
    return post(alice)


def press(browser: Client, post_id: str, form: dict[str, str], **extra):
    return browser.post(f"/@alice/posts/{post_id}/repost", form, **extra)


def stored(viewer, post_id: str) -> list[str]:
    """The types of what a repost consists of, among them those of the person's own posts."""
    wanted = [keys.reposter(post_id, viewer.user_id), keys.like_trace(viewer.user_id, post_id)]
    lists = fetch(wanted, consistent=True).values()
    own = query(keys.posts(viewer.user_id), consistent=True)
    return sorted(raw["type"]["S"] for raw in (*lists, *own))


def counted(post_id: str) -> int:
    return int(get(LikeCount, keys.like_count(post_id)).reposts or 0)


def test_a_repost_is_one_transaction_of_three_items(alice, bob, post_id, requests_of):
    with requests_of() as requests:
        repost(by=bob, post=Pointer(post_id, alice.user_id))
    assert requests.operations == ["GetItem", "TransactWriteItems"]
    puts = [action["Put"]["Item"] for action in requests.made[1].parameters["TransactItems"]]
    assert [put["type"]["S"] for put in puts] == ["Repost", "Reposter", "LikeTrace"]


def test_pressing_leads_back_to_the_post(alice, bob, post_id, log_in):
    response = press(log_in(bob), post_id, ON)
    assert (response.status_code, response["Location"]) == (302, f"/@alice/posts/{post_id}")
    assert stored(bob, post_id) == ["LikeTrace", "Repost", "Reposter"]


def test_pressing_over_htmx_answers_the_button_with_the_repost_counted(alice, bob, post_id, log_in):
    page = Html(press(log_in(bob), post_id, ON, headers=HTMX))
    assert page.elements[0]["class"] == "repost"
    button = page.one("button")
    assert (button["aria-pressed"], button["value"]) == ("true", "0")
    assert page.one(class_="repost-count").text == "1 repost"


def test_pressing_twice_reposts_once_and_is_taken_back_once(
    alice, bob, carol, post_id, log_in, drain_stream
):
    for viewer in (bob, bob, carol):
        press(log_in(viewer), post_id, ON)
    drain_stream()
    assert counted(post_id) == 2
    for _ in range(2):
        page = Html(press(log_in(bob), post_id, OFF, headers=HTMX))
        assert page.one("button")["aria-pressed"] == "false"
    drain_stream()
    assert counted(post_id) == 1
    assert stored(bob, post_id) == []
    assert not broken_invariants()


def test_a_repost_is_no_like_and_outlives_one(alice, bob, post_id, log_in, drain_stream):
    where = {"post_id": post_id, "author_id": alice.user_id}
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    assert not get_post(*where.values(), viewer=bob).liked
    like_post(by=bob, **where)
    like_post(by=bob, **where)
    drain_stream()
    card = get_post(*where.values(), viewer=bob)
    assert (card.liked, card.reposted, card.like_count, card.repost_count) == (True, True, 1, 1)
    unlike_post(by=bob, post_id=post_id)
    unlike_post(by=bob, post_id=post_id)
    drain_stream()
    card = get_post(*where.values(), viewer=bob)
    assert (card.liked, card.reposted, card.like_count, card.repost_count) == (False, True, 0, 1)
    assert not broken_invariants()


def test_a_like_outlives_a_repost(alice, bob, post_id, drain_stream):
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    take_repost_back(by=bob, post_id=post_id)
    drain_stream()
    card = get_post(post_id, alice.user_id, viewer=bob)
    assert (card.liked, card.reposted, card.like_count, card.repost_count) == (True, False, 1, 0)
    assert not broken_invariants()


def test_what_is_reposted_alone_is_not_among_the_likes(alice, bob, post_id):
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    liked = post(alice)
    like_post(by=bob, post_id=liked, author_id=alice.user_id)
    own = PersonCard(bob.user_id, "bob", "Bob", "/@bob", "")
    assert [card.post_id for card in list_liked(own, viewer=bob).items] == [liked]


def test_the_people_who_reposted_are_listed(alice, bob, carol, post_id, log_in):
    for viewer in (bob, carol):
        repost(by=viewer, post=Pointer(post_id, alice.user_id))
    assert [one.handle for one in list_reposters(post_id).items] == ["bob", "carol"]
    text = log_in(alice).get(f"/@alice/posts/{post_id}/reposters").content.decode()
    assert "@bob" in text
    assert "@carol" in text


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME])
def test_only_posts_for_everyone_are_reposted(alice, log_in, audience):
    closed = publish_post(by=alice, content="Psst", nonce=new_id(), audience=audience)
    browser = log_in(alice)
    assert press(browser, closed, ON).status_code == 404
    assert "/repost" not in browser.get(f"/@alice/posts/{closed}").content.decode()


def test_a_post_that_is_not_there_is_not_reposted(alice, bob, post_id, log_in):
    browser, other = log_in(bob), new_id()
    for address in (f"/@alice/posts/{other}", f"/@bob/posts/{post_id}"):
        assert browser.post(f"{address}/repost", ON).status_code == 404
    assert stored(bob, post_id) == []


def test_a_repost_has_no_page_and_takes_nothing(alice, bob, post_id, log_in):
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    (own,) = query(keys.posts(bob.user_id))
    browser, address = log_in(alice), f"/@bob/posts/{own['post_id']['S']}"
    for page in ("", "/reposters", "/likers", "/reply", "/delete"):
        assert browser.get(f"{address}{page}").status_code == 404
    for deed in ("like", "repost"):
        assert browser.post(f"{address}/{deed}", ON).status_code == 404
    sent = {"content": "Hm", "nonce": "n" * 22}
    assert browser.post(f"{address}/reply", sent).status_code == 404
    assert log_in(bob).post(f"{address}/delete").status_code in (302, 404)
    assert stored(bob, post_id) == ["LikeTrace", "Repost", "Reposter"]


def test_deleting_a_post_clears_its_reposts(alice, bob, carol, post_id, drain_stream):
    for viewer in (bob, carol):
        repost(by=viewer, post=Pointer(post_id, alice.user_id))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert stored(bob, post_id) == stored(carol, post_id) == []
    assert not broken_invariants()


def test_a_repost_that_crosses_the_deletion_is_cleared(alice, bob, post_id, drain_stream):
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert stored(bob, post_id) == []
    assert not broken_invariants()


def test_a_repost_is_not_counted_as_a_post(alice, bob, post_id, drain_stream):
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert get_user_info(bob.user_id).posts == 0
    assert not broken_invariants()


def test_replies_are_reposted_with_their_thread(alice, bob, carol, post_id, log_in):
    first = answer(bob, alice, post_id)
    assert log_in(carol).post(f"/@bob/posts/{first}/repost", ON).status_code == 302
    (own,) = query(keys.posts(carol.user_id))
    assert (own["root_id"]["S"], own["repost_of"]["S"]) == (post_id, first)


# Reposts in timelines and on profiles: each post once, with the people who reposted it, while it is for everyone.


@pytest.fixture
def reader(bob):
    """A person who follows bob alone."""
    reader = person("reader")
    follow(by=reader, user_id=bob.user_id)
    return reader


@pytest.fixture
def reposted(alice, bob, reader, post_id, drain_stream) -> str:
    """A post of Alice in the reader's timeline, by Bob's repost."""
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert home(reader) == [post_id]
    return post_id


def cards(viewer) -> list[PostCard]:
    return list(get_timeline(returning(viewer)).items)


def reposters(card: PostCard) -> list[str]:
    return [one.handle for one in card.reposters]


def profile(author, viewer) -> list[PostCard]:
    person_card = get_person(author.user_id, viewer=viewer)
    return list(list_posts(person_card, viewer=viewer).items)


def test_a_repost_brings_the_post_to_followers(reader, reposted):
    (card,) = cards(reader)
    assert (card.post_id, card.author.handle, reposters(card)) == (reposted, "alice", ["bob"])
    assert not broken_invariants()


def test_the_page_says_who_reposted(reader, reposted, log_in):
    page = Html(log_in(reader).get("/"))
    assert page.one(class_="post-reposted").text.split() == ["Bob", "Brandt", "reposted"]


def test_several_reposts_are_one_card_where_the_newest_is(
    alice, bob, carol, reader, post_id, drain_stream
):
    for one in (alice, carol):
        follow(by=reader, user_id=one.user_id)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    newer = post(alice)
    repost(by=carol, post=Pointer(post_id, alice.user_id))
    drain_stream()
    first, second = cards(reader)
    assert [first.post_id, second.post_id] == [post_id, newer]
    assert reposters(first) == ["carol", "bob"]


def test_a_repost_is_on_the_profile_and_not_in_the_local_timeline(bob, carol, reposted):
    (card,) = profile(bob, carol)
    assert (card.post_id, reposters(card)) == (reposted, ["bob"])
    assert [one.post_id for one in list_public(viewer=carol).items] == [reposted]
    assert [reposters(one) for one in list_public(viewer=carol).items] == [[]]


def test_a_new_follower_gets_reposts_with_the_newest_posts(bob, carol, reposted, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    drain_stream()
    assert home(carol) == [reposted]
    assert not broken_invariants()


def test_a_repost_taken_back_is_gone_before_the_worker_comes(bob, reader, reposted):
    take_repost_back(by=bob, post_id=reposted)
    assert cards(reader) == []
    assert profile(bob, reader) == []


def test_a_deleted_post_is_gone_from_reposts(alice, bob, reader, reposted):
    delete_post(by=alice, post_id=reposted)
    assert cards(reader) == []
    assert profile(bob, reader) == []


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME])
def test_a_post_that_is_for_some_now_is_gone_from_reposts(alice, bob, reader, reposted, audience):
    follow(by=reader, user_id=alice.user_id)
    change(Post, keys.post(alice.user_id, reposted), [Post.audience.set(audience)])
    assert [reposters(card) for card in cards(reader)] == []
    assert profile(bob, reader) == []


@pytest.mark.parametrize("restriction", [Restriction.SUSPENDED, Restriction.LIMITED])
def test_posts_of_restricted_people_are_gone_from_reposts(
    alice, bob, reader, reposted, restriction
):
    restrict(alice, restriction)
    assert cards(reader) == []
    assert profile(bob, reader) == []


def test_reposts_by_suspended_people_are_gone(bob, reader, reposted):
    restrict(bob, Restriction.SUSPENDED)
    assert cards(reader) == []


@pytest.mark.parametrize("why", Withheld)
def test_a_withheld_post_is_gone_from_reposts(alice, bob, reader, reposted, why):
    withhold(alice, reposted, why)
    assert cards(reader) == []
    assert profile(bob, reader) == []


@pytest.mark.parametrize("blocker", ["author", "reader"])
def test_a_block_hides_the_author_in_reposts_of_others(alice, bob, reader, reposted, blocker):
    if blocker == "author":
        block(by=alice, user_id=reader.user_id)
    else:
        block(by=reader, user_id=alice.user_id)
    assert cards(reader) == []
    assert profile(bob, reader) == []


def test_a_mute_hides_the_author_in_reposts_at_home_alone(
    alice, bob, reader, reposted, drain_stream
):
    mute(by=reader, user_id=alice.user_id)
    assert cards(reader) == []
    drain_stream()
    assert cards(reader) == []
    assert [card.post_id for card in profile(bob, reader)] == [reposted]


def test_what_a_favourite_reposts_of_somebody_muted_stays_out(alice, bob, reader, reposted):
    favourite(by=reader, user_id=bob.user_id)
    assert [card.post_id for card in get_favourites(returning(reader)).items] == [reposted]
    mute(by=reader, user_id=alice.user_id)
    assert get_favourites(returning(reader)).items == []


@pytest.mark.parametrize("hide", [block, mute])
@pytest.mark.parametrize("left", ["a deleted post", "a repost that was taken back"])
def test_what_is_left_of_the_author_in_home_does_not_let_reposts_of_others_through(
    alice, bob, carol, reader, post_id, drain_stream, hide, left
):
    follow(by=reader, user_id=alice.user_id)
    if left == "a deleted post":
        gone = post(alice, "A moment only")
        drain_stream()
        delete_post(by=alice, post_id=gone)
    else:
        other = Pointer(post(carol), carol.user_id)
        repost(by=alice, post=other)
        drain_stream()
        take_repost_back(by=alice, post_id=other.post_id)
    drain_stream()
    hide(by=reader, user_id=alice.user_id)
    drain_stream()
    last_here(reader, "2099-01-01")  # on another day nobody is named as hidden
    drain_stream()
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert returning(reader).hidden == ()
    assert alice.user_id in {raw["author_id"]["S"] for raw in query(keys.timeline(reader.user_id))}
    assert cards(reader) == []


def test_a_reply_is_reposted_as_far_as_its_thread_is_open(
    alice, bob, carol, reader, post_id, drain_stream
):
    first = answer(carol, alice, post_id)
    thread = (post_id, alice.user_id, alice.user_id)
    repost(by=bob, post=Pointer(first, carol.user_id, *thread))
    drain_stream()
    (card,) = cards(reader)
    assert (card.post_id, card.is_reply, reposters(card)) == (first, True, ["bob"])
    assert card.answered is not None
    change(Post, keys.post(alice.user_id, post_id), [Post.audience.set(Audience.FRIENDS)])
    assert cards(reader) == []


def test_home_reads_a_page_of_reposts_in_three_calls(
    alice, bob, carol, reader, drain_stream, log_in, measure
):
    for number in range(8):
        author = (alice, carol)[number % 2]
        repost(by=bob, post=Pointer(post(author, f"Post {number}"), author.user_id))
    drain_stream()
    browser = log_in(reader)
    browser.get("/")
    with measure() as meter:
        browser.get("/")
    assert len(meter.calls) == 3


def test_the_pill_tells_of_reposts(alice, bob, reader, post_id, drain_stream):
    post(bob, "Before")
    drain_stream()
    top = get_timeline(returning(reader))
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    since = write_cursor(keys.timeline(reader.user_id), Place("previous", str(top.top)))
    newer = list_newer(returning(reader), since=since)
    assert [card.post_id for card in newer.items] == [post_id]


def test_a_repost_by_someone_with_many_followers_is_brought_by_a_job(
    alice, bob, post_id, drain_stream, settings
):
    gather(readers := crowd(3), bob)
    drain_stream()
    settings.FAN_OUT_INLINE = 2
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert all(home(one) == [post_id] for one in readers)
    assert not jobs(JobKind.FAN_OUT)
    assert not broken_invariants()


def test_reposts_of_pulled_people_are_merged_in(alice, bob, post_id, drain_stream, settings):
    gather(readers := crowd(3), bob)
    drain_stream()
    settings.PULL_ABOVE = 2
    post(bob, "Makes them pulled")
    drain_stream()
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert all(home(one)[0] == post_id for one in readers)
    assert not [raw for raw in query(keys.timeline(readers[0].user_id)) if "repost_of" in raw]
    assert not broken_invariants()


def test_the_atom_feed_has_no_reposts(bob, reposted, client):
    own = post(bob, "My own words")
    feed = client.get("/@bob/feed.atom").content.decode()
    assert own in feed
    assert reposted not in feed


# What one page of home showed as a repost does not come again on the next ones, as long as the cursor can tell.


def test_a_reposted_post_does_not_come_again_on_later_pages(
    alice, bob, carol, drain_stream, log_in
):
    reader = person("reader")
    for one in (alice, bob, carol):
        follow(by=reader, user_id=one.user_id)
    posts = [post(alice) for _ in range(65)]
    for post_id in posts:
        repost(by=bob, post=Pointer(post_id, alice.user_id))
    repost(by=carol, post=Pointer(posts[-1], alice.user_id))
    drain_stream()
    browser, address, shown = log_in(reader), "/", []
    while address:
        assert len(address) < 800
        page = Html(browser.get(address))
        shown += page.post_ids()
        address = page.link("next")
    again = {post_id for post_id in posts if shown.count(post_id) > 1}
    assert set(shown) == {*posts}
    assert again <= {*posts[60:]}  # the cursor holds sixty
    assert shown.count(posts[0]) == 1


TAKEN_BACK = {"on": "0"}
# What someone did with a post can be taken back after the post was hidden from them: undoing asks for no sight.

DEEDS = ["like", "repost"]
LISTS = {"like": "/@alice/likes", "repost": "/@alice"}


@pytest.fixture
def unseen_post(bob) -> str:
    return post(bob, "Bob says so")


def do(deed: str, by: Viewer, author: Viewer, post_id: str) -> None:
    if deed == "like":
        like_post(by=by, post_id=post_id, author_id=author.user_id)
    else:
        repost(by=by, post=Pointer(post_id, author.user_id))


def narrow(alice: Viewer, bob: Viewer, post_id: str) -> None:
    change_audience(by=bob, post_id=post_id, audience=Audience.ONLY_ME)


HIDING = {
    "blocked by the author": lambda alice, bob, post_id: block(by=bob, user_id=alice.user_id),
    "blocking the author": lambda alice, bob, post_id: block(by=alice, user_id=bob.user_id),
    "for the author alone": narrow,
    "of someone suspended": lambda alice, bob, post_id: restrict(bob, Restriction.SUSPENDED),
}


def traces(viewer: Viewer, post_id: str) -> list[str]:
    wanted = [
        keys.like(post_id, viewer.user_id),
        keys.reposter(post_id, viewer.user_id),
        keys.like_trace(viewer.user_id, post_id),
    ]
    return [raw["type"]["S"] for raw in fetch(wanted, consistent=True).values()]


@pytest.mark.parametrize("hidden", HIDING)
@pytest.mark.parametrize("deed", DEEDS)
def test_a_button_from_before_still_undoes(alice, bob, unseen_post, log_in, deed, hidden):
    do(deed, alice, bob, unseen_post)
    HIDING[hidden](alice, bob, unseen_post)
    browser = log_in(alice)
    assert browser.get(f"/@bob/posts/{unseen_post}").status_code == 404
    response = browser.post(f"/@bob/posts/{unseen_post}/{deed}", TAKEN_BACK, headers=HTMX)
    assert response.status_code == 200
    assert traces(alice, unseen_post) == []


@pytest.mark.parametrize("hidden", HIDING)
@pytest.mark.parametrize("deed", DEEDS)
def test_the_own_list_keeps_a_place_for_it_and_undoes_it_there(
    alice, bob, unseen_post, log_in, drain_stream, deed, hidden
):
    do(deed, alice, bob, unseen_post)
    HIDING[hidden](alice, bob, unseen_post)
    drain_stream()
    browser = log_in(alice)
    page = Html(browser.get(LISTS[deed]))
    assert "no longer available" in page.one("div", id=f"unseen-{unseen_post}").text
    assert "Bob" not in page.one("div", id=f"unseen-{unseen_post}").text
    address = page.one("button", name="on", value="0")["formaction"]
    response = browser.post(address, TAKEN_BACK)
    assert response["Location"] == LISTS[deed]
    assert traces(alice, unseen_post) == []
    assert not Html(browser.get(LISTS[deed])).all("div", id=f"unseen-{unseen_post}")
    drain_stream()
    assert not broken_invariants()


def test_a_repost_taken_back_meanwhile_does_not_return_with_its_post(
    alice, bob, carol, unseen_post, log_in
):
    repost(by=alice, post=Pointer(unseen_post, bob.user_id))
    change_audience(by=bob, post_id=unseen_post, audience=Audience.ONLY_ME)
    log_in(alice).post(f"/@alice/posts/{unseen_post}/repost", TAKEN_BACK)
    change_audience(by=bob, post_id=unseen_post, audience=Audience.EVERYONE)
    assert Html(log_in(carol).get("/@alice")).post_ids() == []


def test_others_see_no_place_for_a_post_that_is_hidden_from_them(
    alice, bob, carol, unseen_post, log_in
):
    repost(by=alice, post=Pointer(unseen_post, bob.user_id))
    block(by=bob, user_id=carol.user_id)
    for browser in (log_in(carol), Client()):
        assert "unseen-" not in browser.get("/@alice").content.decode()


def test_the_own_page_shows_what_can_be_seen_in_its_order(alice, bob, carol, log_in):
    first, hidden, seen = post(alice, "First"), post(bob), post(carol)
    for author, one in ((bob, hidden), (carol, seen)):
        repost(by=alice, post=Pointer(one, author.user_id))
    block(by=bob, user_id=alice.user_id)
    page = Html(log_in(alice).get("/@alice"))
    assert page.post_ids() == [seen, first]
    assert page.one("div", id=f"unseen-{hidden}")


@pytest.mark.parametrize("deed", DEEDS)
def test_the_answer_does_not_say_whether_the_post_is_there(alice, bob, unseen_post, log_in, deed):
    block(by=bob, user_id=alice.user_id)
    browser = log_in(alice)
    addresses = (
        f"/@bob/posts/{unseen_post}",
        f"/@bob/posts/{new_id()}",
        f"/@nobody/posts/{unseen_post}",
    )
    answers = [browser.post(f"{one}/{deed}", TAKEN_BACK) for one in addresses]
    assert [(one.status_code, one["Location"]) for one in answers] == [(302, "/")] * 3


@pytest.mark.parametrize("deed", DEEDS)
def test_nobody_begins_with_a_post_that_they_may_not_see(alice, bob, unseen_post, log_in, deed):
    block(by=bob, user_id=alice.user_id)
    response = log_in(alice).post(f"/@bob/posts/{unseen_post}/{deed}", {"on": "1"})
    assert response.status_code == 404
    assert traces(alice, unseen_post) == []


@pytest.mark.parametrize("where", ["root", "reply", "own reply"])
def test_a_conversation_that_was_left_is_joined_again_from_a_hidden_post(
    alice, bob, carol, unseen_post, log_in, where
):
    posts = {
        "root": ("bob", unseen_post),
        "reply": ("bob", answer(bob, bob, unseen_post)),
        "own reply": ("alice", answer(alice, bob, unseen_post)),
    }
    leave_thread(by=alice, root_id=unseen_post)
    block(by=bob, user_id=alice.user_id)
    browser, (handle, at) = log_in(alice), posts[where]
    assert browser.post(f"/@{handle}/posts/{at}/leave", TAKEN_BACK).status_code == 302
    assert not fetch([keys.left_thread(alice.user_id, unseen_post)], consistent=True)


def test_a_reply_that_was_hidden_is_shown_again_after_its_author_blocks(alice, bob, carol, log_in):
    root = post(alice)
    reply = answer(bob, alice, root)
    set_reply_aside(by=alice, reply=Pointer(reply, bob.user_id), on=True)
    block(by=bob, user_id=alice.user_id)
    response = log_in(alice).post(f"/@bob/posts/{reply}/hide", TAKEN_BACK)
    assert response["Location"] == f"/@alice/posts/{root}"
    assert "Hidden by" not in log_in(carol).get(f"/@alice/posts/{root}").content.decode()


def test_a_mute_and_hidden_reposts_end_while_the_person_blocks_the_viewer(alice, bob, log_in):
    mute(by=alice, user_id=bob.user_id)
    hide_reposts(by=alice, user_id=bob.user_id)
    block(by=bob, user_id=alice.user_id)
    browser = log_in(alice)
    for what in ("mute", "hide-reposts"):
        assert browser.post(f"/@bob/{what}", TAKEN_BACK).status_code == 404
    unblock(by=bob, user_id=alice.user_id)
    assert not relationship(alice, bob).mutes
    assert "Show reposts" not in browser.get("/@bob").content.decode()


@pytest.mark.parametrize("form", [{}, {"place": "muted"}])
@pytest.mark.parametrize("what", ["mute", "block", "follow", "favourite", "friend"])
def test_what_is_between_oneself_and_someone_suspended_ends(alice, bob, log_in, what, form):
    restrict(bob, Restriction.SUSPENDED)
    response = log_in(alice).post(f"/@bob/{what}", TAKEN_BACK | form, headers=HTMX)
    assert response.status_code in (200, 204)
