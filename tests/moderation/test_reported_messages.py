"""Reported private messages: what the case keeps, who sees what of it, and what becomes of it."""

import json
from datetime import timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest

from accounts.people.restrictions import Restriction
from accounts.permissions import Permission, grant_role, save_role
from chats.excerpts import get_excerpt
from chats.models import Chat
from chats.writes import delete_message, send_message
from moderation.cases.chat_evidence import MOST_CHOSEN, MOST_KEPT, chosen_by_author
from moderation.cases.export import export_case
from moderation.cases.reads import read_case
from moderation.models import MessageEvidence
from moderation.reports.writes import report_messages
from operations.workbench.exporting import export_model
from privacy.erasure.search import NOBODY, clear
from relations.blocks.writes import block
from socialsite.clock import utc_now
from socialsite.site_settings.site_setup import MINOR
from socialsite.table import as_model, create, ids, keys, query
from socialsite.table.reading import scan
from tests.chats.scenes import knows, texts, write
from tests.conftest import HTMX
from tests.feed.scenes import clock_at
from tests.moderation.cases import about, broken, is_there, logged, report, report_by, restrict
from tests.web.html import Html

RUDE = "You are a fool"


@pytest.fixture(autouse=True)
def no_limit(monkeypatch) -> None:
    monkeypatch.setattr("chats.writes.BURST", 1_000)


def know_each_other(alice, bob) -> None:
    knows(alice, bob)
    knows(bob, alice)


def talk(alice, bob, count: int = 0) -> list[str]:
    """What both wrote, with so many harmless lines before it; the id of Bob's rude message is the last."""
    know_each_other(alice, bob)
    pairs = [(alice, bob) if one % 2 else (bob, alice) for one in range(count)]
    sent = [write(by, to, f"Line {number}") for number, (by, to) in enumerate(pairs)]
    sent.append(write(alice, bob, "How are you?"))
    sent.append(write(bob, alice, RUDE))
    return [one.message.message_id for one in sent]


def reports(by, other, *message_ids: str, **more) -> None:
    excerpt = get_excerpt(by, keys.pair(by.user_id, other.user_id))
    for chosen in chosen_by_author(excerpt, message_ids):
        report_messages(by=by, chosen=chosen, **more)


def kept(person) -> list[MessageEvidence]:
    rows = query(about(person).key.pk, between=keys.said_bounds(), consistent=True)
    return [as_model(MessageEvidence, raw) for raw in rows]


def looks() -> list[dict]:
    return [entry.detail for entry in logged() if entry.action == "view messages"]


def address(person) -> str:
    return f"/messages/@{person.handle}/report"


# What the case keeps


def test_it_keeps_the_message_and_five_before_and_after_it_by_both(alice, bob):
    *_, before, rude = talk(alice, bob, 8)
    after = [write(alice, bob, f"After {one}").message.message_id for one in range(7)]
    reports(alice, bob, rude, rule_id="spam", comment="Look")
    found = kept(bob)
    assert [one.content for one in found] == [
        *("Line 4", "Line 5", "Line 6", "Line 7", "How are you?"),
        RUDE,
        *(f"After {one}" for one in range(5)),
    ]
    assert [one.message_id for one in found if one.reported] == [rude]
    assert {one.author_id for one in found} == {alice.user_id, bob.user_id}
    assert found[5].previous == before
    assert after[5] not in {one.message_id for one in found}
    assert report_by(alice, bob).comment == "Look"
    assert read_case(about(bob)).reports == 1
    assert broken() == {}


def test_it_outlives_deletion_and_the_time_of_the_messages(alice, bob):
    *_, rude = talk(alice, bob)
    reports(alice, bob, rude)
    delete_message(by=bob, chat_id=keys.pair(alice.user_id, bob.user_id), message_id=rude)
    with clock_at(utc_now() + timedelta(days=8)):
        assert texts(alice, bob) == []
        assert RUDE in [one.content for one in kept(bob)]


def test_the_same_report_again_changes_nothing_and_another_message_joins_it(alice, bob):
    first, *_ = talk(alice, bob, 1)
    second = write(bob, alice, "Fool").message
    reports(alice, bob, first, rule_id="spam")
    version = int(read_case(about(bob)).version)
    reports(alice, bob, first, rule_id="spam")
    assert int(read_case(about(bob)).version) == version
    reports(alice, bob, second.message_id)
    assert read_case(about(bob)).reports == 1
    assert {one.message_id for one in kept(bob) if one.reported} == {first, second.message_id}
    assert broken() == {}


