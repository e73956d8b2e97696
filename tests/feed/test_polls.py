"""A poll from the form to its end: what it may ask, its results and who sees them, and who is told."""

from datetime import timedelta

import pytest
from django.http import QueryDict
from django.test import Client

from feed.cards.reads import get_post
from feed.composing.forms import PostForm
from feed.polls.models import PollWish
from feed.polls.writes import CLOSE_POLL
from feed.posts.content_checks import RefusedByRules
from feed.posts.models import Audience, LikeCount, Post
from feed.posts.reads import Pointer
from feed.publishing.changes import CannotEdit, change_audience, edit_post
from feed.publishing.writes import delete_post, publish_post
from feed.sharing.writes import quote
from feed.threads.writes import leave_thread
from moderation.models import CaseEvidence
from notifications import stream_handlers
from notifications.writes import choose_notifications
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.site_settings.word_filters import Effect
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import as_model, change, get, ids, keys, query, row
from socialsite.table.ids import new_id
from socialsite.table.reading import scan
from socialsite.telling import OptOut
from tests.conftest import HTMX, post
from tests.feed.scenes import DRINKS, FIELDS, ask, let_time_pass, poll_of, vote_for
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import report, withhold
from tests.moderation.staff import word_rule
from tests.notifications.told import told, waiting
from tests.privacy.lives import export_of
from tests.streams.crowd import crowd
from tests.streams.records import handle_all, unread
from tests.web.html import Html


def publish(browser, **fields):
    return browser.post("/posts", FIELDS | {"nonce": "n" * 22} | fields)


def published(viewer) -> list[Post]:
    return [as_model(Post, raw) for raw in query(keys.posts(viewer.user_id), consistent=True)]


def test_a_poll_is_published_with_its_post_and_its_end_planned(alice, log_in, drain_stream):
    publish(log_in(alice), poll_several="on", poll_options=[*DRINKS, "", "  "], poll_ends="3d")
    (stored,) = published(alice)
    poll = stored.poll
    assert (poll.texts, poll.several, poll.change, poll.early) == ([*DRINKS], True, None, None)
    lasts = poll.ends_at - ids.time_of(stored.post_id)
    assert timedelta(days=3) - timedelta(minutes=1) <= lasts <= timedelta(days=3)
    (end,) = due_items()
    assert (end.kind, end.subject, end.moment) == (CLOSE_POLL, stored.post_id, poll.ends)
    drain_stream()
    assert not broken_invariants()


def test_without_answers_there_is_no_poll(alice, log_in):
    publish(log_in(alice), poll_options=["", " "], poll_several="on")
    (stored,) = published(alice)
    assert stored.poll is None
    assert due_items() == []


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["Tea"], "at least two answers"),
        (["Tea", "ＴＥＡ "], "Two answers are the same"),
        ([f"Tea {number}" for number in range(7)], "up to 6 answers"),
        (["Tea"] * 40, "up to 6 answers"),
        (["Tea", "x" * 51], "Answer 2: Use up to 50 characters (this has 51)"),
        (["Tea", "a" + "\u0300" * 9], "Answer 2: This has too many accents"),
    ],
)
@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_what_is_no_poll_is_refused_beside_the_fields_which_keep_what_was_typed(
    alice, log_in, options, sentence, extra
):
    answer = log_in(alice).post("/posts", FIELDS | {"poll_options": options}, **extra)
    page = Html(answer)
    assert answer.status_code == 422
    errors = [error.text for error in page.all(id="id_poll_options_error")]
    assert sentence in " ".join(errors)
    fields = page.all("input", name="poll_options")
    assert len(fields) == 6
    assert [field["value"] for field in fields][: len(options)] == options[:6]
    assert "open" in page.one("details", class_="part-poll").attributes
    assert published(alice) == []


def test_a_poll_needs_a_question_and_an_end_that_is_offered(alice, log_in):
    browser = log_in(alice)
    assert publish(browser, content=" ").status_code == 422
    answer = publish(browser, poll_ends="1y")
    assert answer.status_code == 422
    assert "Choose when the poll ends." in answer.content.decode()
    assert published(alice) == []


def test_the_same_form_sent_twice_is_one_poll_and_another_answer_is_another_post(alice, log_in):
    browser = log_in(alice)
    for _ in range(2):
        publish(browser)
    assert len(published(alice)) == len(due_items()) == 1
    publish(browser, poll_options=["Tea", "Milk"])
    assert len(published(alice)) == 2


def test_word_rules_judge_the_answers(alice, admin, log_in):
    word_rule(admin, "coffee", Effect.REFUSE)
    answer = publish(log_in(alice))
    assert answer.status_code == 422
    assert published(alice) == []


