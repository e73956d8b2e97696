"""Reporters can say which account is the real one, and moderators see it beside the reported account. Where nobody said
so, accounts that look alike are shown."""

from accounts.profile.writes import change_handle
from moderation.cases.cards import ReportCard
from moderation.cases.lists import get_case
from moderation.impersonation import find_originals
from relations.blocks.writes import block
from tests.conftest import person
from tests.moderation.cases import about, broken, report
from tests.privacy.lives import erase
from tests.web.html import Html

PRETENDING = {"reason": "impersonation"}


def originals(client, whom) -> str:
    page = Html(client.get(about(whom).url))
    found = page.all("section", aria_labelledby="case-originals")
    return found[0].text if found else ""


def send(client, whom: str, **sent: str):
    return client.post(f"/@{whom}/report", PRETENDING | sent)


def test_the_account_that_a_reporter_names_stands_beside_the_reported_one(
    alice, bob, carol, mod, log_in
):
    assert send(log_in(carol), "bob", original="@Alice").status_code == 302
    said = originals(log_in(mod), bob)
    assert said.startswith("The account they are said to pretend to be")
    assert "@alice" in said
    assert "Joined" in said
    assert "follower" in said
    assert broken() == {}


def test_a_handle_of_nobody_or_the_reported_one_is_said_beside_its_field(bob, carol, log_in):
    for original in ("nobody_there", "bob"):
        answer = send(log_in(carol), "bob", original=original)
        assert answer.status_code == 422
        page = Html(answer)
        assert page.error("original")
        assert page.value("original") == original


def test_without_that_reason_what_was_typed_does_not_matter(alice, bob, carol, mod, log_in):
    answer = send(log_in(carol), "bob", reason="spam", original="nobody_there")
    assert answer.status_code == 302
    assert originals(log_in(mod), bob) == ""


def test_the_original_may_block_the_reporter_be_renamed_and_be_erased(
    alice, bob, carol, mod, log_in, worker
):
    dora = person("dora", "Dora Real")
    block(by=dora, user_id=carol.user_id)
    assert send(log_in(carol), "bob", original="dora").status_code == 302
    change_handle(by=dora, handle="dora_new")
    assert "@dora_new" in originals(log_in(mod), bob)
    erase(dora, worker)
    assert "The account that was named is deleted." in originals(log_in(mod), bob)
    assert log_in(mod).get(about(bob).url).status_code == 200


def test_who_reports_again_can_still_name_it(alice, bob, carol, mod, log_in):
    client = log_in(carol)
    send(client, "bob")
    send(client, "bob", original="alice")
    assert "@alice" in originals(log_in(mod), bob)
    send(client, "bob")
    assert "@alice" in originals(log_in(mod), bob)
    (said,) = get_case(about(bob)).reports
    assert said.original_id == alice.user_id


def test_if_nobody_named_one_similar_accounts_are_shown(alice, carol, mod, log_in, drain_stream):
    fake = person("a1ice_official", "Somebody")
    person("zebra", "Zebra")
    drain_stream()
    send(log_in(carol), "a1ice_official")
    said = originals(log_in(mod), fake)
    assert said.startswith("Accounts that look alike")
    assert "@alice" in said
    assert "zebra" not in said
    assert "@a1ice_official" not in said


def test_looking_for_similar_ones_is_bounded(alice, carol, mod, drain_stream, measure):
    fake = person("alice_2", "Alice Adler")
    for number in range(12):
        person(f"alice{number:02}x", "Alice")
    drain_stream()
    card = get_case_card(carol, fake)
    with measure() as meter:
        found = find_originals(card, [])
    assert len(found.alike) == 3
    assert len(meter.calls) <= 7
    assert sum(call.units for call in meter.calls) <= 33


def get_case_card(by, whom):
    report(by, whom, rule_id="impersonation")
    file = get_case(about(whom))
    assert isinstance(file.reports[0], ReportCard)
    return file.person


def test_chats_and_starter_packs_do_not_ask_more_than_before(alice, bob, log_in):
    page = Html(log_in(alice).get("/@bob/report"))
    assert page.one("input", name="original")
