"""Votes of the whole site: staff ask, each person votes once and in secret, counters drawn by chance are added up by
the clock, and nothing is lost or counted twice, whatever comes in between."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from site_votes import stream_handlers as handlers
from site_votes import writes
from site_votes.checks import SiteVoteInvariants
from site_votes.erasure import forget_voter
from site_votes.models import SiteBallot, SiteVoteCount
from site_votes.reads import VoteCard, add_up, get_site_vote, list_site_votes
from site_votes.stream_handlers import add_up_site_vote
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import AlreadyDone, do_due
from socialsite.table import Item, as_model, fetch, key_of, keys, measure, query, row, write_batch
from socialsite.table.reading import scan_page
from tests.conftest import person
from tests.looks import due_items
from tests.moderation.cases import restrict
from tests.moderation.staff import logged
from tests.web.html import Html

QUESTION = "Tea or coffee?"
ASKED = {"question": QUESTION, "answers": "Tea\nCoffee", "length": "1d"}


@pytest.fixture
def voters(alice, bob, carol):
    return [alice, bob, carol]


@pytest.fixture
def crowd(table):
    return [person(f"voter{number}") for number in range(12)]


@pytest.fixture
def vote(voters, admin):
    vote_id = writes.open_vote(
        by=admin, question=QUESTION, answers=("Tea", "Coffee"), ends=utc_now() + timedelta(days=1)
    )
    return shown_to(admin, vote_id).vote


def shown_to(viewer, vote_id: str) -> VoteCard:
    return get_site_vote(vote_id, viewer)


def shown(answer) -> str:
    return answer.content.decode()


def sums(vote_id: str) -> list[int]:
    return add_up(vote_id, 2)[0]


def broken() -> dict[str, list[str]]:
    invariants = SiteVoteInvariants()
    for raw in scan_page(after=None, limit=1000)[0]:
        if raw["type"]["S"] in ("SiteVote", "SiteVoteCount", "SiteBallot", "Due"):
            invariants.add(Item.from_raw_data(raw))
    return {rule: places for rule, places in invariants.results().items() if places}


def end_now(vote, admin) -> None:
    writes.end_vote(by=admin, vote=vote)
    do_due()


def planned(vote_id: str) -> list[Due]:
    return [due for due in due_items() if due.subject == vote_id]


def test_an_admin_asks_and_everyone_sees_it(voters, admin, log_in):
    browser = log_in(admin)
    assert browser.post("/moderation/votes", ASKED).status_code == 302
    assert QUESTION in shown(Client().get("/votes"))
    assert QUESTION in shown(log_in(voters[0]).get("/"))
    assert ("open site vote", QUESTION) in [
        (action, detail.get("title")) for _, action, detail in logged()
    ]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"question": " "}, "required"),
        ({"answers": "Tea"}, "Write 2 to 6 answers"),
        ({"answers": "Tea\nTea"}, "Two answers are the same"),
        ({"answers": "\n".join("abcdefg")}, "Write 2 to 6 answers"),
        ({"length": "1y"}, "field-error"),
    ],
)
def test_what_cannot_be_asked_is_said_beside_its_field(wrong, said, admin, log_in):
    answer = log_in(admin).post("/moderation/votes", ASKED | wrong)
    assert answer.status_code == 422
    assert said in shown(answer)
    typed = Html(answer).one("textarea", name="answers").text
    assert typed.split() == wrong.get("answers", "Tea Coffee").split()


def test_the_same_is_asked_once_and_not_more_than_three(vote, admin, log_in):
    browser = log_in(admin)
    assert browser.post("/moderation/votes", ASKED).status_code == 422
    for number in range(writes.MOST_OPEN - 1):
        assert (
            browser.post("/moderation/votes", ASKED | {"question": f"{number}?"}).status_code == 302
        )
    assert "up to 3" in shown(browser.post("/moderation/votes", ASKED | {"question": "Again?"}))


def test_each_person_votes_once_and_in_secret(vote, voters, log_in):
    browser, address = log_in(voters[0]), f"/votes/{vote.vote_id}"
    assert "secret" in shown(browser.get(address))
    assert browser.post(f"{address}/vote", {"choice": "1"}).status_code == 302
    again = browser.post(f"{address}/vote", {"choice": "0"})
    assert (again.status_code, "You’ve already voted." in shown(again)) == (409, True)
    assert sums(vote.vote_id) == [0, 1]
    assert "You’ve voted" in shown(browser.get(address))
    (ballot,) = query(keys.ballots(voters[0].user_id))
    assert set(ballot) == {"PK", "SK", "type", "ttl", "vote_id", "user_id", "at"}  # and no choice


@pytest.mark.parametrize("choice", ["", "2", "9", "-1", "a", "1.0", "00"])
def test_what_is_no_answer_counts_nothing(choice, vote, voters, log_in):
    answer = log_in(voters[0]).post(f"/votes/{vote.vote_id}/vote", {"choice": choice})
    assert (answer.status_code, sums(vote.vote_id)) == (409, [0, 0])
    assert "Choose an answer first." in shown(answer)


def test_over_htmx_the_vote_is_swapped_in_place(vote, voters, log_in):
    browser, address = log_in(voters[0]), f"/votes/{vote.vote_id}"
    answer = browser.post(f"{address}/vote", {"choice": "0"}, headers={"HX-Request": "true"})
    assert Html(answer).one("section", id=f"site-vote-{vote.vote_id}")
    assert "<html" not in shown(answer)
    refused = browser.post(f"{address}/vote", {"choice": "0"}, headers={"HX-Request": "true"})
    assert refused["HX-Retarget"] == f"#site-vote-{vote.vote_id}"


def test_those_who_joined_since_cannot_vote(vote, log_in):
    newcomer = person("newcomer")
    answer = log_in(newcomer).post(f"/votes/{vote.vote_id}/vote", {"choice": "0"})
    assert (answer.status_code, sums(vote.vote_id)) == (409, [0, 0])
    assert "joined before" in shown(answer)


def test_somebody_frozen_does_not_vote(vote, voters, log_in):
    restrict(voters[0], Restriction.FROZEN)
    answer = log_in(voters[0]).post(f"/votes/{vote.vote_id}/vote", {"choice": "0"})
    assert (answer.status_code, sums(vote.vote_id)) == (403, [0, 0])


def test_a_vote_costs_one_transaction_and_no_page_a_call_for_its_link(vote, voters, log_in):
    with measure(keep=True) as meter:
        writes.cast_ballot(by=voters[0], vote=vote, place=0)
    assert [(call.operation, call.units) for call in meter.calls] == [("TransactWriteItems", 4)]
    with measure(keep=True) as meter:
        list_site_votes(voters[0])
    assert [(call.operation, call.units) for call in meter.calls] == [("Query", 0.5)] * 2


def test_votes_spread_over_the_counters(vote, admin):
    """No counter takes much more than its share: 64 of them, 1,000 votes, 16 each and 40 at most."""
    random.seed(1)
    spread = [
        writes.add_one(vote.vote_id, "option_1").request()["Update"]["Key"]["PK"]["S"]
        for _ in range(1000)
    ]
    most = max(map(spread.count, spread))
    assert (len(set(spread)), most <= 40) == (keys.SITE_VOTE_SHARDS, True)


def test_the_clock_adds_up_every_minute(vote, voters):
    for number, voter in enumerate(voters):
        writes.cast_ballot(by=voter, vote=vote, place=number % 2)
    assert shown_to(voters[0], vote.vote_id).sums == [0, 0]
    do_due()
    assert shown_to(voters[0], vote.vote_id).sums == [2, 1]
    (again,) = planned(vote.vote_id)
    assert timedelta() < again_in(again) <= timedelta(minutes=1)
    assert broken() == {}


def again_in(due: Due) -> timedelta:
    return datetime.fromisoformat(due.moment) - utc_now()


def test_adding_up_twice_changes_nothing(vote, voters):
    writes.cast_ballot(by=voters[0], vote=vote, place=0)
    (due,) = planned(vote.vote_id)
    add_up_site_vote(due)
    with pytest.raises(AlreadyDone):
        add_up_site_vote(due)
    assert (shown_to(voters[0], vote.vote_id).sums, len(planned(vote.vote_id))) == ([1, 0], 1)


def test_the_end_closes_every_counter_before_the_last_sum(vote, voters, admin):
    writes.cast_ballot(by=voters[0], vote=vote, place=1)
    end_now(vote, admin)
    card = get_site_vote(vote.vote_id, voters[0])
    assert (card.is_settled, card.sums) == (True, [0, 1])
    with pytest.raises(writes.CannotVote, match="has ended"):  # by a process that does not know
        writes.cast_ballot(by=voters[1], vote=vote, place=0)
    shards = [keys.site_vote_count(vote.vote_id, one) for one in range(keys.SITE_VOTE_SHARDS)]
    assert all(row(SiteVoteCount, raw).is_closed for raw in fetch(shards).values())
    do_due()
    assert (planned(vote.vote_id), broken()) == ([], {})


def test_an_admin_ends_it_early(vote, voters, admin, log_in):
    browser = log_in(admin)
    assert browser.post(f"/moderation/votes/{vote.vote_id}/end").status_code == 302
    assert "being added up" in shown(browser.get("/moderation/votes"))
    assert QUESTION not in shown(log_in(voters[0]).get("/explore"))
    do_due()
    assert "ended on" in shown(browser.get("/moderation/votes"))
    browser.post(f"/moderation/votes/{vote.vote_id}/end")
    assert [action for _, action, _ in logged()] == ["open site vote", "end site vote"]


def test_an_end_that_was_interrupted_goes_on(vote, voters, admin, monkeypatch):
    """Half of the counters are closed when the process dies. The next try closes the rest, and every vote counts."""
    writes.cast_ballot(by=voters[0], vote=vote, place=0)
    writes.end_vote(by=admin, vote=vote)
    real, done = handlers.transact, []

    def dies_halfway(*actions):
        done.append(actions)
        if len(done) == keys.SITE_VOTE_SHARDS // 2:
            raise KeyboardInterrupt
        real(*actions)

    due = planned(vote.vote_id)[0]
    monkeypatch.setattr(handlers, "transact", dies_halfway)
    with pytest.raises(KeyboardInterrupt):
        add_up_site_vote(due)
    monkeypatch.setattr(handlers, "transact", real)
    do_due(utc_now() + timedelta(minutes=5))
    assert shown_to(voters[0], vote.vote_id).sums == [1, 0]
    assert broken() == {}


def test_many_at_once_are_all_counted_and_nobody_twice(crowd, vote):
    def vote_twice(one):
        for _ in range(2):
            with suppress(writes.CannotVote):
                writes.cast_ballot(by=one, vote=vote, place=0)

    with ThreadPoolExecutor(6) as at_once:
        list(at_once.map(vote_twice, crowd))
    assert sums(vote.vote_id) == [12, 0]


def test_an_erased_person_leaves_the_vote_and_takes_the_ballot(vote, voters):
    writes.cast_ballot(by=voters[0], vote=vote, place=0)
    (raw,) = query(keys.ballots(voters[0].user_id))
    forget_voter(as_model(SiteBallot, raw))
    assert add_up(vote.vote_id, 2) == ([1, 0], 1)
    assert broken() == {}


def test_a_lost_vote_is_found_by_the_audit(vote, voters):
    writes.cast_ballot(by=voters[0], vote=vote, place=0)
    (raw,) = query(keys.ballots(voters[0].user_id))
    write_batch(deletes=[key_of(raw)])
    assert list(broken()) == ["site votes are as many as their ballots"]


def test_a_lost_counter_is_found_by_the_audit(vote, voters):
    writes.cast_ballot(by=voters[0], vote=vote, place=0)
    shards = range(keys.SITE_VOTE_SHARDS)
    write_batch(deletes=[keys.site_vote_count(vote.vote_id, shard) for shard in shards])
    assert list(broken()) == ["site votes are as many as their ballots"]


def test_everyone_but_admins_finds_no_page_to_ask(alice, mod, log_in):
    for viewer in (alice, mod):
        assert log_in(viewer).post("/moderation/votes", ASKED).status_code == 404
