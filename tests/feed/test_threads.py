"""Replies in their threads: where they stand, who may write them, who sees them, what they cost."""

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from feed.cards.reads import get_post
from feed.posts.content_checks import Verdict, judge_post
from feed.posts.models import Audience, Post, Replies, Reply
from feed.publishing.writes import delete_post, publish_post
from feed.threads.reads import CannotReply, get_conversation
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from socialsite.table import NotFound, change, keys, reading
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.moderation.restricting import withhold
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def place(root_id: str, path: str) -> Reply:
    return reading.get(Reply, keys.reply_place(root_id, path), consistent=True)


def test_a_reply_is_a_post_with_its_place_in_the_thread(alice, bob):
    root = post(alice)
    first = answer(bob, alice, root)
    second = answer(alice, bob, first, "Do you?")
    written = reading.get(Post, keys.post(alice.user_id, second))
    assert (written.root_id, written.reply_to, written.path) == (
        root,
        first,
        keys.path_of_answer(first, second),
    )
    assert place(root, written.path).content == "Do you?"


def test_the_page_of_a_post_shows_its_replies_below_it(alice, bob, carol, log_in):
    root = post(alice)
    first = answer(bob, alice, root)
    later = answer(carol, alice, root)
    deeper = answer(alice, bob, first)
    page = Html(log_in(carol).get(f"/@alice/posts/{root}"))
    assert page.post_ids() == [root, first, deeper, later]


def test_the_page_of_a_reply_shows_what_it_answers_above_it(alice, bob, carol):
    root = post(alice)
    first = answer(bob, alice, root)
    second = answer(carol, bob, first)
    third = answer(bob, carol, second)
    page = Html(Client().get(f"/@carol/posts/{second}"))
    assert page.post_ids() == [root, first, second, third]


def test_the_author_goes_on_with_a_story_before_all_answers(alice, bob):
    root = post(alice)
    early = answer(bob, alice, root)
    parts = [answer(alice, alice, root, "Part 2")]
    for number in range(3, 41):
        parts.append(answer(alice, alice, parts[-1], f"Part {number}"))
    to_part = answer(bob, alice, parts[0])
    shown = Html(Client().get(f"/@alice/posts/{root}")).post_ids()
    assert shown == [root, *parts, early, to_part] or shown == [root, *parts, to_part, early]


def test_at_the_greatest_depth_a_reply_stands_beside_what_it_answers(alice, bob, log_in):
    root = post(alice)
    authors, post_id = [bob, alice], root
    for number in range(40):
        by, to = authors[number % 2], authors[(number + 1) % 2]
        post_id = answer(by, to, post_id, f"Number {number}")
    written = reading.get(Post, keys.post(alice.user_id, post_id))
    assert len(written.path.encode()) <= 1_024
    page = Html(log_in(bob).get(f"/@alice/posts/{post_id}"))
    assert post_id in page.post_ids()


@capacity
def test_a_reply_is_one_transaction_after_its_reads(alice, bob, carol, measure):
    root = post(alice)
    first = answer(bob, alice, root)
    with measure() as meter:
        answer(carol, bob, first, "x" * 280)
    operations = [call.operation for call in meter.calls]
    assert operations == ["BatchGetItem", "BatchGetItem", "TransactWriteItems"]
    assert meter.calls[-1].units <= 20


def test_a_reply_counts_once_the_worker_has_passed(alice, bob, drain_stream):
    root = post(alice)
    first = answer(bob, alice, root)
    answer(alice, bob, first)
    drain_stream()
    assert get_post(root, alice.user_id).reply_count == 1
    assert get_post(first, bob.user_id).reply_count == 1
    delete_post(by=bob, post_id=first)
    drain_stream()
    assert get_post(root, alice.user_id).reply_count == 0


def test_a_held_reply_is_for_its_author_alone_and_counts_later(alice, bob, drain_stream):
    root = post(alice)
    first = answer(bob, alice, root)
    withhold(bob, first)
    drain_stream()
    assert get_post(root, alice.user_id).reply_count == 0
    assert [one.post_id for one in shown(root, alice, viewer=alice)] == []
    assert [one.post_id for one in shown(root, alice, viewer=bob)] == [first]


def shown(root: str, author, *, viewer) -> list:
    found = get_conversation(root, author.user_id, viewer=viewer)
    nodes = list(found.branches)
    cards = []
    while nodes:
        branch = nodes.pop(0)
        cards += [node.card for node in branch.chain if node.card]
        nodes = branch.branches + nodes
    return cards