def test_one_report_stays_one_transaction_however_many_messages_it_has(alice, bob):
    know_each_other(alice, bob)
    written = [write(bob, alice, f"Number {one}").message.message_id for one in range(25)]
    reports(alice, bob, *written)
    found = kept(bob)
    assert sum(bool(one.reported) for one in found) == MOST_CHOSEN
    assert len(found) <= MOST_KEPT


def test_of_messages_far_apart_the_nearest_context_is_kept(alice, bob):
    know_each_other(alice, bob)
    written = []
    for one in range(50):
        by, to = (bob, alice) if one % 3 == 0 else (alice, bob)
        written.append(write(by, to, f"Number {one}").message.message_id)
    excerpt = get_excerpt(alice, keys.pair(alice.user_id, bob.user_id))
    near = excerpt.beside(excerpt.offered, 40)
    assert len(near) == 40
    assert {one.message_id for one in excerpt.offered} <= {one.message_id for one in near}


def test_own_messages_cannot_be_reported(alice, bob):
    own, _rude = talk(alice, bob)
    reports(alice, bob, own)
    assert not is_there(about(bob))
    assert not is_there(about(alice))


def test_what_the_other_one_deleted_or_never_showed_is_not_kept(alice, bob):
    *_, rude = talk(alice, bob)
    delete_message(by=bob, chat_id=keys.pair(alice.user_id, bob.user_id), message_id=rude)
    reports(alice, bob, rude)
    assert not is_there(about(bob))


def test_a_block_of_ones_own_does_not_hide_what_led_to_it(alice, bob):
    *_, rude = talk(alice, bob)
    block(by=alice, user_id=bob.user_id)
    reports(alice, bob, rude)
    assert RUDE in [one.content for one in kept(bob)]


# The page


def test_the_reporter_chooses_messages_on_a_page_of_plain_forms(alice, bob, log_in):
    *_, rude = talk(alice, bob)
    browser = log_in(alice)
    page = Html(browser.get(f"{address(bob)}?around={rude}"))
    boxes = page.all("input", name="messages")
    assert [(box["value"], "checked" in box.attributes) for box in boxes] == [(rude, True)]
    answer = browser.post(address(bob), {"messages": [rude], "reason": "spam", "comment": ""})
    assert answer["Location"] == "/settings/reports"
    assert RUDE in [one.content for one in kept(bob)]
    said = Html(browser.get("/settings/reports")).one("ul", class_="own-reports").text
    assert "1 message" in said
    assert RUDE not in said


def test_a_request_is_reported_from_its_bar_with_all_that_it_says(alice, bob, log_in, drain_stream):
    sent = write(bob, alice, RUDE).message.message_id
    browser = log_in(alice)
    page = Html(browser.get("/messages/@bob"))
    assert page.one("section", class_="chat-request")
    assert address(bob) in [link["href"] for link in page.all("a", class_="button-plain")]
    boxes = Html(browser.get(address(bob))).all("input", name="messages")
    assert [(box["value"], "checked" in box.attributes) for box in boxes] == [(sent, True)]


def test_each_message_of_the_other_and_the_conversation_lead_to_it(alice, bob, log_in):
    _, rude = talk(alice, bob)
    page = Html(log_in(alice).get("/messages/@bob"))
    links = {link["href"] for link in page.all("a") if "/report" in link.attributes.get("href", "")}
    assert links == {address(bob), f"{address(bob)}?around={rude}"}


@pytest.mark.parametrize("chosen", [[], ["x"], ["0" * 26]])
def test_a_choice_of_nothing_is_answered_and_keeps_what_was_typed(alice, bob, log_in, chosen):
    talk(alice, bob)
    form = {"messages": chosen, "reason": "spam", "comment": "Please look"}
    answer = log_in(alice).post(address(bob), form)
    assert answer.status_code == 422
    assert "Please look" in answer.content.decode()
    assert not is_there(about(bob))


