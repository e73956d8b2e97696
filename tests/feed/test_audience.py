"""A post is seen by those whom it is for, wherever posts are shown, and by nobody else."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import UserCount, UserInfo, UserSettings
from accounts.people.reads import get_user_info
from accounts.people.viewer import VISITOR
from accounts.profile.writes import save_privacy
from feed.cards.reads import get_post
from feed.home.reads import get_timeline
from feed.likes.reads import list_likers
from feed.likes.writes import like_post
from feed.posts.models import Audience, Withheld
from feed.profiles.reads import list_posts
from feed.publishing.writes import delete_post, publish_post
from feed.timelines.local import list_public
from feed.timelines.stream import END_MUTE, end_mute
from moderation.cases.effects import Target, effects_of, effects_of_undoing
from moderation.models import ActionKind
from operations.reconcile import reconcile_page
from relations.blocks.writes import block, mute, unblock, unmute
from relations.follows.writes import follow, unfollow
from relations.friends.writes import end_friendship
from relations.models import RelationType
from relations.own_choices.writes import favourite
from relations.relation import update_relation
from socialsite.due.work import do_due
from socialsite.streams.late_writes import CLOCKS_DIFFER
from socialsite.table import NotFound, change, ids, keys, query, transact, write_batch
from socialsite.table.reading import scan
from tests.conftest import HTMX, person, post
from tests.feed.scenes import clock_at
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import mark_sensitive, withhold
from tests.relations.scenes import befriend
from tests.streams.crowd import returning
from tests.web.html import Html

FAMILY = "family"


@pytest.fixture
def cast(alice, bob, carol):
    """Alice's readers: Bob follows her, Carol is a friend, Dora a friend in her family, Erik a stranger."""
    dora, erik = person("dora"), person("erik")
    follow(by=bob, user_id=alice.user_id)
    for friend in (carol, dora):
        befriend(alice, friend)
    update_relation(
        by=alice, relation_type=RelationType.FRIEND, user_id=dora.user_id, tags={FAMILY}
    )
    return {
        "visitor": VISITOR,
        "stranger": erik,
        "follower": bob,
        "friend": carol,
        "in the circle": dora,
        "author": alice,
    }


def say(author, audience, circle=""):
    return publish_post(
        by=author, content="Hello", nonce=ids.new_id(), audience=audience, circle=circle
    )


SEEN_BY = {
    Audience.EVERYONE: {"visitor", "stranger", "follower", "friend", "in the circle", "author"},
    Audience.FOLLOWERS: {"follower", "author"},
    Audience.FRIENDS: {"friend", "in the circle", "author"},
    Audience.CIRCLE: {"in the circle", "author"},
    Audience.ONLY_ME: {"author"},
}


def circle_of(audience):
    return FAMILY if audience == Audience.CIRCLE else ""


@pytest.mark.parametrize("audience", Audience)
def test_the_page_of_a_post_and_the_profile(cast, audience):
    author = cast["author"]
    post_id = say(author, audience, circle_of(audience))
    for name, viewer in cast.items():
        try:
            get_post(post_id, author.user_id, viewer=viewer)
            sees = True
        except NotFound:
            sees = False
        card = returning(author).card if name == "author" else author.card
        page = list_posts(card, viewer=viewer)
        assert sees == bool(page.items) == (name in SEEN_BY[audience]), name


@pytest.mark.parametrize("audience", Audience)
def test_home(cast, audience, drain_stream):
    author = cast["author"]
    say(author, audience, circle_of(audience))
    drain_stream()
    reached = {
        name
        for name, viewer in cast.items()
        if viewer.is_authenticated and get_timeline(returning(viewer)).items
    }
    brought = {"follower", "author"} if audience == Audience.EVERYONE else SEEN_BY[audience]
    assert reached == brought


@pytest.mark.parametrize("audience", Audience)
def test_the_local_timeline_has_what_is_for_everyone(cast, audience, drain_stream):
    say(cast["author"], audience, circle_of(audience))
    drain_stream()
    for viewer in cast.values():
        assert bool(list_public(viewer=viewer).items) == (audience == Audience.EVERYONE)


def test_who_is_a_friend_no_more_sees_it_no_more_at_once(cast, drain_stream):
    alice, carol = cast["author"], cast["friend"]
    say(alice, Audience.FRIENDS)
    drain_stream()
    assert get_timeline(carol).items
    end_friendship(by=alice, user_id=carol.user_id)
    assert not get_timeline(carol).items