def test_a_post_with_a_poll_is_not_edited(alice, log_in):
    post_id = ask(alice)
    browser, address = log_in(alice), f"/@alice/posts/{post_id}/edit"
    assert "can’t be edited" in browser.get(address).content.decode()
    answer = browser.post(address, {"content": "Something else", "version": "1"})
    assert answer.status_code == 409
    assert "can’t be edited" in answer.content.decode()
    with pytest.raises(CannotEdit):
        edit_post(by=alice, post_id=post_id, content="Something else", version=1)
    assert published(alice)[0].content == "What do you drink?"


def test_deleting_the_post_takes_its_planned_end_away(alice, drain_stream):
    post_id = ask(alice)
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert due_items() == []
    assert not broken_invariants()


def test_a_reply_takes_no_poll(alice, bob, log_in):
    log_in(bob).post(f"/@alice/posts/{post(alice)}/reply", FIELDS | {"nonce": "n" * 22})
    assert [one.poll for one in published(bob)] == [None]


def test_a_poll_is_for_those_whom_its_post_is_for(alice, bob, log_in):
    post_id = ask(alice, audience=Audience.ONLY_ME)
    assert log_in(bob).post(f"/@alice/posts/{post_id}/vote", {"choice": "0"}).status_code == 404
    assert poll_of(alice, post_id, alice).is_own


def test_publishing_a_poll_is_still_one_transaction(alice, requests_of):
    with requests_of() as requests:
        post_id = ask(alice)
    assert requests.operations == ["TransactWriteItems"]
    assert requests.units in ([12.0], [0.0])
    assert get(Post, keys.post(alice.user_id, post_id)).poll
    assert get_post(post_id, alice.user_id, viewer=alice).poll


def test_a_photo_is_no_question():
    sent = QueryDict(f"photo={ids.new_id()}&content=&nonce={'n' * 22}", mutable=True)
    assert "content" not in PostForm(sent).errors
    sent.setlist("poll_options", [*DRINKS])
    form = PostForm(sent)
    assert form.errors["content"] == ["Write something first."]


# The results of a poll, and to whom they show.


@pytest.fixture
def asked(alice, carol, drain_stream):
    """Publishes a poll in which Carol has voted."""

    def ask_and_vote(**wishes) -> str:
        post_id = ask(alice, **wishes)
        vote_for(carol, alice, post_id, 1)
        drain_stream()
        return post_id

    return ask_and_vote


def page_of(browser: Client, post_id: str) -> str:
    return browser.get(f"/@alice/posts/{post_id}").content.decode()


def shows_results(text: str) -> bool:
    return '<progress max="100" value=' in text  # those of photos being sent have none


def test_results_are_hidden_from_those_who_have_yet_to_vote(alice, bob, carol, asked, log_in):
    post_id = asked()
    bobs, visitors = page_of(log_in(bob), post_id), page_of(Client(), post_id)
    for text in (bobs, visitors):
        assert not shows_results(text)
        assert "voted" not in text
        assert "1 vote" not in text
        assert "100" not in text.split("poll-")[1]
    assert shows_results(page_of(log_in(carol), post_id))
    assert shows_results(page_of(log_in(alice), post_id))
    card = poll_of(alice, post_id, bob)
    assert (card.voters, [choice.votes for choice in card.choices]) == (0, [0, 0, 0])


def test_results_show_before_voting_if_the_author_says_so(alice, bob, asked, log_in):
    post_id = asked(early=True)
    text = page_of(log_in(bob), post_id)
    assert shows_results(text)
    assert "Show the results" in text
    assert 'name="choice"' in text
    visitors = page_of(Client(), post_id)
    assert shows_results(visitors)
    assert 'name="choice"' not in visitors
    assert f"/login?next=/%40alice/posts/{post_id}" in visitors


def test_everyone_sees_the_results_after_the_end(alice, bob, asked, log_in, monkeypatch):
    post_id = asked()
    let_time_pass(monkeypatch)
    for browser in (log_in(bob), Client()):
        page = Html(browser.get(f"/@alice/posts/{post_id}"))
        ahead = page.one("li", class_="is-ahead")
        assert ahead.text.replace("\xa0", " ") == "Coffee , 100% , 1 vote"
        assert page.all("input", name="choice") == []
        assert "Ended" in page.one("p", class_="poll-foot").text


def test_shares_are_of_the_people_where_several_answers_were_possible(
    alice, bob, carol, drain_stream, log_in
):
    post_id = ask(alice, several=True)
    vote_for(bob, alice, post_id, 0, 1)
    vote_for(carol, alice, post_id, 1)
    drain_stream()
    card = poll_of(alice, post_id, alice)
    assert [(one.votes, one.percent) for one in card.choices] == [(1, 50), (2, 100), (0, 0)]
    assert (card.voters, [one.text for one in card.winners]) == (2, ["Coffee"])
    assert "of 2 people" in page_of(log_in(alice), post_id)


