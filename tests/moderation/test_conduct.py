"""The whole conduct: a moderator takes other posts of the person, or of a thread, into the case, and decides about all
of them at once: one strike, one entry of the decision in the log, one undo, one appeal."""

from datetime import timedelta

import pytest

from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.erasure import let_case_end
from moderation.cases.lists import get_case
from moderation.cases.reads import CaseMoved, Outranked, OwnCase, read_case
from moderation.cases.writes import claim_case
from moderation.conduct import writes
from moderation.conduct.reads import SeenPost
from moderation.conduct.writes import take_in
from moderation.log.writes import record_made
from moderation.models import ActionKind
from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.clock import utc_now
from socialsite.table import NotFound, ids
from tests.conftest import post
from tests.feed.scenes import answer as answer_to
from tests.feed.scenes import edit, photo, post_photos
from tests.moderation.cases import (
    about,
    actions_of,
    broken,
    decide,
    logged,
    private_post,
    report,
    strikes,
    withheld,
)
from tests.web.html import Html

K = ActionKind


def page_of(whom) -> str:
    return f"{about(whom).url}/conduct"


def text_of(client, address: str) -> str:
    return Html(client.get(address)).one("main").text


def take(by, whom, *posts: str):
    return take_in(by=by, case_id=about(whom), posts=[SeenPost(one, 1) for one in posts])


def ticks(answer) -> set[str]:
    boxes = Html(answer).all("input", name="posts")
    return {one["value"] for one in boxes if "checked" in one.attributes}


def kept(whom) -> set[str]:
    return {card.post_id for card in get_case(about(whom)).evidence}


def test_other_posts_are_chosen_and_hidden_with_one_strike_and_one_undo(alice, bob, mod, log_in):
    reported, *others = [post(bob, text) for text in ("Bad", "Worse", "Worst", "Harmless")]
    report(alice, bob, reported)
    client = log_in(mod)
    assert "Worst" in text_of(client, page_of(bob))
    ticked = [f"{one}.1" for one in others[:2]]
    answer = client.post(page_of(bob), {"posts": ticked, "action": "hide"})
    assert ticks(client.get(answer["Location"])) == set(others[:2])
    sent = {"action": "hide", "version": read_case(about(bob)).version, "rule": "harassment"}
    sent |= {"preset": "default", "posts": [reported, *others[:2]]}
    client.post(f"{about(bob).url}/decide", sent)
    (strike,) = strikes(bob)
    assert strike.posts == {reported, *others[:2]}
    assert [withheld(bob, one) for one in (reported, *others)] == ["hidden"] * 3 + [None]
    assert [entry.action for entry in logged()] == ["take in", "hide"]
    undo_action(by=mod, case_id=about(bob), action_id=strike.action_id)
    assert [withheld(bob, one) for one in (reported, *others)] == [None] * 4
    assert broken() == {}


def test_the_person_reads_which_posts_a_warning_is_about(alice, bob, mod, log_in):
    first, second = post(bob, "Bad"), post(bob, "Worse")
    report(alice, bob, first)
    take(mod, bob, second)
    action_id = decide(mod, about(bob), K.WARN, first, second, text="Please stop")
    said = Html(log_in(bob).get(f"/standing/{action_id}")).one("section", id="strike").text
    assert all(one in said for one in ("Bad", "Worse"))
    assert said.count("Please stop") == 1


def test_a_copy_of_each_stays_and_repeating_adds_nothing(alice, bob, mod):
    report(alice, bob)
    other = post(bob, "Worse")
    take(mod, bob, other)
    version = read_case(about(bob)).version
    take(mod, bob, other)
    assert read_case(about(bob)).version == version
    delete_post(by=bob, post_id=other)
    (card,) = get_case(about(bob)).evidence
    assert ("Worse" in card.html, card.is_added, card.is_gone) == (True, True, True)
    assert [entry.action for entry in logged()] == ["take in"]
    assert broken() == {}