def test_who_is_taken_out_of_the_circle_sees_it_no_more_at_once(cast, drain_stream):
    alice, dora = cast["author"], cast["in the circle"]
    say(alice, Audience.CIRCLE, FAMILY)
    drain_stream()
    assert get_timeline(dora).items
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=dora.user_id, tags=())
    assert not get_timeline(dora).items


def test_who_follows_no_more_sees_it_no_more_at_once(cast, drain_stream):
    alice, bob = cast["author"], cast["follower"]
    post_id = say(alice, Audience.FOLLOWERS)
    drain_stream()
    unfollow(by=bob, user_id=alice.user_id)
    with pytest.raises(NotFound):
        get_post(post_id, alice.user_id, viewer=bob)


def test_a_locked_archive_is_for_followers_from_its_date_backwards(cast):
    alice, bob, erik = cast["author"], cast["follower"], cast["stranger"]
    old, lock = say(alice, Audience.EVERYONE), ids.new_id()
    new = say(alice, Audience.EVERYONE)
    locked = [UserInfo.archived_before.set(lock)]
    change(UserInfo, keys.user_info(alice.user_id), locked)
    with pytest.raises(NotFound):
        get_post(old, alice.user_id, viewer=erik)
    assert get_post(old, alice.user_id, viewer=bob)
    assert get_post(new, alice.user_id, viewer=erik)


def test_a_new_follower_is_not_given_what_is_for_friends(cast, drain_stream):
    alice, erik = cast["author"], cast["stranger"]
    say(alice, Audience.FRIENDS)
    open_one = say(alice, Audience.EVERYONE)
    follow(by=erik, user_id=alice.user_id)
    drain_stream()
    assert [card.post_id for card in get_timeline(erik).items] == [open_one]


# A post that waits for a moderator, or was hidden by one: its author alone sees it, and why; it does not count.

SAYS = {
    Withheld.HELD: "Waiting for review. Only you can see it.",
    Withheld.HIDDEN: "Hidden by a moderator. Only you can see it.",
    Withheld.SECURED: "Hidden by a moderator. Only you can see it.",
}
every_reason = pytest.mark.parametrize("why", Withheld)


def count_of(viewer) -> int | None:
    return get_user_info(viewer.user_id).posts


def take_out_of_view(author, post_id: str, why: Withheld) -> None:
    """With the count, as the decision does it."""
    withhold(author, post_id, why)
    change(UserCount, keys.user_count(author.user_id), [UserCount.posts.add(-1)])


@every_reason
@pytest.mark.parametrize("path", ["/", "/local", "/@bob", "/@bob/posts/{post}"])
def test_its_author_reads_why_nobody_else_sees_it(bob, log_in, drain_stream, why, path):
    post_id = post(bob, "My own words")
    drain_stream()
    withhold(bob, post_id, why)
    html = Html(log_in(bob).get(path.format(post=post_id)))
    card = html.one(id=f"post-{post_id}")
    assert SAYS[why] in card.text
    assert "My own words" in card.text
    leads_to = "/secured" if why == Withheld.SECURED else "/standing"
    assert html.one("a", class_="post-withheld")["href"] == leads_to


@every_reason
def test_there_is_nothing_to_like_about_it(bob, log_in, why):
    post_id = post(bob)
    withhold(bob, post_id, why)
    assert not Html(log_in(bob).get("/@bob")).all(class_="post-actions")


@every_reason
def test_a_like_of_before_is_kept(alice, bob, why, drain_stream):
    post_id = post(bob)
    like_post(by=alice, post_id=post_id, author_id=bob.user_id)
    withhold(bob, post_id, why)
    drain_stream()
    assert len(list(query(keys.likes(post_id)))) == 1


@every_reason
def test_the_count_of_a_profile_is_without_it(alice, bob, log_in, drain_stream, why):
    post(bob)
    take_out_of_view(bob, post(bob), why)
    drain_stream()
    counts = [count.text for count in Html(log_in(alice).get("/@bob")).all("b")]
    assert counts[0] == "1"
    assert broken_invariants() == {}