def test_older_messages_are_on_older_pages(alice, bob, log_in):
    know_each_other(alice, bob)
    written = [write(bob, alice, f"Number {one}").message.message_id for one in range(60)]
    browser = log_in(alice)
    first = Html(browser.get(address(bob)))
    assert [box["value"] for box in first.all("input", name="messages")] == written[10:]
    (older,) = [a["href"] for a in first.all("a") if "before=" in a.attributes.get("href", "")]
    second = Html(browser.get(older))
    assert [box["value"] for box in second.all("input", name="messages")] == written[:10]
    form = {"messages": [written[9]], "reason": "spam", "comment": ""}
    assert browser.post(older, form).status_code == 302
    assert [one.content for one in kept(bob)] == [f"Number {one}" for one in range(4, 15)]


def test_around_one_message_are_those_before_and_after(alice, bob, log_in):
    know_each_other(alice, bob)
    written = [write(bob, alice, f"Number {one}").message.message_id for one in range(100)]
    page = Html(log_in(alice).get(f"{address(bob)}?around={written[60]}"))
    boxes = page.all("input", name="messages")
    assert [box["value"] for box in boxes] == written[10:85]
    assert [box["value"] for box in boxes if "checked" in box.attributes] == [written[60]]


@pytest.mark.parametrize("restriction", [Restriction.FROZEN, Restriction.LIMITED])
def test_who_may_not_write_may_report(alice, bob, log_in, restriction):
    *_, rude = talk(alice, bob)
    restrict(alice, restriction)
    form = {"messages": [rude], "reason": "spam", "comment": ""}
    assert log_in(alice).post(address(bob), form).status_code == 302
    assert kept(bob)


def test_nobody_reports_from_a_conversation_of_others(alice, bob, carol, log_in):
    *_, rude = talk(alice, bob)
    browser = log_in(carol)
    assert RUDE not in browser.get(address(bob)).content.decode()
    form = {"messages": [rude], "reason": "spam", "comment": ""}
    assert browser.post(address(bob), form).status_code == 422
    assert browser.get(f"/messages/groups/{ids.new_id()}/report").status_code == 404
    assert browser.get("/messages/@carol/report").status_code == 404


def test_who_is_blocked_finds_no_page(alice, bob, log_in):
    talk(alice, bob)
    block(by=bob, user_id=alice.user_id)
    assert log_in(alice).get(address(bob)).status_code == 404


def test_the_report_can_block_too(alice, bob, log_in):
    *_, rude = talk(alice, bob)
    form = {"messages": [rude], "reason": "spam", "comment": "", "also_block": "on"}
    browser = log_in(alice)
    assert browser.post(address(bob), form).status_code == 302
    assert RUDE in browser.get(address(bob)).content.decode()


# What staff see


@pytest.fixture
def reported(alice, bob):
    """The case about Bob, which has one message of his and one of Alice's."""
    *_, rude = talk(alice, bob)
    reports(alice, bob, rude, rule_id="spam")
    return about(bob)


def test_words_are_covered_until_the_moderator_asks(moderator, reported):
    page = moderator.get(reported.url).content.decode()
    assert "Private messages, as reported" in page
    assert RUDE not in page
    assert "How are you?" not in page
    assert not looks()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_they_show_for_this_once_and_each_look_is_logged(moderator, reported, headers):
    for turn in (1, 2):
        shown = moderator.post(f"{reported.url}/messages", headers=headers)
        said = Html(shown).one(id="said").text
        assert RUDE in said
        assert "How are you?" in said
        assert shown["Cache-Control"] == "no-store"
        assert looks() == [{"messages": 2}] * turn
    assert RUDE not in moderator.get(reported.url).content.decode()
    assert RUDE not in moderator.get("/moderation/log").content.decode()


def test_context_is_marked_as_such(moderator, reported):
    page = Html(moderator.post(f"{reported.url}/messages", headers=HTMX))
    assert [one.text for one in page.all("span", class_="chip")] == ["Context", "Reported"]


def test_the_rest_of_the_conversation_is_not_there(moderator, alice, bob, reported):
    write(bob, alice, "Something later")
    shown = moderator.post(f"{reported.url}/messages").content.decode()
    assert "Something later" not in shown
    assert moderator.get("/messages/@bob").status_code == 200  # their own, which is empty
    assert RUDE not in moderator.get("/messages/@bob").content.decode()


def test_a_role_without_cases_finds_neither_case_nor_words(admin, carol, log_in, reported):
    save_role(by=admin, name="door", title="Door", permissions=[Permission.SIGN_UPS])
    grant_role(by=admin, user_id=carol.user_id, role="door")
    junior = log_in(carol)
    assert junior.get(reported.url).status_code == 404
    assert junior.post(f"{reported.url}/messages").status_code == 404
    assert not looks()