def test_a_kill_between_two_portions_leaves_none_half_told(alice, bob, mod, monkeypatch):
    monkeypatch.setattr(writes, "MOST_OF_A_TRANSACTION", 1)
    report(alice, bob)
    posts = [post(bob, f"Post {number}") for number in range(3)]
    told = []

    def record(*args, **kwargs) -> None:
        if told:
            raise SystemExit("killed")
        told.append(kwargs["detail"]["posts"])
        record_made(*args, **kwargs)

    with monkeypatch.context() as broken_off:
        broken_off.setattr(writes, "record_made", record)
        with pytest.raises(SystemExit):
            take(mod, bob, *posts)
    assert kept(bob) == set(told[0]) == {posts[0]}
    take(mod, bob, *posts)
    assert kept(bob) == set(posts)
    assert [entry.detail["posts"] for entry in logged()] == [[one] for one in posts]
    assert strikes(bob) == []
    assert broken() == {}


def test_the_photos_of_a_post_that_is_taken_in_are_kept_too(alice, bob, mod):
    report(alice, bob)
    taken = post_photos(bob, photo(bob), content="Look")
    take(mod, bob, taken)
    (card,) = get_case(about(bob)).evidence
    assert len(card.photos) == 1


def test_the_log_says_that_posts_were_added(alice, bob, mod, admin, log_in):
    report(alice, bob)
    take(mod, bob, post(bob, "Worse"))
    assert "added posts to the case about" in text_of(log_in(admin), "/moderation/log")


def test_posts_edited_or_deleted_meanwhile_are_said_and_the_others_stay_ticked(
    alice, bob, mod, log_in
):
    report(alice, bob)
    edited, gone, same = post(bob, "Edit me"), post(bob, "Delete me"), post(bob, "Same")
    client = log_in(mod)
    client.get(page_of(bob))
    edit(bob, edited, "I was edited")
    delete_post(by=bob, post_id=gone)
    ticked = [f"{one}.1" for one in (edited, gone, same)]
    answer = client.post(page_of(bob), {"posts": ticked, "action": "hide"})
    assert answer.status_code == 409
    page = Html(answer)
    assert "1 post was edited since you saw it" in page.one("main").text
    assert "1 post is no longer there" in page.one("main").text
    assert ticks(answer) == {f"{same}.1"}
    assert kept(bob) == {same}


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ({"word": "WORSE"}, {"Worse"}),
        ({"to": "@alice"}, {"To you"}),
        ({"since": "2100-01-01"}, None),
        ({"since": "2099-12-31"}, set()),
        ({"until": "2020-01-01"}, set()),
        ({"to": "nobody_there"}, None),
        ({"since": "yesterday"}, None),
    ],
)
def test_one_looks_by_a_word_a_time_and_whom_they_answer(alice, bob, mod, log_in, asked, shown):
    report(alice, bob)
    post(bob, "Worse")
    answer_to(bob, alice, post(alice, "Hello"), "To you")
    answer = log_in(mod).get(page_of(bob), asked)
    assert answer.status_code == 200
    page = Html(answer)
    found = {one for one in ("Worse", "To you") if one in page.one("ul", class_="evidence").text}
    assert found == ({"Worse", "To you"} if shown is None else shown)
    assert bool(page.all("p", class_="field-error")) == (shown is None)


def test_a_thread_stands_whole_and_only_the_persons_posts_can_be_chosen(
    alice, bob, carol, mod, log_in
):
    root = post(alice, "The first")
    bad, other = answer_to(bob, alice, root, "Bad"), answer_to(carol, alice, root, "Not theirs")
    further = answer_to(bob, alice, root, "Worse")
    report(alice, bob, bad)
    page = Html(log_in(mod).get(page_of(bob), {"of": bad}))
    text = page.one("ul", class_="evidence").text
    assert all(one in text for one in ("The first", "Bad", "Not theirs", "Worse"))
    boxes = {one["value"] for one in page.all("input", name="posts")}
    assert boxes == {f"{bad}.1", f"{further}.1"}
    answer = log_in(mod).post(page_of(bob), {"posts": [f"{other}.1"], "action": ""})
    assert answer.status_code == 409
    assert kept(bob) == {bad}