def test_the_own_vote_shows_before_the_worker_has_counted_it(alice, bob, log_in):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 2)
    card = poll_of(alice, post_id, bob)
    assert (card.voters, card.chosen, card.choices[2].votes) == (1, "2", 1)


def test_a_poll_behind_a_warning_stays_behind_it(alice, bob, log_in):
    post_id = publish_post(
        by=alice, content="Who dies?", nonce=new_id(), warning="Spoiler", poll=PollWish(("A", "B"))
    )
    page = Html(log_in(bob).get(f"/@alice/posts/{post_id}"))
    covered = page.one("details", class_="covered")
    assert covered.text.count("Choose one") == 1
    assert len(page.all("div", class_="poll")) == 1


@pytest.mark.parametrize("where", ["preview", "atom", "quote", "quiet"])
def test_elsewhere_a_poll_is_told_without_results(alice, bob, carol, asked, log_in, where):
    post_id = asked()
    match where:
        case "preview":
            text = page_of(Client(), post_id).split("<body")[0]
        case "atom":
            text = Client().get("/@alice/feed.atom").content.decode()
        case "quote":
            quoting = quote(
                by=carol, post=Pointer(post_id, alice.user_id), content="Look", nonce=new_id()
            )
            text = log_in(bob).get(f"/@carol/posts/{quoting}").content.decode()
        case _:
            text = log_in(bob).get(f"/@alice/posts/{post_id}/reply").content.decode()
            assert 'name="choice"' not in text
            assert not shows_results(text)
            return
    assert "Poll: Tea · Coffee · Water" in text
    assert not shows_results(text)


def test_the_text_of_an_answer_is_text(alice, bob, log_in):
    post_id = ask(alice, ("<b>Tea</b>", "{names} & co"))
    text = page_of(log_in(bob), post_id)
    assert "&lt;b&gt;Tea&lt;/b&gt;" in text
    assert "{names} &amp; co" in text
    assert get_post(post_id, alice.user_id).poll.told == "Poll: <b>Tea</b> · {names} & co"


def test_votes_that_are_not_counted_yet_are_numbers_too(alice, bob):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    choice = poll_of(alice, post_id, bob).choices[1]
    assert (choice.votes, type(choice.votes)) == (1, int)


# The end of a poll: its author and those who voted are told, once, with the result.

WON = "The poll by Alice ended: “Coffee” won with 100%"


@pytest.fixture
def end(monkeypatch, drain_stream):
    """Lets the time of all polls come."""

    def end() -> None:
        let_time_pass(monkeypatch)
        do_due(utc_now() + timedelta(days=8))
        drain_stream()

    return end


def test_author_and_voters_are_told_the_result_and_no_one_else(
    alice, bob, carol, drain_stream, end, log_in
):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    drain_stream()
    assert (told(alice), told(bob)) == ([], [])
    end()
    assert told(alice) == ["Your poll ended: “Coffee” won with 100%"]
    assert (told(bob), waiting(bob).notifications) == ([WON], 1)
    assert told(carol) == told(bob, "mentions") == told(bob, "follows") == []
    assert not list(query(keys.jobs(JobKind.NOTIFY_OF_POLL)))
    assert not broken_invariants()
    page = log_in(bob).get("/notifications").content.decode()
    assert f'href="/@alice/posts/{post_id}"' in page


@pytest.mark.parametrize(
    ("votes", "sentence"),
    [((), "Your poll ended. Nobody voted."), ((0, 1), "Your poll ended in a tie")],
)
def test_a_poll_without_a_winner_says_so(alice, bob, carol, drain_stream, end, votes, sentence):
    post_id = ask(alice)
    for voter, place in zip((bob, carol), votes, strict=False):
        vote_for(voter, alice, post_id, place)
    drain_stream()
    end()
    assert told(alice) == [sentence]


def test_before_the_end_and_after_the_deletion_nobody_is_told(alice, bob, drain_stream, end):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    drain_stream()
    assert do_due(utc_now() + timedelta(hours=23)) == 0
    delete_post(by=alice, post_id=post_id)
    end()
    assert (told(alice), told(bob)) == ([], [])


def test_the_end_waits_until_every_vote_is_counted(alice, bob, drain_stream, monkeypatch):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)  # and the worker has not seen it
    let_time_pass(monkeypatch)
    later = utc_now() + timedelta(days=2)
    assert do_due(later) == 1
    assert not list(query(keys.jobs(JobKind.NOTIFY_OF_POLL)))
    drain_stream()
    assert (told(alice), told(bob)) == ([], [])
    assert do_due(later + timedelta(minutes=1)) == 1
    drain_stream()
    assert told(bob) == [WON]