@every_reason
def test_deleting_it_keeps_the_count(bob, why, drain_stream):
    kept, gone = post(bob), post(bob)
    take_out_of_view(bob, gone, why)
    for _ in range(2):
        delete_post(by=bob, post_id=gone)
    drain_stream()
    assert count_of(bob) == 1
    assert [raw["post_id"]["S"] for raw in query(keys.posts(bob.user_id))] == [kept]
    assert broken_invariants() == {}


def test_a_count_that_has_it_breaks_an_invariant(bob, drain_stream):
    withhold(bob, post(bob))
    drain_stream()
    assert list(broken_invariants()) == ["post counts equal posts"]


@every_reason
def test_its_author_deletes_it_on_its_page(bob, log_in, why):
    post_id = post(bob)
    take_out_of_view(bob, post_id, why)
    browser = log_in(bob)
    assert browser.get(f"/@bob/posts/{post_id}/delete").status_code == 200
    assert browser.post(f"/@bob/posts/{post_id}/delete").status_code == 302
    assert count_of(bob) == 0


# The number of posts on a profile is the number that everyone may see; the author alone reads all.

CLOSED = [Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME]


def closed_post(author, audience: str = Audience.FRIENDS) -> str:
    return publish_post(by=author, content="Sh!", nonce=ids.new_id(), audience=audience)


def counted(browser: Client) -> str | None:
    """The number on Bob's profile, None where there is none."""
    counts = Html(browser.get("/@bob")).one("ul", class_="counts").text
    found = re.search(r"(\d+)\s+posts?\b", counts)
    return found[1] if found else None


@pytest.fixture
def browsers(alice, bob, carol, log_in, drain_stream) -> dict[str, Client]:
    """Alice is a stranger to Bob; Carol follows him and is a friend."""
    follow(by=carol, user_id=bob.user_id)
    befriend(bob, carol)
    drain_stream()
    members = {"stranger": alice, "friend": carol, "author": bob}
    return {"visitor": Client()} | {kind: log_in(one) for kind, one in members.items()}


def seen(browsers) -> dict[str, str | None]:
    return {kind: counted(browser) for kind, browser in browsers.items()}


def all_see(others: str | None, *, author: str) -> dict[str, str | None]:
    return {"visitor": others, "stranger": others, "friend": others, "author": author}


def test_posts_for_some_are_counted_for_the_author_alone(bob, browsers, drain_stream):
    for _ in range(2):
        post(bob)
    for audience in CLOSED:
        closed_post(bob, audience)
    assert seen(browsers) == all_see("2", author="5")
    drain_stream()
    assert not broken_invariants()


def test_publishing_one_changes_nothing_that_others_read(bob, browsers):
    post(bob)
    before = seen(browsers)
    form = {"content": "Sh!", "nonce": "n" * 22, "audience": "friends"}
    assert browsers["author"].post("/posts", form, headers=HTMX).status_code == 200
    assert seen(browsers) == before | {"author": "2"}


@pytest.mark.parametrize("audience", ["", *CLOSED])
def test_a_deleted_post_is_counted_no_more(bob, browsers, drain_stream, audience):
    post(bob)
    closed_post(bob)
    post_id = closed_post(bob, audience)
    for _ in range(2):
        delete_post(by=bob, post_id=post_id)
    assert seen(browsers) == all_see("1", author="2")
    drain_stream()
    assert not broken_invariants()


def test_hiding_and_showing_a_post_for_some_tells_others_nothing(bob, browsers, drain_stream):
    posts = (post(bob), closed_post(bob), closed_post(bob, Audience.ONLY_ME))
    target = Target(bob.user_id, posts[1:])
    for effects, author in ((effects_of, "1"), (effects_of_undoing, "3")):
        transact(*effects(ActionKind.HIDE, target))
        assert seen(browsers) == all_see("1", author=author)
        drain_stream()
        assert not broken_invariants()
    transact(*effects_of(ActionKind.HIDE, Target(bob.user_id, posts)))
    assert seen(browsers) == all_see("0", author="0")
    drain_stream()
    assert not broken_invariants()


def test_a_locked_archive_shows_others_no_number(bob, browsers):
    post(bob)
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    save_privacy(
        by=bob, locked=False, archived_before=tomorrow, not_suggested=False, not_indexed=False
    )
    assert seen(browsers) == all_see(None, author="1")


# A post that moderators marked as sensitive is behind a cover wherever it is shown, to its author too.

