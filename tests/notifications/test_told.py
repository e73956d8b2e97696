"""People are told of what concerns them, of edits and of posts of favourites, as they chose."""

import pytest

from accounts.permissions import set_role
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import Audience
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience
from feed.publishing.writes import delete_post, publish_post
from feed.threads.writes import reply
from notifications import stream_handlers
from notifications.models import Notification
from notifications.writes import choose_notifications, read_notifications
from relations.blocks.writes import block, mute
from relations.follows.writes import accept_follow_request, follow, request_follow, unfollow
from relations.friends.writes import accept_friend, decline_friend, request_friend
from relations.own_choices.writes import favourite, subscribe, unsubscribe
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import ids, keys, query, row
from socialsite.telling import OptOut
from tests.conftest import person, post
from tests.feed.scenes import answer, broken, edit
from tests.looks import broken_invariants
from tests.moderation.cases import withhold
from tests.notifications.told import told, waiting
from tests.relations.scenes import lock
from tests.streams.crowd import jobs
from tests.streams.records import handle_all, unread
from tests.web.html import Html


def like(by, post_id, author):
    like_post(by=by, post_id=post_id, author_id=author.user_id)


def test_an_author_is_told_who_likes_a_post(alice, bob, drain_stream):
    like(bob, post(alice), alice)
    drain_stream()
    assert told(alice) == ["Bob liked your post"]
    assert waiting(alice).notifications == 1
    assert told(bob) == []


def test_nobody_is_told_of_what_they_did_themselves(alice, drain_stream):
    mine = post(alice, "I am @alice")
    like(alice, mine, alice)
    answer(alice, alice, mine)
    drain_stream()
    assert told(alice) == []
    assert waiting(alice).notifications == 0


def test_likes_of_one_post_are_one_line(alice, bob, carol, drain_stream):
    mine = post(alice)
    like(bob, mine, alice)
    drain_stream()
    like(carol, mine, alice)
    drain_stream()
    assert told(alice) == ["Bob and Carol liked your post"]
    assert waiting(alice).notifications == 1


def test_of_many_likes_two_people_at_most_are_named(alice, drain_stream):
    mine = post(alice)
    for number in range(12):
        like(person(f"fan{number}", f"Fan {number}"), mine, alice)
    drain_stream()
    (line,) = told(alice)
    assert line.endswith(" and 11 others liked your post")


def test_a_like_taken_back_and_given_again_is_told_once(alice, bob, drain_stream):
    mine = post(alice)
    like(bob, mine, alice)
    unlike_post(by=bob, post_id=mine)
    like(bob, mine, alice)
    drain_stream()
    unlike_post(by=bob, post_id=mine)
    drain_stream()
    assert (told(alice), waiting(alice).notifications) == ([], 0)
    like(bob, mine, alice)
    drain_stream()
    assert told(alice) == ["Bob liked your post"]


def test_the_person_answered_and_the_author_of_the_thread_are_told(alice, bob, carol, drain_stream):
    root = post(alice)
    reply = answer(bob, alice, root)
    drain_stream()
    answer(carol, bob, reply)
    drain_stream()
    assert told(alice) == ["Carol replied", "Bob replied"]
    assert told(bob) == ["Carol replied"]


def test_a_reply_that_mentions_whom_it_answers_is_told_once(alice, bob, drain_stream):
    answer(bob, alice, post(alice), "Yes, @alice")
    drain_stream()
    assert told(alice) == ["Bob replied"]


def test_a_deleted_reply_is_taken_back(alice, bob, drain_stream):
    reply = answer(bob, alice, post(alice))
    drain_stream()
    delete_post(by=bob, post_id=reply)
    drain_stream()
    assert (told(alice), waiting(alice).notifications) == ([], 0)


@pytest.mark.parametrize("text", [".@bob look", "/@bob", "看@bob吧", "＠bob"])
def test_people_are_told_whatever_stands_beside_their_handle(alice, bob, drain_stream, text):
    post(alice, text)
    drain_stream()
    assert told(bob) == ["Alice mentioned you"]


def test_people_are_told_who_mentions_them(alice, bob, drain_stream):
    post(alice, "Hello @bob")
    drain_stream()
    assert told(bob) == ["Alice mentioned you"]


def test_nobody_is_told_of_a_post_that_is_not_for_them(alice, bob, drain_stream):
    """Otherwise the badge would tell of it."""
    publish_post(by=alice, content="Poor @bob", nonce="n", audience=Audience.FRIENDS)
    drain_stream()
    assert (told(bob), waiting(bob).notifications) == ([], 0)