def test_members_do_not_find_it(alice, log_in, reported):
    assert log_in(alice).post(f"{reported.url}/messages").status_code == 404


def test_a_case_without_messages_has_nothing_to_look_at(moderator, alice, bob):
    report(alice, bob)
    assert moderator.post(f"{about(bob).url}/messages").status_code == 404
    assert not looks()


def test_a_gap_between_two_reported_messages_is_said(moderator, alice, bob):
    first, *_ = talk(alice, bob, 20)
    last = write(bob, alice, "Fool again").message.message_id
    reports(alice, bob, first, last)
    said = Html(moderator.post(f"{about(bob).url}/messages")).one(id="said").text
    assert said.count("Other messages are not part of this case.") == 1


def test_the_zip_holds_them_and_the_log_says_so(mod, reported):
    with ZipFile(BytesIO(export_case(by=mod, case_id=reported).read())) as file:
        case = json.loads(file.read("case.json"))
    assert [one["content"] for one in case["items"]["MessageEvidence"]] == ["How are you?", RUDE]
    (entry,) = [entry.detail for entry in logged() if entry.action == "export case"]
    assert entry["messages"] == 2


# When accounts are erased


def test_the_case_of_another_names_an_erased_reporter_no_more(alice, bob, reported):
    rows = list(query(reported.key.pk, between=keys.said_bounds(), consistent=True))
    assert [clear(raw, [alice.user_id]) for raw in rows] == [True, False]
    assert [(one.author_id, one.content) for one in kept(bob)] == [
        (NOBODY, "How are you?"),
        (bob.user_id, RUDE),
    ]
    rows = list(query(reported.key.pk, between=keys.said_bounds(), consistent=True))
    assert not any(alice.user_id in str(raw) for raw in rows)


def test_their_own_case_keeps_an_erased_persons_words_for_its_term(bob, reported):
    rows = list(query(reported.key.pk, between=keys.said_bounds(), consistent=True))
    assert not any(clear(raw, [bob.user_id]) for raw in rows)
    assert [one.content for one in kept(bob)] == ["How are you?", RUDE]


def test_it_costs_what_it_says(alice, bob, measure):
    *_, rude = talk(alice, bob)
    excerpt = get_excerpt(alice, keys.pair(alice.user_id, bob.user_id))
    (chosen,) = chosen_by_author(excerpt, [rude])
    with measure() as spent:
        report_messages(by=alice, chosen=chosen, severity=MINOR)
    assert (len(spent.calls), spent.write_units) == (2, 11)


# Groups


@pytest.fixture
def group(alice, bob, carol) -> str:
    """A group of three, in which Bob and Carol were rude."""
    group_id, people = ids.new_id(), (alice, bob, carol)
    members = {one.user_id for one in people}
    create(Chat(*keys.chat(group_id), chat_id=group_id, members=members, founder_id=bob.user_id))
    said = ((alice, "Hello"), (bob, RUDE), (carol, "So are you"), (alice, "Stop it"))
    for by, text in said:
        send_message(by=by, chat_id=group_id, text=text, nonce=ids.new_id())
    return group_id


def test_each_author_in_a_group_has_a_case_with_the_others_as_context(
    alice, bob, carol, log_in, group
):
    browser = log_in(alice)
    page = Html(browser.get(f"/messages/groups/{group}/report"))
    boxes = [box["value"] for box in page.all("input", name="messages")]
    assert len(boxes) == 2
    assert not page.all("input", name="also_block")
    form = {"messages": boxes, "reason": "spam", "comment": ""}
    assert browser.post(f"/messages/groups/{group}/report", form).status_code == 302
    for person_of_case, text in ((bob, RUDE), (carol, "So are you")):
        found = kept(person_of_case)
        assert [one.content for one in found if one.reported] == [text]
        assert len(found) == 4
        assert read_case(about(person_of_case)).reports == 1
    assert broken() == {}


def test_who_is_no_member_of_a_group_finds_nothing_to_report(mod, log_in, group):
    assert log_in(mod).get(f"/messages/groups/{group}/report").status_code == 404


def test_no_model_for_workbench_has_a_reported_word(alice, bob):
    *_, rude = talk(alice, bob)
    reports(alice, bob, rude)
    model = export_model(scan(), name="site", sample=100, tell=print)
    assert RUDE not in json.dumps(model, default=str)