def test_an_answered_post_leaves_a_stub_and_goes_with_the_last_answer(
    alice, bob, carol, drain_stream
):
    root = post(alice)
    first = answer(bob, alice, root)
    second = answer(carol, bob, first)
    delete_post(by=bob, post_id=first)
    drain_stream()
    page = Html(Client().get(f"/@alice/posts/{root}"))
    assert page.post_ids() == [root, second]
    assert "This post was deleted." in page.one("p", id=f"post-{first}").text
    assert "I see" not in str(place(root, first).content)
    delete_post(by=carol, post_id=second)
    drain_stream()
    for path in (first, keys.path_of_answer(first, second)):
        with pytest.raises(NotFound):
            place(root, path)


def test_answers_stay_for_the_same_people_when_their_root_is_deleted(alice, bob, carol, log_in):
    follow(by=bob, user_id=alice.user_id)
    root = publish_post(by=alice, content="For followers", nonce="n", audience=Audience.FOLLOWERS)
    first = answer(bob, alice, root)
    follow(by=carol, user_id=bob.user_id)
    for _ in range(2):
        assert log_in(carol).get(f"/@bob/posts/{first}").status_code == 404
        assert log_in(alice).get(f"/@bob/posts/{first}").status_code == 200
        delete_post(by=alice, post_id=root)


def test_a_thread_that_was_narrowed_closes_its_answers(alice, bob):
    root = post(alice)
    first = answer(bob, alice, root)
    assert get_post(first, bob.user_id)
    change(Post, keys.post(alice.user_id, root), [Post.audience.set(Audience.ONLY_ME)])
    with pytest.raises(NotFound):
        get_post(first, bob.user_id)


@pytest.mark.parametrize(
    ("policy", "may"),
    [
        (Replies.EVERYONE, "stranger follower friend mentioned author"),
        (Replies.FOLLOWERS, "follower author"),
        (Replies.FRIENDS, "friend author"),
        (Replies.MENTIONED, "mentioned author"),
        (Replies.NOBODY, "author"),
    ],
)
def test_the_author_decides_who_may_answer_in_the_whole_thread(alice, bob, policy, may):
    people = {name: person(name) for name in ("stranger", "follower", "friend", "mentioned")}
    follow(by=people["follower"], user_id=alice.user_id)
    request_friend(by=people["friend"], user_id=alice.user_id)
    accept_friend(by=alice, user_id=people["friend"].user_id)
    root = publish_post(by=alice, content="@mentioned, hello", nonce="n", replies=policy)
    own = answer(alice, alice, root)
    for name, viewer in {**people, "author": alice}.items():
        for target in (root, own):
            if name in may.split():
                assert answer(viewer, alice, target)
            else:
                with pytest.raises(CannotReply) as refused:
                    answer(viewer, alice, target)
                assert refused.value.sentence


def test_nobody_answers_an_answer_where_nobody_may_answer(alice, bob, carol):
    root = post(alice)
    first = answer(bob, alice, root)
    change(Post, keys.post(alice.user_id, root), [Post.replies.set(Replies.NOBODY)])
    with pytest.raises(CannotReply):
        answer(carol, bob, first)


def test_a_thread_that_is_closed_while_one_writes_takes_no_reply(alice, bob, monkeypatch):
    root = post(alice)
    closing = [Post.replies.set(Replies.NOBODY)]

    def judge_while_it_is_closed(**asked) -> Verdict:
        change(Post, keys.post(alice.user_id, root), closing)
        return judge_post(**asked)

    monkeypatch.setattr("feed.threads.writes.judge_post", judge_while_it_is_closed)
    with pytest.raises(CannotReply):
        answer(bob, alice, root)
    assert get_user_info(bob.user_id).posts == 0


@pytest.mark.parametrize("blocker", ["root's author", "answered"])
def test_a_block_closes_the_thread(alice, bob, carol, blocker):
    root = post(alice)
    first = answer(bob, alice, root)
    block(by=alice if blocker == "root's author" else bob, user_id=carol.user_id)
    with pytest.raises(CannotReply):
        answer(carol, bob, first)


def test_a_blocked_persons_reply_is_a_stub_for_the_two_alone(alice, bob, carol, log_in):
    root = post(alice)
    first = answer(bob, alice, root)
    second = answer(carol, bob, first)
    block(by=alice, user_id=bob.user_id)
    page = Html(log_in(alice).get(f"/@alice/posts/{root}"))
    assert page.post_ids() == [root, second]
    assert "@bob" not in page.one("p", id=f"post-{first}").text
    assert "@bob" not in page.one("article", id=f"post-{second}").text
    assert Html(log_in(carol).get(f"/@alice/posts/{root}")).post_ids() == [root, first, second]
