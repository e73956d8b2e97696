"""The results of a poll, and to whom they show."""

import pytest
from django.test import Client

from feed.cards.reads import get_post
from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.sharing.writes import quote
from socialsite.table.ids import new_id
from tests.feed.polls.polling import ask, choose, let_time_pass, poll_of
from tests.web.html import Html


@pytest.fixture
def asked(alice, carol, drain_stream):
    """Publishes a poll in which Carol has voted."""

    def ask_and_vote(**wishes) -> str:
        post_id = ask(alice, **wishes)
        choose(carol, alice, post_id, 1)
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
    choose(bob, alice, post_id, 0, 1)
    choose(carol, alice, post_id, 1)
    drain_stream()
    card = poll_of(alice, post_id, alice)
    assert [(one.votes, one.percent) for one in card.choices] == [(1, 50), (2, 100), (0, 0)]
    assert (card.voters, [one.text for one in card.winners]) == (2, ["Coffee"])
    assert "of 2 people" in page_of(log_in(alice), post_id)


def test_the_own_vote_shows_before_the_worker_has_counted_it(alice, bob, log_in):
    post_id = ask(alice)
    choose(bob, alice, post_id, 2)
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
    choose(bob, alice, post_id, 1)
    choice = poll_of(alice, post_id, bob).choices[1]
    assert (choice.votes, type(choice.votes)) == (1, int)