def test_a_count_that_stays_wrong_holds_the_end_up_for_some_hours_only(
    alice, bob, drain_stream, monkeypatch
):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    drain_stream()
    change(LikeCount, keys.like_count(post_id), [LikeCount.votes1.set(2)])
    let_time_pass(monkeypatch)
    moment = utc_now() + timedelta(days=2)
    for minutes in (1, 5, 30, 120):
        do_due(moment)
        moment += timedelta(minutes=minutes)
    drain_stream()
    assert told(bob) == []
    do_due(moment)
    drain_stream()
    assert len(told(bob)) == 1


def test_many_voters_are_told_step_by_step_each_once(alice, drain_stream, end, monkeypatch):
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 5)
    post_id = ask(alice)
    voters = crowd(23)
    for one in voters:
        vote_for(one, alice, post_id, 2)
    drain_stream()
    end()
    assert [waiting(one).notifications for one in (alice, *voters)] == [1] * 24
    assert told(voters[22]) == ["The poll by Alice ended: “Water” won with 100%"]
    assert not broken_invariants()


def test_a_step_that_runs_again_tells_nobody_twice(alice, bob, monkeypatch, drain_stream):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    worker = Worker()
    worker.drain()
    let_time_pass(monkeypatch)
    do_due(utc_now() + timedelta(days=2))
    records = unread()
    for _ in range(3):
        handle_all(records)
    worker.drain()
    assert (told(bob), waiting(bob).notifications) == ([WON], 1)


def test_who_does_not_want_to_know_or_may_not_see_it_is_not_told(
    alice, bob, carol, drain_stream, end
):
    post_id = ask(alice)
    for voter in (bob, carol):
        vote_for(voter, alice, post_id, 1)
    choose_notifications(by=carol, opted_out=[OptOut.POLLS])
    drain_stream()
    change_audience(by=alice, post_id=post_id, audience="friends")
    end()
    assert (told(bob), told(carol)) == ([], [])
    assert waiting(alice).notifications == 1


def test_a_poll_that_moderators_hid_is_not_told(alice, bob, drain_stream, end):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    drain_stream()
    withhold(alice, post_id)
    end()
    assert told(bob) == []


def test_those_who_left_the_conversation_are_not_told(alice, bob, carol, drain_stream, end):
    post_id = ask(alice)
    vote_for(bob, alice, post_id, 1)
    vote_for(carol, alice, post_id, 1)
    leave_thread(by=bob, root_id=post_id)
    drain_stream()
    end()
    assert (told(bob), told(carol)) == ([], [WON])


def test_the_results_of_polls_are_a_switch_of_the_settings(alice, log_in):
    page = log_in(alice).get("/settings/notifications", headers=HTMX).content.decode()
    assert "Results of polls" in page


# What a poll asks and how people voted, where else it stands: exports, reports, searches, the judgement of posts.


def test_an_export_has_the_own_polls_and_votes_and_no_results(alice, bob, drain_stream, log_in):
    asked, answered = ask(alice, several=True), ask(bob, ("Tea", "A secret of Bob"), several=True)
    vote_for(bob, alice, asked, 0)
    vote_for(alice, bob, answered, 0, 1)
    drain_stream()
    unpacked = export_of(alice, drain_stream, log_in(alice))
    (own,) = unpacked.items("posts")
    assert own["poll"].keys() == {
        *("answers", "several", "ends_at", "votes_can_change", "results_before_voting")
    }
    assert (own["poll"]["answers"], own["poll"]["several"]) == ([*DRINKS], True)
    (vote,) = unpacked.items("votes")
    assert (vote["post"]["id"], vote["answers"]) == (answered, [1, 2])
    assert unpacked.items("likes") == []
    everything = "".join(unpacked.text(name) for name in unpacked.names)
    assert "A secret of Bob" not in everything
    assert "<li>Coffee</li>" in everything


def test_moderators_see_the_answers_of_a_reported_poll(alice, bob):
    report(bob, alice, ask(alice))
    (kept,) = (row(CaseEvidence, raw) for raw in scan() if raw["type"]["S"] == "CaseEvidence")
    assert kept.content == "What do you drink?\n○ Tea\n○ Coffee\n○ Water"


def test_answers_are_judged_when_others_begin_to_see_them(alice, admin):
    post_id = ask(alice, audience=Audience.ONLY_ME)
    word_rule(admin, "coffee", Effect.REFUSE)
    with pytest.raises(RefusedByRules):
        change_audience(by=alice, post_id=post_id, audience=Audience.EVERYONE)


def test_own_posts_are_found_by_the_answers_of_their_polls(alice, log_in):
    post_id = ask(alice)
    page = log_in(alice).get("/search?in=posts&q=coffee").content.decode()
    assert f"post-{post_id}" in page