def test_new_followers_are_one_line_and_leave_it(alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    follow(by=carol, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Bob and Carol followed you"]
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Carol followed you"]


def test_a_request_waits_until_it_is_answered(alice, bob, drain_stream):
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Bob wants to be your friend"]
    assert (waiting(alice).notifications, waiting(alice).requests) == (1, 1)
    accept_friend(by=alice, user_id=bob.user_id)
    drain_stream()
    assert told(bob) == ["Alice accepted your request. You are friends now."]
    assert (told(alice), waiting(alice).requests) == ([], 0)


def test_a_declined_request_is_told_to_nobody(alice, bob, drain_stream):
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    decline_friend(by=alice, user_id=bob.user_id)
    drain_stream()
    assert told(bob) == []
    assert (told(alice), waiting(alice).requests) == ([], 0)


def test_people_are_not_told_of_followers_they_accepted(alice, bob, drain_stream):
    lock(alice)
    request_follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Bob wants to follow you"]
    accept_follow_request(by=alice, user_id=bob.user_id)
    drain_stream()
    assert told(bob) == ["Alice accepted your request. You follow them now."]
    assert told(alice) == []


def test_nobody_is_told_of_people_they_mute_or_block(alice, bob, carol, drain_stream):
    mine = post(alice)
    mute(by=alice, user_id=bob.user_id)
    like(bob, mine, alice)
    like(carol, mine, alice)
    block(by=alice, user_id=carol.user_id)
    drain_stream()
    assert (told(alice), waiting(alice).notifications) == ([], 0)


@pytest.mark.parametrize("blocks", ["the person told", "the person told of"])
@pytest.mark.parametrize("what", [answer, like])
def test_a_block_hides_what_was_told_before(alice, bob, drain_stream, blocks, what):
    mine = post(alice)
    what(bob, alice, mine) if what is answer else what(bob, mine, alice)
    drain_stream()
    assert len(told(alice)) == 1
    one, other = (alice, bob) if blocks == "the person told" else (bob, alice)
    block(by=one, user_id=other.user_id)
    assert told(alice) == []


def test_in_a_flood_nobody_is_named_who_was_not_looked_at(alice, carol, drain_stream):
    """The first eight are looked at. One of them is muted, and so is the ninth."""
    mine, crowd = post(carol), [person(f"fan{number}") for number in range(8)]
    for muted in (crowd[0], alice):
        mute(by=carol, user_id=muted.user_id)
    for one in (*crowd, alice):
        like(one, mine, carol)
    drain_stream()
    (raw,) = query(keys.notifications(carol.user_id))
    note = row(Notification, raw)
    assert set(note.actors) == {one.user_id for one in crowd[1:]}
    assert note.people == 8


@pytest.mark.parametrize(
    ("opted_out", "expected"),
    [
        ((), ["Bob followed you", "Bob liked your post"]),
        ((OptOut.LIKES,), ["Bob followed you"]),
        ((OptOut.LIKES, OptOut.FOLLOWS), []),
        ((OptOut.STRANGERS,), []),
        ((OptOut.NEWCOMERS,), []),
    ],
)
def test_people_choose_what_they_are_told(alice, bob, drain_stream, opted_out, expected):
    choose_notifications(by=alice, opted_out=opted_out)
    like(bob, post(alice), alice)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert sorted(told(alice)) == expected


@pytest.mark.parametrize("opted_out", [OptOut.STRANGERS, OptOut.NEWCOMERS])
def test_followed_people_are_neither_strangers_nor_new(alice, bob, drain_stream, opted_out):
    follow(by=alice, user_id=bob.user_id)
    choose_notifications(by=alice, opted_out=[opted_out])
    like(bob, post(alice), alice)
    drain_stream()
    assert told(alice) == ["Bob liked your post"]


def test_two_filters_show_words_and_people_alone(alice, bob, drain_stream):
    mine = post(alice)
    like(bob, mine, alice)
    answer(bob, alice, mine)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert told(alice, "mentions") == ["Bob replied"]
    assert told(alice, "follows") == ["Bob followed you"]
    assert len(told(alice)) == 3


# An edit tells those whom it adds, takes it back from those whom it leaves out, and tells nobody twice.


def test_only_the_person_whom_an_edit_adds_is_told(alice, bob, carol, drain_stream):
    mine = post(alice, "With @bob")
    drain_stream()
    edit(alice, mine, "With @bob and @carol")
    drain_stream()
    assert told(bob) == told(carol) == ["Alice mentioned you"]
    assert waiting(bob).notifications == waiting(carol).notifications == 1
    assert waiting(bob).changes == 1
    assert not broken()


def test_the_person_whom_an_edit_leaves_out_is_told_no_more(alice, bob, drain_stream):
    mine = post(alice, "With @bob")
    drain_stream()
    edit(alice, mine, "Alone")
    assert told(bob) == []  # at once
    drain_stream()
    assert told(bob) == []
    assert waiting(bob).notifications == 0


def test_what_was_read_goes_too_and_does_not_come_back_as_new(alice, bob, drain_stream):
    mine = post(alice, "With @bob")
    drain_stream()
    read_notifications(by=bob, up_to=waiting(bob).changes)
    edit(alice, mine, "Alone")
    drain_stream()
    assert told(bob) == []
    assert waiting(bob).notifications == 0


def test_both_before_the_worker_comes_is_told_as_it_is_in_the_end(alice, bob, carol, drain_stream):
    mine = post(alice, "With @bob")
    edit(alice, mine, "With @carol")
    drain_stream()
    assert told(bob) == []
    assert told(carol) == ["Alice mentioned you"]


def test_a_typo_mended_tells_nobody_again(alice, bob, drain_stream):
    mine = post(alice, "Wiht @bob")
    drain_stream()
    read_notifications(by=bob, up_to=waiting(bob).changes)
    edit(alice, mine, "With @bob")
    drain_stream()
    assert told(bob) == ["Alice mentioned you"]
    assert waiting(bob).notifications == 0


def test_the_person_answered_is_told_of_the_answer_alone(alice, bob, drain_stream):
    mine = reply(by=alice, to=Pointer(post(bob), bob.user_id), content="I see", nonce="n")
    drain_stream()
    edit(alice, mine, "I see, @bob")
    drain_stream()
    assert told(bob) == ["Alice replied"]


def test_people_who_may_not_see_the_post_are_not_told(alice, bob, carol, drain_stream):
    mine = publish_post(by=alice, content="Hello", nonce="n", audience=Audience.ONLY_ME)
    edit(alice, mine, "@bob")
    hidden = post(alice, "Hello")
    edit(alice, hidden, "@carol")
    withhold(alice, hidden)
    drain_stream()
    assert told(bob) == told(carol) == []


# People are notified of new posts of favourites where they asked for it, one line a day for each favourite.

ONE_POST = "Bob published a post"


def wants_posts(reader, author) -> None:
    favourite(by=reader, user_id=author.user_id)
    subscribe(by=reader, user_id=author.user_id)


@pytest.fixture
def subscribed(alice, bob) -> None:
    wants_posts(alice, bob)


def new(reader) -> int:
    return waiting(reader).notifications


@pytest.mark.usefixtures("subscribed")
def test_a_post_is_told_to_those_who_asked_for_it_and_no_one_else(alice, bob, carol, drain_stream):
    favourite(by=carol, user_id=bob.user_id)
    post(bob)
    drain_stream()
    assert (told(alice), new(alice)) == ([ONE_POST], 1)
    assert (told(carol), new(carol)) == ([], 0)
    assert told(alice, "mentions") == told(alice, "follows") == []
    assert not jobs(JobKind.NOTIFY_OF_POST)
    unsubscribe(by=alice, user_id=bob.user_id)
    post(bob)
    drain_stream()
    assert told(alice) == [ONE_POST]


@pytest.mark.usefixtures("subscribed")
def test_the_posts_of_a_day_are_one_line_with_the_newest_that_one_may_see(alice, bob, drain_stream):
    mine = [post(bob, f"Number {number}") for number in range(3)]
    drain_stream()
    assert (told(alice), new(alice)) == (["Bob published 3 posts"], 1)
    delete_post(by=bob, post_id=mine[2])
    assert told(alice) == ["Bob published 2 posts"]  # at once
    drain_stream()
    assert told(alice) == ["Bob published 2 posts"]
    delete_post(by=bob, post_id=mine[0])
    drain_stream()
    assert told(alice) == [ONE_POST]
    delete_post(by=bob, post_id=mine[1])
    drain_stream()
    assert (told(alice), new(alice)) == ([], 0)
    assert broken_invariants() == {}


@pytest.mark.usefixtures("subscribed")
def test_what_came_after_reading_opens_a_new_line(alice, bob, drain_stream):
    post(bob)
    drain_stream()
    read_notifications(by=alice, up_to=waiting(alice).changes)
    post(bob)
    drain_stream()
    assert (told(alice), new(alice)) == ([ONE_POST, ONE_POST], 1)


@pytest.mark.usefixtures("subscribed")
def test_replies_and_what_one_may_not_see_are_not_told(alice, bob, carol, drain_stream):
    answer(bob, carol, post(carol))
    for audience in (Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME):
        publish_post(by=bob, content="x", nonce=ids.new_id(), audience=audience)
    held = post(bob)
    withhold(bob, held)
    drain_stream()
    assert (told(alice), new(alice)) == ([], 0)


@pytest.mark.usefixtures("subscribed")
def test_another_audience_tells_those_who_may_see_it_now_and_takes_it_back(
    alice, bob, drain_stream
):
    mine = publish_post(by=bob, content="x", nonce="n", audience=Audience.FRIENDS)
    drain_stream()
    assert new(alice) == 0
    change_audience(by=bob, post_id=mine, audience=Audience.EVERYONE)
    drain_stream()
    assert (told(alice), new(alice)) == ([ONE_POST], 1)
    change_audience(by=bob, post_id=mine, audience=Audience.FOLLOWERS)
    drain_stream()
    assert (told(alice), new(alice)) == ([], 0)


@pytest.mark.usefixtures("subscribed")
def test_people_opt_out_and_mute(alice, bob, carol, drain_stream):
    wants_posts(carol, bob)
    choose_notifications(by=alice, opted_out=[OptOut.POSTS])
    mute(by=carol, user_id=bob.user_id)
    post(bob)
    drain_stream()
    assert new(alice) == new(carol) == 0


@pytest.mark.usefixtures("subscribed")
def test_all_of_many_are_told_once_step_by_step(bob, drain_stream, monkeypatch):
    """Also if someone reads between the look at their bell and the commit."""
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 2)
    readers = [person(f"reader{number}") for number in range(5)]
    for reader in readers:
        wants_posts(reader, bob)
    first = post(bob)
    drain_stream()
    plain, read = stream_handlers._writes, []

    def read_meanwhile(pointer, people):
        writes = plain(pointer, people)
        if readers[0].user_id in people and not read:
            read.append(read_notifications(by=readers[0], up_to=10_000))
        return writes

    monkeypatch.setattr(stream_handlers, "_writes", read_meanwhile)
    second = post(bob)
    drain_stream()
    assert first != second
    assert read
    assert told(readers[0]) == [ONE_POST, ONE_POST]
    assert [told(reader) for reader in readers[1:]] == [["Bob published 2 posts"]] * 4
    assert [new(reader) for reader in readers] == [1] * 5
    assert broken_invariants() == {}


@pytest.mark.usefixtures("subscribed")
def test_a_step_that_is_made_again_after_reading_tells_nothing_again(alice, bob):
    """As when the worker dies after the step, before it notes that it read the job's record."""
    post(bob)
    worker = Worker()
    worker.step()
    records = unread()
    handle_all(records)
    assert new(alice) == 1
    read_notifications(by=alice, up_to=waiting(alice).changes)
    handle_all(records)
    worker.drain()
    assert (told(alice), new(alice)) == ([ONE_POST], 0)


@pytest.mark.usefixtures("subscribed")
@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_a_step_of_forty_eight_people_fits_one_transaction(alice, bob, drain_stream, requests_of):
    for number in range(stream_handlers.PEOPLE_A_STEP - 1):
        wants_posts(person(f"reader{number}"), bob)
    post(bob)
    with requests_of() as requests:
        drain_stream()
    written = [len(one.parameters.get("TransactItems", [])) for one in requests.made]
    assert max(written) == 2 * stream_handlers.PEOPLE_A_STEP + 3
    assert new(alice) == 1


# The settings of notifications: what is switched off, and who has which switches.

PAGE = "/settings/notifications"


def switches(browser) -> dict[str, bool]:
    """Each switch, and whether it is on."""
    boxes = Html(browser.get(PAGE)).all("input", role="switch")
    return {box["name"]: "checked" in box.attributes for box in boxes}


def all_but(browser, *off: str) -> dict[str, str]:
    """The form with everything on that is on, but these."""
    return {name: "on" for name, is_on in switches(browser).items() if is_on and name not in off}


def test_only_staff_have_a_switch_for_cases(alice, mod, log_in):
    assert "cases" not in switches(log_in(alice))
    assert switches(log_in(mod))["cases"]


def test_it_is_switched_off_and_on(mod, log_in):
    browser = log_in(mod)
    everything = all_but(browser)
    for sent, is_on in ((all_but(browser, "cases"), False), (everything, True)):
        assert browser.post(PAGE, sent).status_code == 302
        assert switches(browser)["cases"] is is_on


def test_what_was_chosen_stays_through_a_time_without_a_role(table, log_in):
    mei = person("mei", "Mei", role="moderator")
    choose_notifications(by=mei, opted_out=[OptOut.CASES])
    set_role(user_id=mei.user_id, role="")
    browser = log_in(mei)
    assert browser.post(PAGE, all_but(browser, "likes")).status_code == 302
    set_role(user_id=mei.user_id, role="moderator")
    assert not switches(browser)["cases"]
    assert not switches(browser)["likes"]
