"""Posts that end by themselves: gone at their second, with all that hung on them, and counted right."""

import re
from types import SimpleNamespace

import pytest
from django.test import Client

from accounts.models import UserCount
from feed.cards.reads import get_post
from feed.home.reads import get_timeline
from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.posts.models import ThreadGate
from feed.posts.reads import Pointer
from feed.posts.writes import ENDS, LASTS
from feed.publishing.changes import change_audience, edit_post, pin_post
from feed.publishing.stream import NotOver, end_post
from feed.publishing.writes import (
    END_POST,
    MOST_ENDING,
    Part,
    StoryStays,
    SubmittedAndDeleted,
    TooManyEnding,
    delete_post,
)
from feed.saved.writes import save_post
from feed.sharing.writes import CannotQuote, quote, repost
from feed.threads.reads import Stub, get_conversation
from feed.threads.writes import reply
from feed.timelines.local import list_public
from moderation.cases.effects import Target, effects_of, effects_of_undoing
from moderation.models import ActionKind, CaseEvidence, CaseKind
from operations.reconcile import reconcile_page
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from relations.models import TagUse
from relations.own_choices.writes import favourite, follow_tag, subscribe
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.table import (
    NotFound,
    change,
    fetch,
    get,
    ids,
    is_expired,
    key_of,
    keys,
    query,
    transact,
    write_batch,
)
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan
from socialsite.table.transport.requests import wire
from tests.conftest import HTMX, person, post
from tests.feed.scenes import (
    SECOND,
    answer,
    clock_at,
    end_of,
    ending_post,
    posts_shown,
    remove_expired,
)
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import report
from tests.privacy.lives import export_of
from tests.web.html import Html


def test_its_author_chooses_in_the_composer_and_the_post_says_when_it_goes(alice, log_in):
    form = {"content": "Not for long", "nonce": "n" * 22, "expires_in": "1d"}
    page = Html(log_in(alice).post("/posts", form, follow=True))
    assert "Disappears in 24 hours" in page.one("article").text
    composer = Html(log_in(alice).get("/posts/new"))
    assert "Replies to it stay." in composer.one("details", class_="part-when").text


@pytest.mark.parametrize("expires_in", LASTS)
def test_a_post_ends_as_long_after_its_publication_as_its_author_chose(alice, expires_in):
    post_id = ending_post(alice, expires_in=expires_in)
    end = ids.time_of(post_id) + LASTS[expires_in]
    assert end - SECOND < end_of(alice, post_id) <= end


