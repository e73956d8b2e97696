"""Replies in their threads: who may write them, who sees them, setting one aside, and leaving."""

import secrets

import pytest
from django.test import Client

from accounts.people.reads import get_user_info
from feed.cards.reads import get_post
from feed.likes.writes import like_post
from feed.posts.content_checks import Verdict, judge_post
from feed.posts.models import Audience, Post, Replies, Reply
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import repost
from feed.threads.reads import CannotReply, get_conversation
from feed.threads.writes import choose_replies, leave_thread
from relations.blocks.writes import block
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from socialsite.table import NotFound, change, keys, reading
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer, quoted_by
from tests.looks import broken_invariants
from tests.moderation.cases import withhold
from tests.notifications.told import told, waiting
from tests.relations.scenes import OFF, ON
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


# The composer of a reply: page and fragment, sent twice, refused with the text kept.


def send(browser: Client, handle: str, post_id: str, content: str = "I see", nonce="", **extra):
    form = {"content": content, "nonce": nonce or secrets.token_urlsafe(16)}
    return browser.post(f"/@{handle}/posts/{post_id}/reply", form, **extra)


def test_a_reply_over_a_page_leads_to_the_reply(alice, bob, log_in):
    root = post(alice)
    browser = log_in(bob)
    form = Html(browser.get(f"/@alice/posts/{root}/reply"))
    assert form.one("form", action=f"/@alice/posts/{root}/reply")
    response = send(browser, "alice", root)
    assert response.status_code == 302
    page = Html(browser.get(response["Location"].partition("#")[0]))
    assert "Reply published." in page.one(id="toasts").text
    assert "I see" in [one.text for one in page.all("div", class_="post-text")]


def test_a_reply_over_htmx_stands_in_place_of_its_composer(alice, bob, log_in):
    root = post(alice)
    response = send(log_in(bob), "alice", root, headers=HTMX)
    assert response.status_code == 200
    assert len(Html(response).post_ids()) == 1
    assert not Html(response).all("html")


def test_a_reply_at_the_foot_comes_to_the_end_of_the_list(alice, bob, log_in):
    root = post(alice)
    form = {"content": "I see", "nonce": secrets.token_urlsafe(16), "at": "foot"}
    response = log_in(bob).post(f"/@alice/posts/{root}/reply", form, headers=HTMX)
    page = Html(response)
    assert page.one("ol", hx_swap_oob="beforeend:#replies")
    assert page.one("form", id="reply")
    assert len(page.post_ids()) == 1


def test_sending_the_same_reply_twice_writes_one(alice, bob, log_in):
    root = post(alice)
    browser, nonce = log_in(bob), secrets.token_urlsafe(16)
    first, again = (send(browser, "alice", root, nonce=nonce) for _ in range(2))
    assert first["Location"] == again["Location"]
    assert get_user_info(bob.user_id).posts == 1


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_refused_reply_keeps_what_was_typed(alice, bob, log_in, extra):
    root = publish_post(by=alice, content="Hello", nonce="n", replies=Replies.NOBODY)
    response = send(log_in(bob), "alice", root, "My long thought", **extra)
    assert response.status_code in (403, 422)
    page = Html(response)
    assert "The author has turned replies off." in page.one("div", class_="composer-error").text
    assert "My long thought" in page.value("content")
    assert get_user_info(bob.user_id).posts == 0


def test_an_empty_reply_is_asked_for_words(alice, bob, log_in):
    root = post(alice)
    assert send(log_in(bob), "alice", root, "  ").status_code == 422


def test_what_one_may_not_see_one_cannot_answer(alice, bob, log_in):
    root = publish_post(by=alice, content="Mine", nonce="n", audience=Audience.ONLY_ME)
    assert send(log_in(bob), "alice", root).status_code == 404
    delete_post(by=alice, post_id=root)
    assert send(log_in(alice), "alice", root).status_code == 404


def test_replies_have_a_tab_of_their_own(alice, bob, log_in):
    root = post(alice)
    own = post(bob)
    first = answer(bob, alice, root)
    part = answer(bob, bob, own)
    browser = log_in(alice)
    assert Html(browser.get("/@bob")).post_ids() == [part, own]
    page = Html(browser.get("/@bob/replies"))
    assert page.post_ids() == [first]
    assert "Replying to @alice" in page.one("article", id=f"post-{first}").text


def send_choice(browser: Client, post_id: str, replies: str, **extra):
    return browser.post(f"/@alice/posts/{post_id}/replies", {"replies": replies}, **extra)


# Who can reply is changed after publishing, for the whole thread and from now on.


def test_a_thread_that_is_closed_takes_no_more_replies_and_keeps_what_it_has(alice, bob, log_in):
    root = post(alice)
    first = answer(bob, alice, root)
    send_choice(log_in(alice), root, Replies.NOBODY)
    with pytest.raises(CannotReply):
        answer(bob, alice, root)
    with pytest.raises(CannotReply):
        answer(bob, bob, first)
    assert Html(log_in(bob).get(f"/@alice/posts/{root}")).post_ids() == [root, first]