PAGES = (
    "/",
    "/local",
    "/favourites",
    "/@bob",
    "/@bob/posts/{post}",
    "/@bob/posts/{post}/likers",
)


@pytest.fixture
def sensitive(alice, bob, drain_stream) -> str:
    follow(by=alice, user_id=bob.user_id)
    favourite(by=alice, user_id=bob.user_id)
    post_id = post(bob, "Not for every eye")
    drain_stream()
    mark_sensitive(bob, post_id)
    return post_id


def covers(response) -> list[str]:
    return [cover.text for cover in Html(response).all("details", class_="covered")]


@pytest.mark.parametrize("path", PAGES)
def test_on_every_page_its_text_is_behind_a_closed_cover(sensitive, alice, log_in, path):
    response = log_in(alice).get(path.format(post=sensitive))
    assert covers(response) == ["Sensitive content Show Hide Not for every eye"]
    html = Html(response)
    assert "open" not in html.one("details", class_="covered").attributes
    assert html.one("main").text.count("Not for every eye") == 1


def test_for_visitors_and_for_its_author_too(sensitive, bob, log_in):
    for browser in (Client(), log_in(bob)):
        assert covers(browser.get("/local"))


def test_what_the_pill_brings_is_covered_too(sensitive, alice, log_in, bob, drain_stream):
    browser = log_in(alice)
    pulse = Html(browser.get("/")).one(id="pulse")["hx-get"]
    newer = post(bob)
    drain_stream()
    mark_sensitive(bob, newer)
    pill = Html(browser.get(pulse, headers=HTMX)).one("a", id="pill")["hx-get"]
    assert covers(browser.get(pill, headers=HTMX))


def test_other_posts_have_none(alice, bob, log_in):
    post(bob)
    assert covers(log_in(alice).get("/@bob")) == []


def test_it_can_be_liked_as_any_other(sensitive, alice, log_in):
    assert log_in(alice).post(f"/@bob/posts/{sensitive}/like", {"on": "1"}).status_code == 302
    card = Html(log_in(alice).get(f"/@bob/posts/{sensitive}"))
    assert card.one(id=f"like-button-{sensitive}")["aria-pressed"] == "true"


# People who are blocked or muted are out of sight at once, before the stream worker comes, and stay so after.


@pytest.fixture
def followed(alice, bob, drain_stream) -> str:
    """A post of Bob in the timeline of Alice, who follows him."""
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob)
    drain_stream()
    assert home(alice) == [post_id]
    return post_id


def home(viewer) -> list[str]:
    return [card.post_id for card in get_timeline(returning(viewer)).items]


def entries(viewer) -> int:
    return sum(1 for _ in query(keys.timeline(viewer.user_id)))


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_a_block_hides_both_from_one_another_everywhere_at_once(
    followed, alice, bob, blocker, drain_stream
):
    by, other = (alice, bob) if blocker == "alice" else (bob, alice)
    like_post(by=alice, post_id=followed, author_id=bob.user_id)
    block(by=by, user_id=other.user_id)

    assert home(alice) == []
    assert list_public(viewer=returning(alice)).items == []
    with pytest.raises(NotFound):
        get_post(followed, bob.user_id, viewer=returning(alice))
    assert list_likers(followed, viewer=returning(bob)).items == []
    drain_stream()
    assert home(alice) == []
    assert entries(alice) == 0


def test_others_see_a_blocked_person_as_before(followed, alice, bob, carol):
    block(by=alice, user_id=bob.user_id)
    assert get_post(followed, bob.user_id, viewer=carol)


def test_who_is_unblocked_can_be_seen_but_is_not_followed_again(followed, alice, bob, drain_stream):
    block(by=alice, user_id=bob.user_id)
    unblock(by=alice, user_id=bob.user_id)
    drain_stream()
    assert get_post(followed, bob.user_id, viewer=returning(alice))
    assert home(alice) == []


def test_a_mute_empties_home_and_local_at_once_but_not_the_persons_own_page(
    followed, alice, bob, drain_stream
):
    mute(by=alice, user_id=bob.user_id)
    assert home(alice) == []
    assert list_public(viewer=returning(alice)).items == []
    assert get_post(followed, bob.user_id, viewer=returning(alice))
    drain_stream()
    assert home(alice) == []