def test_posts_for_fewer_people_are_neither_shown_nor_taken(alice, bob, mod, log_in):
    secret = private_post(bob, "Between friends")
    report(alice, bob)
    client = log_in(mod)
    assert "Between friends" not in text_of(client, page_of(bob))
    assert client.post(page_of(bob), {"posts": [f"{secret}.1"]}).status_code == 409
    assert kept(bob) == set()


def test_a_block_hides_nothing_from_moderators(alice, bob, mod, log_in):
    report(alice, bob)
    post(bob, "Worse")
    block(by=bob, user_id=mod.user_id)
    assert "Worse" in text_of(log_in(mod), page_of(bob))


def test_too_many_or_none_or_odd_ones_are_refused_beside_the_list(alice, bob, mod, log_in):
    report(alice, bob)
    client = log_in(mod)
    for posts in ([], ["odd"], [f"{ids.new_id()}.1"] * 2, [f"{ids.new_id()}.1" for _ in range(21)]):
        answer = client.post(page_of(bob), {"posts": posts, "action": "hide"})
        assert answer.status_code == 422
        assert Html(answer).all("p", class_="field-error")
    assert client.get(page_of(bob), {"of": post(bob, "Not in it")}).status_code == 404


def test_nobody_takes_posts_of_their_superiors_or_their_own(alice, bob, mod, admin, log_in):
    report(alice, admin)
    with pytest.raises(Outranked):
        take(mod, admin, post(admin, "Mine"))
    assert log_in(mod).get(page_of(admin)).status_code == 403
    report(alice, mod)
    with pytest.raises(OwnCase):
        take(mod, mod, post(mod, "Mine"))
    assert log_in(alice).get(page_of(mod)).status_code == 404


def test_while_another_reviews_the_case_it_says_so(alice, bob, mod, admin, log_in):
    report(alice, bob)
    other = post(bob, "Worse")
    claim_case(by=admin, case_id=about(bob))
    with pytest.raises(CaseMoved):
        take(mod, bob, other)
    answer = log_in(mod).post(page_of(bob), {"posts": [f"{other}.1"]})
    assert answer.status_code == 409
    assert "is reviewing this case" in Html(answer).one("main").text


def test_an_open_dialog_of_a_colleague_says_that_something_was_added(alice, bob, mod, admin):
    version = int(report(alice, bob).version)
    take(admin, bob, post(bob, "Worse"))
    with pytest.raises(CaseMoved):
        decide_case(by=mod, case_id=about(bob), decision=Decision(K.WARN), version=version)
    assert actions_of(about(bob)) == []


def test_of_a_thread_of_someone_for_followers_nothing_is_taken(alice, bob, carol, mod, log_in):
    root = publish_post(by=alice, content="Mine", nonce=ids.new_id(), audience=Audience.FOLLOWERS)
    follow(by=bob, user_id=alice.user_id)
    said = answer_to(bob, alice, root, "Between us")
    report(carol, bob)
    client = log_in(mod)
    assert "Between us" not in text_of(client, page_of(bob))
    assert client.post(page_of(bob), {"posts": [f"{said}.1"]}).status_code == 409
    assert kept(bob) == set()


def test_an_erased_person_has_no_page_of_more_posts(alice, bob, mod, log_in):
    report(alice, bob, post(bob, "Bad"))
    let_case_end(about(bob), until=utc_now() + timedelta(days=180))
    assert log_in(mod).get(page_of(bob)).status_code == 404
    with pytest.raises(NotFound):
        take(mod, bob, ids.new_id())