def test_what_points_at_it_ends_with_it_and_never_later_than_otherwise(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    post_id = ending_post(alice, "Hello #cats")
    drain_stream()
    end = int(end_of(alice, post_id).timestamp())
    entries = [raw for raw in scan() if raw.get("post_id", {}).get("S") == post_id]
    of_types = {raw["type"]["S"]: raw.get("ttl", {}).get("N") for raw in entries}
    lasting = {"ThreadGate": None, "Submission": of_types["Submission"]}
    ending = ("Post", "LikeCount", "TimelineEntry", "PublicEntry", "TagEntry", "WordEntry")
    assert of_types == dict.fromkeys(ending, str(end)) | lasting


def test_it_is_there_until_its_second_and_not_a_moment_longer(alice, bob, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    post_id = ending_post(alice)
    drain_stream()
    end = end_of(alice, post_id)

    def seen() -> list[int]:
        try:
            get_post(post_id, alice.user_id)
            page = 1
        except NotFound:
            page = 0
        return [len(get_timeline(bob).items), len(list_public().items), page, posts_shown(alice)]

    with clock_at(end - SECOND / 1000):
        assert seen() == [1, 1, 1, 1]
    with clock_at(end):
        assert seen() == [0, 0, 0, 0]


@pytest.mark.parametrize("late", ["before the worker", "after the worker"])
def test_what_hung_on_it_goes_with_it(alice, bob, carol, drain_stream, late):
    follow(by=bob, user_id=alice.user_id)
    post_id = ending_post(alice, "Hello #cats @bob")
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    repost(by=carol, post=Pointer(post_id, alice.user_id))
    edit_post(by=alice, post_id=post_id, content="Hello #cats", version=1)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        if late == "after the worker":
            like_post(by=carol, post_id=post_id, author_id=alice.user_id)
            drain_stream()
        remove_expired()
        if late == "before the worker":
            like_post(by=carol, post_id=post_id, author_id=alice.user_id)
        drain_stream()
        remove_expired()  # the pointer of the repost
        drain_stream()
        assert broken_invariants() == {}
        naming = [raw["type"]["S"] for raw in scan() if post_id in str(raw)]
    # What two hours or a day will take: a form that was sent, a record that was seen, a text that was said here.
    passing = {"Submission", "SeenRecord", "SamePost"}
    assert set(naming) - passing == {"UserCount"}


def test_the_worker_may_be_told_twice_of_the_end(alice, bob, drain_stream):
    post_id = ending_post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        gone = remove_expired()
        drain_stream()
        (raw,) = (raw for raw in gone if raw["type"]["S"] == "Post")
        client().put_item(TableName=table_name(), Item=raw)
        client().delete_item(TableName=table_name(), Key=wire(key_of(raw)))
        drain_stream()
        assert broken_invariants() == {}


def test_its_counts_go_too_if_the_table_lets_go_of_it_first(alice, drain_stream):
    post_id = ending_post(alice)
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        write_batch(deletes=[keys.post(alice.user_id, post_id)])
        drain_stream()
        assert keys.like_count(post_id) not in map(key_of, scan())
        assert broken_invariants() == {}


def test_its_replies_stay_for_the_same_people(alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post_id = ending_post(alice, audience="followers")
    first = answer(bob, alice, post_id, "I see")
    drain_stream()
    with clock_at(end_of(alice, post_id)):
        for _ in range(2):
            found = get_conversation(first, bob.user_id, viewer=bob)
            assert found.above[0].stub == Stub.DISAPPEARED
            assert found.why_closed
            with pytest.raises(NotFound):
                get_conversation(first, bob.user_id, viewer=carol)
            remove_expired()
            drain_stream()
        assert broken_invariants() == {}
        delete_post(by=bob, post_id=first)
        drain_stream()
        assert fetch([keys.thread_gate(post_id)]) == {}


def test_the_gate_outlives_the_last_reply_of_a_post_that_is_still_there(alice, bob, drain_stream):
    post_id = ending_post(alice)
    first = answer(bob, alice, post_id, "I see")
    drain_stream()
    delete_post(by=bob, post_id=first)
    drain_stream()
    gate = get(ThreadGate, keys.thread_gate(post_id), consistent=True)
    assert gate.root_ends == int(end_of(alice, post_id).timestamp())
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert fetch([keys.thread_gate(post_id)]) == {}
    assert broken_invariants() == {}


def test_at_its_second_it_is_answered_and_quoted_no_more(alice, bob):
    post_id = ending_post(alice)
    where = Pointer(post_id, alice.user_id)
    with clock_at(end_of(alice, post_id)):
        with pytest.raises(NotFound):
            reply(by=bob, to=where, content="Too late", nonce=ids.new_id())
        with pytest.raises(CannotQuote):
            quote(by=bob, post=where, content="Too late", nonce=ids.new_id())


def test_the_same_form_is_the_same_post_until_that_is_gone(alice):
    post_id = ending_post(alice, nonce="form")
    assert ending_post(alice, nonce="form") == post_id
    assert ending_post(alice, nonce="form", expires_in="1d") != post_id
    with clock_at(end_of(alice, post_id)), pytest.raises(SubmittedAndDeleted):
        ending_post(alice, nonce="form")


def test_a_tag_stays_in_use_as_long_as_its_longest_post(alice, drain_stream):
    post(alice, "for good #cats")
    drain_stream()
    until = get(TagUse, keys.tag_use("cats"), consistent=True).ttl
    ending_post(alice, "for an hour #cats #dogs")
    drain_stream()
    assert get(TagUse, keys.tag_use("cats"), consistent=True).ttl == until
    short = ending_post(alice, "for a day #dogs", expires_in="1d")
    drain_stream()
    assert get(TagUse, keys.tag_use("dogs"), consistent=True).ttl == end_of(alice, short)


def test_a_story_stays(alice):
    with pytest.raises(StoryStays):
        ending_post(alice, parts=[Part("And then", "")])


# At its end the clock deletes a post within seconds, and the worker what hung on it. DynamoDB may be quicker.


def planned() -> list[Due]:
    return due_items(END_POST)


def is_stored(author, post_id: str) -> bool:
    return keys.post(author.user_id, post_id) in map(key_of, scan())


def test_the_clock_deletes_it_with_all_that_hung_on_it(alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post_id = ending_post(alice, "Tea? #cats @bob", poll=PollWish(("Yes", "No"), "1h"))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    repost(by=carol, post=Pointer(post_id, alice.user_id))
    drain_stream()
    with clock_at(end := end_of(alice, post_id)):
        do_due(end)
        assert not is_stored(alice, post_id)
        drain_stream()
        assert broken_invariants() == {}
        left = [raw for raw in scan() if post_id in str(raw) and not is_expired(raw)]
    lasting = {"Submission", "UserCount", "SeenRecord", "SamePost", "Notification", "Due"}
    assert {raw["type"]["S"] for raw in left} <= lasting
    assert planned() == []


def test_not_a_second_before(alice):
    post_id = ending_post(alice)
    end = end_of(alice, post_id)
    with clock_at(end - SECOND):
        do_due(end - SECOND)
        assert is_stored(alice, post_id)
        (due,) = planned()
        with pytest.raises(NotOver):
            end_post(due)
    assert planned()


def test_twice_and_beside_dynamodb_is_harmless(alice, bob, drain_stream):
    first, second = ending_post(alice), ending_post(bob)
    by_post = {due.subject: due for due in planned()}
    drain_stream()
    with clock_at(max(end_of(alice, first), end_of(bob, second))):
        end_post(by_post[first])
        remove_expired()  # DynamoDB has the second one
        for due in by_post.values():
            end_post(due)
        drain_stream()
        assert not is_stored(alice, first)
        assert not is_stored(bob, second)
        assert broken_invariants() == {}


def test_a_post_that_was_deleted_before_leaves_no_plan(alice, drain_stream):
    post_id = ending_post(alice)
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert planned() == []


def test_a_post_that_stays_has_none(alice):
    ending_post(alice, expires_in="")
    assert planned() == []


# Posts that end by themselves are counted right to the second, though nobody writes anything then.


def ends(author) -> int:
    count = get(UserCount, keys.user_count(author.user_id), consistent=True)
    return sum(len(getattr(count, name) or ()) for name in ENDS)


def test_counts_are_right_at_each_second_though_nobody_writes(alice, drain_stream):
    post(alice)
    first = ending_post(alice)
    ending_post(alice, expires_in="1d", audience="followers")
    third = ending_post(alice, expires_in="1w")
    drain_stream()
    stored = get(UserCount, keys.user_count(alice.user_id), consistent=True)
    assert (stored.posts, stored.closed) == (1, 0)
    assert (posts_shown(alice), posts_shown(alice, alice)) == (3, 4)
    delete_post(by=alice, post_id=third)
    assert (posts_shown(alice), posts_shown(alice, alice)) == (2, 3)
    drain_stream()  # takes what was deleted out of the index of words
    with clock_at(end_of(alice, first)):
        assert (posts_shown(alice), posts_shown(alice, alice)) == (1, 2)
        assert broken_invariants() == {}
        drain_stream()
    assert broken_invariants() == {}


def test_the_next_such_post_takes_ends_away_that_are_past(alice):
    first = ending_post(alice)
    with clock_at(end_of(alice, first)):
        assert ends(alice) == 1
        ending_post(alice, expires_in="1d")
        assert ends(alice) == 1


def test_no_more_than_fifty_at_once(alice, drain_stream):
    some = [ending_post(alice, f"Number {number}") for number in range(MOST_ENDING)]
    with pytest.raises(TooManyEnding) as refusal:
        ending_post(alice, "one too many")
    assert "50 posts" in refusal.value.sentence
    post(alice, "a lasting one")
    delete_post(by=alice, post_id=some[7])
    ending_post(alice, "in its place")
    assert posts_shown(alice) == MOST_ENDING + 1
    with clock_at(end_of(alice, some[-1])):
        ending_post(alice, "and when their time has come", expires_in="1d")
        drain_stream()
        assert broken_invariants() == {}


def test_audiences_edits_and_moderators_keep_its_end_and_its_count(alice, bob, drain_stream):
    post_id = ending_post(alice)
    end = end_of(alice, post_id)

    def shown() -> tuple[int | None, int | None]:
        drain_stream()
        assert broken_invariants() == {}
        assert end_of(alice, post_id) == end
        return posts_shown(alice), posts_shown(alice, alice)

    edit_post(by=alice, post_id=post_id, content="Other words", version=1)
    assert shown() == (1, 1)
    change_audience(by=alice, post_id=post_id, audience="friends")
    assert shown() == (0, 1)
    transact(*effects_of(ActionKind.HIDE, Target(alice.user_id, (post_id,))))
    assert shown() == (0, 0)
    transact(*effects_of_undoing(ActionKind.HIDE, Target(alice.user_id, (post_id,))))
    assert shown() == (0, 1)
    change_audience(by=alice, post_id=post_id, audience="")
    assert shown() == (1, 1)


def test_reconciling_puts_ends_right(alice, drain_stream):
    ending_post(alice)
    ending_post(alice, audience="friends")
    drain_stream()
    key = keys.user_count(alice.user_id)
    change(UserCount, key, [UserCount.ends.remove(), UserCount.posts.set(7)])
    assert broken_invariants() != {}
    lines = list(reconcile_page(list(scan()), begun="now"))
    assert len(lines) == 2
    drain_stream()
    assert broken_invariants() == {}
    assert list(reconcile_page(list(scan()), begun="now")) == []


# A post that ended by itself is on no page, whoever asks: each page that showed it until then is asked at its
# second, before anything was deleted, and once more when the table has let go of it.

embedded_alone = pytest.mark.engines("embedded", reason="what is shown does not hang on the engine")

WORD = "Wolkenbruch"

SHOWN = {  # who sees the post where: an address, and what else it says that goes too
    "home of a follower": ("follower", "/"),
    "home of the author": ("author", "/"),
    "home by a tag": ("reader", "/"),
    "landing page": ("visitor", "/"),
    "local": ("visitor", "/local"),
    "posts of the profile, pinned too": ("visitor", "/@bob"),
    "reposts of a profile": ("visitor", "/@carol"),
    "feed of the profile": ("visitor", "/@bob/feed.atom"),
    "tag": ("visitor", "/tags/cats"),
    "feed of the tag": ("visitor", "/tags/cats/feed.atom"),
    "favourites": ("follower", "/favourites"),
    "saved posts": ("follower", "/saved"),
    "search in saved posts": ("follower", "/search?in=saved&q=rain"),
    "liked posts": ("follower", "/@follower/likes"),
    "search in liked posts": ("follower", "/search?in=liked&q=rain"),
    "search in own posts": ("author", "/search?in=posts&q=rain"),
    "notifications of a mention": ("reader", "/notifications"),
    "notifications of a like": ("author", "/notifications"),
    "notifications of a favourite's post": ("follower", "/notifications"),
    "thread above a reply": ("visitor", "/@carol/posts/{reply}"),
    "quoted in a post": ("visitor", "/@carol/posts/{quote}"),
    "case of a moderator": ("moderator", "/moderation/cases/person/{bob}"),
}
OWN = "/@bob/posts/{post}"
PAGES = {  # about the post alone
    "page of the post": ("visitor", OWN),
    "likers": ("visitor", f"{OWN}/likers"),
    "reposters": ("visitor", f"{OWN}/reposters"),
    "quotes": ("visitor", f"{OWN}/quotes"),
    "history": ("visitor", f"{OWN}/history"),
    "reply": ("follower", f"{OWN}/reply"),
    "quote": ("follower", f"{OWN}/quote"),
    "save": ("follower", f"{OWN}/save"),
    "report": ("follower", f"{OWN}/report"),
    "edit": ("author", f"{OWN}/edit"),
    "audience": ("author", f"{OWN}/audience"),
    "who replies": ("author", f"{OWN}/replies"),
    "pin": ("author", f"{OWN}/pin"),
    "delete": ("author", f"{OWN}/delete"),
}
PRESSES = {  # what someone presses on a page that stayed open
    "like": ("follower", f"{OWN}/like", {"on": "1"}),
    "repost": ("follower", f"{OWN}/repost", {"on": "1"}),
    "reply": ("follower", f"{OWN}/reply", {"content": "Late", "nonce": "n" * 22}),
    "quote": ("follower", f"{OWN}/quote", {"content": "Late", "nonce": "n" * 22}),
    "save": ("reader", f"{OWN}/save", {}),
    "report": ("follower", f"{OWN}/report", {"rule": "spam"}),
    "edit": ("author", f"{OWN}/edit", {"content": "Late", "version": "1"}),
    "audience": ("author", f"{OWN}/audience", {"audience": "me"}),
    "pin": ("author", f"{OWN}/pin", {"on": "1"}),
}


@pytest.fixture
def site(bob, carol, mod, log_in, drain_stream) -> SimpleNamespace:
    """Bob's post wherever one can meet it. It ends in a day."""
    follower, reader = person("follower"), person("reader")
    follow(by=follower, user_id=bob.user_id)
    request_friend(by=follower, user_id=bob.user_id)
    accept_friend(by=bob, user_id=follower.user_id)
    favourite(by=follower, user_id=bob.user_id)
    subscribe(by=follower, user_id=bob.user_id)
    follow_tag(by=reader, tag="cats")
    drain_stream()
    post(bob, "This one stays")
    shown = ending_post(bob, f"{WORD} rain #cats @reader", expires_in="1d")
    where = Pointer(shown, bob.user_id)
    like_post(by=follower, post_id=shown, author_id=bob.user_id)
    save_post(by=follower, post_id=shown, author_id=bob.user_id)
    pin_post(by=bob, post_id=shown)
    repost(by=carol, post=where)
    quoting = quote(by=carol, post=where, content="Look", nonce=ids.new_id())
    reply = answer(carol, bob, shown, "I see")
    report(carol, bob, shown)
    drain_stream()
    browsers = {
        "visitor": Client(),
        "follower": log_in(follower),
        "reader": log_in(reader),
        "author": log_in(bob),
        "moderator": log_in(mod),
    }
    names = {"post": shown, "quote": quoting, "reply": reply, "bob": bob.user_id}
    return SimpleNamespace(names=names, browsers=browsers, end=end_of(bob, shown))


def asked(site: SimpleNamespace, who: str, address: str):
    return site.browsers[who].get(address.format(**site.names))


def says_it(answer) -> bool:
    assert answer.status_code == 200
    return WORD in answer.content.decode()


def pages_with_it(site: SimpleNamespace) -> set[str]:
    return {page for page, (who, address) in SHOWN.items() if says_it(asked(site, who, address))}


@embedded_alone
@pytest.mark.parametrize("deleted_by", ["the clock", "DynamoDB"])
def test_no_page_shows_it_from_its_second_on(site, drain_stream, deleted_by):
    with clock_at(site.end - SECOND):
        assert pages_with_it(site) == set(SHOWN)
        assert {
            page: asked(site, *how).status_code for page, how in PAGES.items()
        } == dict.fromkeys(PAGES, 200)
    with clock_at(site.end):
        for _ in range(2):
            assert pages_with_it(site) == {"case of a moderator"}
            assert {
                page: asked(site, *how).status_code for page, how in PAGES.items()
            } == dict.fromkeys(PAGES, 404)
            do_due(site.end) if deleted_by == "the clock" else remove_expired()
            drain_stream()
        assert broken_invariants() == {}


@embedded_alone
@pytest.mark.parametrize("press", PRESSES)
def test_nothing_can_be_done_with_it_any_more(site, drain_stream, press):
    who, address, form = PRESSES[press]
    with clock_at(site.end):
        answer = site.browsers[who].post(address.format(**site.names), form, headers=HTMX)
        assert answer.status_code in (403, 404), answer.content.decode()
        drain_stream()
        assert broken_invariants() == {}


@embedded_alone
def test_the_number_of_posts_is_right_at_its_second(site):
    def counted() -> str:
        found = re.search(
            r"(\d+)\s+posts?\b",
            Html(site.browsers["visitor"].get("/@bob")).one("ul", class_="counts").text,
        )
        assert found
        return found[1]

    with clock_at(site.end - SECOND):
        assert counted() == "2"
    with clock_at(site.end):
        assert counted() == "1"


@embedded_alone
def test_what_moderators_keep_of_a_reported_post_stays(site, bob, drain_stream):
    with clock_at(site.end):
        remove_expired()
        drain_stream()
        rows = query(keys.case_partition(CaseKind.PERSON, bob.user_id), consistent=True)
        kept = [raw for raw in rows if raw["type"]["S"] == CaseEvidence.__name__]
        assert [raw["content"]["S"] for raw in kept] == [f"{WORD} rain #cats @reader"]


@embedded_alone
def test_the_authors_export_leaves_it_out(site, bob, drain_stream):
    with clock_at(site.end):
        unpacked = export_of(bob, drain_stream, site.browsers["author"])
        assert WORD not in "".join(map(unpacked.text, filter(_is_text, unpacked.names)))


def _is_text(name: str) -> bool:
    return name.endswith((".json", ".html", ".csv", ".txt"))