def test_what_a_muted_person_posts_is_not_brought(followed, alice, bob, drain_stream):
    mute(by=alice, user_id=bob.user_id)
    drain_stream()
    post(bob)
    drain_stream()
    assert entries(alice) == 0


def test_the_end_of_a_mute_brings_the_newest_posts_back(followed, alice, bob, drain_stream):
    mute(by=alice, user_id=bob.user_id)
    drain_stream()
    missed = post(bob)
    drain_stream()
    unmute(by=alice, user_id=bob.user_id)
    drain_stream()
    assert home(alice) == [missed, followed]


def test_a_mute_that_ends_by_itself_brings_the_newest_posts_back_too(
    followed, alice, bob, drain_stream
):
    ends = datetime.now(UTC) + timedelta(hours=1)
    mute(by=alice, user_id=bob.user_id, until=ends)
    drain_stream()
    missed = post(bob)
    drain_stream()
    assert home(alice) == []
    with clock_at(ends):
        for due in due_items(END_MUTE):
            end_mute(due)  # a worker that dies before it says so
        assert do_due(ends) == 1  # the other comes later
        assert home(alice) == [missed, followed]


def test_a_post_that_a_worker_passes_over_whose_clock_is_behind_comes_once_all_clocks_agree(
    followed, alice, bob, drain_stream
):
    ends = datetime.now(UTC) + timedelta(hours=1)
    mute(by=alice, user_id=bob.user_id, until=ends)
    drain_stream()
    with clock_at(ends):
        do_due(ends)
    missed = post(bob)
    drain_stream()
    with clock_at(later := ends + CLOCKS_DIFFER):
        do_due(later)
        assert home(alice) == [missed, followed]


def test_an_end_of_a_mute_that_nothing_plans_is_found_and_planned(
    followed, alice, bob, drain_stream
):
    mute(by=alice, user_id=bob.user_id, until=datetime.now(UTC) + timedelta(hours=1))
    drain_stream()
    ends = due_items(END_MUTE)
    write_batch(deletes=[due.key for due in ends])
    assert broken_invariants().keys() == {"every mute for a time has its end planned"}
    assert not list(reconcile_page(list(scan()), begun="now"))
    assert [due.key for due in due_items(END_MUTE)] == [due.key for due in ends]
    drain_stream()
    assert broken_invariants() == {}


@pytest.mark.parametrize("then", ["ended", "prolonged", "unfollowed"])
def test_the_end_that_a_mute_had_first_changes_nothing(followed, alice, bob, drain_stream, then):
    ends = datetime.now(UTC) + timedelta(hours=1)
    mute(by=alice, user_id=bob.user_id, until=ends)
    drain_stream()
    match then:
        case "ended":
            unmute(by=alice, user_id=bob.user_id)
        case "prolonged":
            mute(by=alice, user_id=bob.user_id, until=ends + timedelta(days=1))
        case "unfollowed":
            unfollow(by=alice, user_id=bob.user_id)
    drain_stream()
    with clock_at(ends):
        do_due(ends)
        assert home(alice) == ([followed] if then == "ended" else [])


def test_a_mute_that_is_over_lets_new_posts_through(followed, alice, bob, drain_stream):
    mute(by=alice, user_id=bob.user_id, until=datetime.now(UTC) - timedelta(seconds=1))
    drain_stream()
    new = post(bob)
    drain_stream()
    assert home(alice) == [new, followed]


def test_a_muted_person_who_is_pulled_is_passed_over(followed, alice, bob, drain_stream):
    change(UserInfo, keys.user_info(bob.user_id), [UserInfo.reading.set("pulled")])
    taught = [UserSettings.pulled.add({bob.user_id})]
    change(UserSettings, keys.user_settings(alice.user_id), taught)
    assert home(alice) == [followed]
    mute(by=alice, user_id=bob.user_id)
    drain_stream()
    assert returning(alice).hidden == ()
    assert home(alice) == []


def test_on_another_day_nobody_is_named_and_nothing_is_left(followed, alice, bob, drain_stream):
    block(by=alice, user_id=bob.user_id)
    assert returning(alice).hidden == (bob.user_id,)
    drain_stream()
    _tomorrow(alice)
    drain_stream()
    assert returning(alice).hidden == ()
    assert home(alice) == []


def _tomorrow(viewer):
    day = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    change(UserSettings, keys.user_settings(viewer.user_id), [UserSettings.seen.set(day)])