def test_a_thread_that_is_opened_again_takes_replies(alice, bob, log_in):
    root = post(alice)
    for replies in (Replies.NOBODY, Replies.EVERYONE):
        send_choice(log_in(alice), root, replies)
    assert answer(bob, alice, root)


def test_the_form_shows_what_was_chosen_as_page_and_fragment(alice, log_in):
    root = post(alice)
    browser = log_in(alice)
    assert send_choice(browser, root, Replies.FRIENDS)["Location"] == f"/@alice/posts/{root}"
    for extra in ({}, {"headers": HTMX}):
        page = Html(browser.get(f"/@alice/posts/{root}/replies", **extra))
        chosen = [one["value"] for one in page.all("option") if "selected" in one.attributes]
        assert chosen == [Replies.FRIENDS, ""]  # and anyone can quote
    assert send_choice(browser, root, Replies.FRIENDS, headers=HTMX).status_code == 200


def test_nonsense_is_explained_and_changes_nothing(alice, bob, log_in):
    root = post(alice)
    refused = send_choice(log_in(alice), root, "aliens")
    assert refused.status_code == 422
    assert Html(refused).error("replies") == "Choose who can reply."
    assert answer(bob, alice, root)


def test_only_the_author_of_the_first_post_chooses(alice, bob, log_in):
    root = post(alice)
    reply = answer(alice, alice, root)
    assert send_choice(log_in(bob), root, Replies.NOBODY).status_code == 404
    assert send_choice(log_in(alice), reply, Replies.NOBODY).status_code == 404
    for post_id in (root, reply):
        with pytest.raises(NotFound):
            choose_replies(by=bob, post_id=post_id, replies=Replies.NOBODY)
    with pytest.raises(NotFound):
        choose_replies(by=alice, post_id=reply, replies=Replies.NOBODY)
    assert answer(bob, alice, root)


# Hiding replies in the own thread: behind the others, with what is below them, for everyone, and only there.


@pytest.fixture
def root(alice) -> str:
    return post(alice)


@pytest.fixture
def reply(alice, bob, root) -> str:
    return answer(bob, alice, root, "A rude reply")


def replies(author, post_id: str, viewer) -> tuple[list[str], list[str]]:
    """The ids of the replies that are shown, and of those that are set aside."""
    found = get_conversation(post_id, author.user_id, viewer=viewer)
    shown, aside = (
        [node.post_id for branch in branches for node in branch.chain]
        for branches in (found.branches, found.set_aside)
    )
    return shown, aside


def test_a_hidden_reply_goes_behind_the_others_with_its_answers(
    alice, bob, carol, root, reply, log_in, drain_stream
):
    below = answer(carol, bob, reply)
    other = answer(carol, alice, root)
    browser = log_in(alice)
    for _ in range(2):
        response = browser.post(f"/@bob/posts/{reply}/hide", ON)
        assert (response.status_code, response["Location"]) == (302, f"/@alice/posts/{root}")
        assert replies(alice, root, carol) == ([other], [reply, below])
    for _ in range(2):
        browser.post(f"/@bob/posts/{reply}/hide", OFF)
        assert replies(alice, root, carol) == ([reply, below, other], [])
    drain_stream()
    assert not broken_invariants()


def test_the_page_has_them_behind_a_summary(alice, carol, root, reply, log_in):
    log_in(alice).post(f"/@bob/posts/{reply}/hide", ON)
    page = Html(log_in(carol).get(f"/@alice/posts/{root}"))
    details = page.one("details", class_="set-aside")
    assert details.text.startswith("Replies hidden by the author")
    assert "A rude reply" in details.text


def test_the_menu_offers_it_to_the_author_of_the_thread_alone(
    alice, bob, carol, root, reply, log_in
):
    address, page = f"/@bob/posts/{reply}/hide", f"/@alice/posts/{root}"
    for other in (bob, carol):
        assert not Html(log_in(other).get(page)).all("button", formaction=address)
    browser = log_in(alice)
    assert Html(browser.get(page)).one("button", formaction=address)["value"] == "1"
    browser.post(address, ON)
    assert Html(browser.get(page)).one("button", formaction=address)["value"] == "0"


def test_the_reply_keeps_its_own_page(alice, bob, carol, root, reply, log_in):
    log_in(alice).post(f"/@bob/posts/{reply}/hide", ON)
    assert "A rude reply" in log_in(carol).get(f"/@bob/posts/{reply}").content.decode()


def test_nobody_else_hides_a_reply(alice, bob, carol, root, reply, log_in):
    address = f"/@bob/posts/{reply}/hide"
    for other in (bob, carol):
        assert log_in(other).post(address, ON).status_code == 404
    assert Client().post(address, ON)["Location"].startswith("/login")
    assert log_in(alice).get(address, ON).status_code == 405
    assert 400 <= log_in(alice).post(address, {"on": "banana"}).status_code < 500
    assert replies(alice, root, carol) == ([reply], [])


def test_own_replies_and_first_posts_are_not_hidden(alice, root, log_in):
    part = answer(alice, alice, root)
    for post_id in (root, part):
        assert log_in(alice).post(f"/@alice/posts/{post_id}/hide", ON).status_code == 404


def test_a_hidden_reply_that_is_deleted_leaves_nothing(
    alice, bob, carol, root, reply, log_in, drain_stream
):
    log_in(alice).post(f"/@bob/posts/{reply}/hide", ON)
    delete_post(by=bob, post_id=reply)
    drain_stream()
    assert replies(alice, root, carol) == ([], [])
    assert not broken_invariants()


# Leaving a conversation: nothing more is told of it, and nobody learns that.


def press(browser: Client, handle: str, post_id: str, on: str, **extra):
    return browser.post(f"/@{handle}/posts/{post_id}/leave", {"on": on}, **extra)


def test_nothing_is_told_of_a_thread_that_was_left(alice, bob, carol, drain_stream):
    root = post(alice)
    reply = answer(bob, alice, root)
    leave_thread(by=bob, root_id=root)
    answer(carol, bob, reply, "And @bob?")
    answer(carol, alice, root, "What does @bob say?")
    drain_stream()
    assert told(bob) == []
    assert told(alice) == ["Carol replied", "Carol replied", "Bob replied"]


@pytest.mark.parametrize("mine", ["root", "reply"])
def test_likes_reposts_and_quotes_in_a_thread_that_was_left_are_not_told(
    alice, bob, carol, drain_stream, mine
):
    root = post(alice)
    left = {"root": (alice, root), "reply": (bob, answer(bob, alice, root))}
    author, mine_id = left[mine]
    drain_stream()
    before = told(author)
    leave_thread(by=author, root_id=root)
    like_post(by=carol, post_id=mine_id, author_id=author.user_id)
    repost(by=carol, post=Pointer(mine_id, author.user_id))
    quoted_by(carol, author, mine_id)
    drain_stream()
    assert told(author) == before
    assert waiting(author).notifications == len(before)


def test_what_happens_elsewhere_is_still_told(alice, bob, drain_stream):
    leave_thread(by=alice, root_id=post(alice))
    other = post(alice, "Another")
    like_post(by=bob, post_id=other, author_id=alice.user_id)
    quoted_by(bob, alice, other)
    drain_stream()
    assert told(alice) == ["Bob quoted your post", "Bob liked your post"]


@pytest.mark.parametrize("where", ["root", "reply"])
def test_a_thread_is_left_and_joined_again_from_any_of_its_posts(
    alice, bob, carol, log_in, drain_stream, where
):
    root = post(alice)
    reply = answer(bob, alice, root)
    handle, at = ("alice", root) if where == "root" else ("bob", reply)
    browser = log_in(bob)
    assert press(browser, handle, at, "1")["Location"] == f"/@{handle}/posts/{at}"
    said = Html(browser.get(f"/@{handle}/posts/{at}")).one("div", id="toasts").text
    assert "You won’t be notified about this conversation." in said
    for address in (f"/@alice/posts/{root}", f"/@bob/posts/{reply}"):
        button = Html(browser.get(address)).one("button", formaction=f"{address}/leave")
        assert (button["value"], button.text) == ("0", "Notify me again")
    assert press(browser, handle, at, "0")["Location"] == f"/@{handle}/posts/{at}"
    answer(carol, bob, reply)
    drain_stream()
    assert told(bob) == ["Carol replied"]


def test_it_is_an_entry_in_the_menu_of_the_post_whose_page_it_is_and_of_no_other(
    alice, bob, log_in
):
    root = post(alice)
    reply = answer(bob, alice, root)
    for address in (f"/@alice/posts/{root}", f"/@bob/posts/{reply}"):
        page = Html(log_in(bob).get(address))
        buttons = [
            one
            for one in page.all("button")
            if one.attributes.get("formaction", "").endswith("/leave")
        ]
        assert [one["formaction"] for one in buttons] == [f"{address}/leave"]
        assert buttons[0].text == "Stop notifying me about this conversation"
        assert len(page.all("button", name="on", class_="button")) == 0
    assert "/leave" not in log_in(bob).get("/local").content.decode()


def test_a_page_opened_before_the_button_moved_is_led_to_the_post(alice, bob, log_in):
    root = post(alice)
    response = press(log_in(bob), "alice", root, "1", headers=HTMX)
    assert response["HX-Redirect"] == f"/@alice/posts/{root}"


@pytest.mark.parametrize("on", ["1", "0"])
def test_pressing_twice_is_pressing_once(alice, bob, log_in, on):
    root = post(alice)
    browser = log_in(bob)
    for _ in range(2):
        assert press(browser, "alice", root, on).status_code == 302
    shown = Html(browser.get(f"/@alice/posts/{root}"))
    assert shown.one("button", formaction=f"/@alice/posts/{root}/leave")["value"] != on
