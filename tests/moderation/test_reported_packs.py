"""Starter packs that are reported: what the case keeps, withdrawing them, resetting their words, and what comes
back."""

import pytest

from accounts.people.viewer import Viewer
from accounts.profile.writes import change_handle
from moderation.cases.decisions import Decision, NothingToActOn, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.export import read_records
from moderation.cases.lists import get_case
from moderation.cases.reads import Outranked
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, PackEvidence
from relations.lists.reads import OwnList, get_own_list
from relations.lists.writes import (
    add_to_list,
    create_list,
    delete_list,
    offer_pack,
    withdraw_pack,
)
from socialsite.table import NotFound, as_model, keys, query
from tests.conftest import HTMX, person
from tests.looks import broken_invariants
from tests.moderation.cases import (
    about,
    actions_of,
    decide,
    info,
    logged,
    report,
    strikes,
    version_of,
)
from tests.privacy.lives import erase
from tests.web.html import Html

RESET, WITHDRAW = ActionKind.RESET, ActionKind.WITHDRAW


@pytest.fixture
def pack(bob: Viewer, carol: Viewer) -> str:
    """The id of Bob's list, which he offers as a starter pack."""
    list_id = create_list(by=bob, name="Work")
    add_to_list(by=bob, list_id=list_id, user_id=carol.user_id)
    offer_pack(by=bob, list_id=list_id, title="Idiots of the town", about="Laugh at them.")
    return list_id


@pytest.fixture
def reported(alice: Viewer, bob: Viewer, pack: str) -> str:
    report(alice, bob, list_id=pack)
    return pack


def own(owner: Viewer, list_id: str) -> OwnList:
    return get_own_list(owner, list_id)


def kept(owner: Viewer) -> list[PackEvidence]:
    rows = query(about(owner).key.pk, between=keys.evidence_bounds(), consistent=True)
    return [as_model(PackEvidence, raw) for raw in rows if raw["type"]["S"] == "PackEvidence"]


def address(list_id: str) -> str:
    return f"/@bob/packs/{list_id}"


def test_a_pack_is_reported_by_itself_and_kept_as_it_was(alice, bob, log_in, pack):
    browser = log_in(alice)
    page = browser.get(address(pack))
    assert f'href="{address(pack)}/report"' in page.content.decode()
    form = browser.get(f"{address(pack)}/report")
    assert "Report the starter pack" in form.content.decode()
    assert "Idiots of the town" in form.content.decode()
    answer = browser.post(f"{address(pack)}/report", {"reason": "spam", "comment": "Mean"})
    assert answer.status_code == 302
    offer_pack(by=bob, list_id=pack, title="Friends", about="")
    (one,) = kept(bob)
    assert (one.list_id, one.person_id, one.handle) == (pack, bob.user_id, "bob")
    assert (one.title, one.about) == ("Idiots of the town", "Laugh at them.")


def test_the_same_words_are_kept_once_and_others_beside_them(alice, bob, carol, pack):
    for reporter in (alice, carol, alice):
        report(reporter, bob, list_id=pack)
    assert len(kept(bob)) == 1
    offer_pack(by=bob, list_id=pack, title="Fools", about="")
    report(alice, bob, list_id=pack)
    assert sorted(one.title for one in kept(bob)) == ["Fools", "Idiots of the town"]
    assert int(report(alice, bob, list_id=pack).reports) == 2


def test_only_a_pack_that_one_may_see_can_be_reported(alice, bob, log_in, pack):
    private = create_list(by=bob, name="Private")
    browser = log_in(alice)
    assert browser.get(f"{address(private)}/report").status_code == 404
    with pytest.raises(NotFound):
        report(alice, bob, list_id=private)
    assert log_in(bob).get(f"{address(pack)}/report").status_code == 400
    withdraw_pack(by=bob, list_id=pack)
    assert browser.post(f"{address(pack)}/report", {"reason": "spam"}).status_code == 404


def test_moderators_read_it_as_it_was_and_what_became_of_it(bob, mod, log_in, reported):
    browser = log_in(mod)
    page = browser.get(about(bob).url).content.decode()
    assert "Idiots of the town" in page
    assert "Laugh at them." in page
    assert f'href="{address(reported)}"' in page
    offer_pack(by=bob, list_id=reported, title="Friends", about="")
    assert "Since changed" in browser.get(about(bob).url).content.decode()
    delete_list(by=bob, list_id=reported)
    page = browser.get(about(bob).url).content.decode()
    assert "No longer offered" in page
    assert "Idiots of the town" in page
    assert "PackEvidence" in read_records(about(bob)).items


def test_a_withdrawn_pack_is_its_owners_private_list(
    alice, bob, mod, log_in, reported, drain_stream
):
    decide(mod, about(bob), WITHDRAW, packs=(reported,), text="It makes fun of people.")
    assert log_in(alice).get(address(reported)).status_code == 404
    browser = log_in(bob)
    assert browser.get(address(reported)).status_code == 404
    assert browser.get(f"/lists/{reported}").status_code == 200
    offer = browser.get(f"/lists/{reported}/pack")
    assert "A moderator withdrew this starter pack" in offer.content.decode()
    browser.post(f"/lists/{reported}/pack", {"title": "Again", "about": ""})
    assert not own(bob, reported).is_pack
    with pytest.raises(NotFound):
        offer_pack(by=bob, list_id=reported, title="Again", about="")
    (strike,) = strikes(bob)
    assert (strike.kind, strike.packs) == ("withdraw", {reported})
    page = browser.get(f"/standing/{strike.action_id}").content.decode()
    assert "One of your starter packs was withdrawn" in page
    assert "It makes fun of people." in page
    assert f'href="/lists/{reported}"' in page
    assert logged()[-1].detail["packs"] == [reported]
    drain_stream()
    assert broken_invariants() == {}


def test_an_undone_withdrawal_brings_the_pack_back(bob, mod, reported):
    action_id = decide(mod, about(bob), WITHDRAW, packs=(reported,))
    for _ in range(2):
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert (own(bob, reported).is_pack, own(bob, reported).title) == (True, "Idiots of the town")


def test_what_its_owner_took_back_meanwhile_stays_private(bob, mod, reported):
    action_id = decide(mod, about(bob), WITHDRAW, packs=(reported,))
    withdraw_pack(by=bob, list_id=reported)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert not own(bob, reported).is_pack
    offer_pack(by=bob, list_id=reported, title="Friends", about="")
    assert own(bob, reported).is_pack


def test_a_granted_appeal_brings_it_back(bob, mod, admin, reported):
    action_id = decide(mod, about(bob), WITHDRAW, packs=(reported,))
    appeal(person_id=bob.user_id, action_id=action_id, text="They like the name.")
    answer_appeal(
        by=admin,
        case_id=about(bob),
        action_id=action_id,
        text="",
        version=version_of(about(bob)),
        grant=True,
    )
    assert own(bob, reported).is_pack


def test_only_packs_that_others_see_can_be_withdrawn(bob, mod, reported):
    private = create_list(by=bob, name="Private")
    for packs in ((), (private,), ("0" * 26,)):
        with pytest.raises(NothingToActOn):
            decide(mod, about(bob), WITHDRAW, packs=packs)
    decide(mod, about(bob), WITHDRAW, packs=(reported, private))
    (action,) = actions_of(about(bob))
    assert action.packs == {reported}


def test_words_are_reset_and_come_back(bob, mod, reported):
    parts = (f"title#{reported}", f"about#{reported}")
    action_id = decide(mod, about(bob), RESET, parts=parts)
    now = own(bob, reported)
    assert (now.title, now.about, now.is_pack) == ("@bob", "", True)
    (strike,) = strikes(bob)
    assert strike.packs == {reported}
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    now = own(bob, reported)
    assert (now.title, now.about) == ("Idiots of the town", "Laugh at them.")


def test_a_profile_and_a_pack_are_reset_at_once(bob, mod, reported):
    action_id = decide(mod, about(bob), RESET, parts=("name", f"about#{reported}"))
    assert (info(bob).name, own(bob, reported).about) == ("bob", "")
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert (info(bob).name, own(bob, reported).about) == ("Bob Brandt", "Laugh at them.")


def test_undoing_leaves_the_words_that_the_owner_wrote_since(bob, mod, reported):
    action_id = decide(mod, about(bob), RESET, parts=(f"title#{reported}", f"about#{reported}"))
    change_handle(by=bob, handle="robert")
    offer_pack(by=bob, list_id=reported, title="Friends", about="")
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    now = own(bob, reported)
    assert (now.title, now.about) == ("Friends", "Laugh at them.")


def test_undoing_an_earlier_reset_leaves_what_a_later_one_took(bob, mod, reported):
    first = decide(mod, about(bob), RESET, parts=(f"title#{reported}",), keep_open=True)
    offer_pack(by=bob, list_id=reported, title="Fools", about="")
    second = decide(mod, about(bob), RESET, parts=(f"title#{reported}",))
    undo_action(by=mod, case_id=about(bob), action_id=first)
    assert own(bob, reported).title == "@bob"
    undo_action(by=mod, case_id=about(bob), action_id=second)
    assert own(bob, reported).title == "Fools"


def test_the_pages_of_moderators_offer_both(bob, mod, log_in, reported):
    browser = log_in(mod)
    ladder = Html(browser.get(about(bob).url))
    assert "withdraw" in [one["value"] for one in ladder.all("button", name="action")]
    url, version = f"{about(bob).url}/decide", str(version_of(about(bob)))
    reset = browser.get(url, {"action": "reset", "version": version}).content.decode()
    assert f'value="title#{reported}"' in reset
    assert "Title of a starter pack: " in reset
    form = {"action": "withdraw", "version": version, "rule": "other", "preset": "default"}
    refused = browser.post(url, form, headers=HTMX)
    assert refused.status_code == 422
    assert "Choose at least one starter pack." in refused.content.decode()
    assert browser.post(url, {**form, "packs": reported}).status_code == 302
    assert not own(bob, reported).is_pack
    log = browser.get("/moderation/log").content.decode()
    assert "withdrew starter packs" in " ".join(log.split())


def test_a_case_without_packs_does_not_offer_to_withdraw_any(alice, bob, mod, log_in):
    report(alice, bob)
    ladder = Html(log_in(mod).get(about(bob).url))
    assert "withdraw" not in [one["value"] for one in ladder.all("button", name="action")]


def test_a_junior_moderator_withdraws_no_pack_of_an_admin(alice, admin, mod):
    list_id = create_list(by=admin, name="Work")
    offer_pack(by=admin, list_id=list_id, title="The team", about="")
    report(alice, admin, list_id=list_id)
    decision = Decision(WITHDRAW, packs=(list_id,))
    with pytest.raises(Outranked):
        decide_case(
            by=mod, case_id=about(admin), decision=decision, version=version_of(about(admin))
        )
    assert own(admin, list_id).is_pack


def test_the_case_of_an_erased_owner_keeps_the_words(bob, mod, reported, worker):
    decide(mod, about(bob), WITHDRAW, packs=(reported,))
    erase(bob, worker)
    file = get_case(about(bob))
    (one,) = file.packs
    assert (one.title, one.handle, one.is_gone) == ("Idiots of the town", "bob", True)
    assert all(one.ttl for one in kept(bob))


def test_an_erased_reporter_is_named_nowhere(bob, pack, worker):
    dora = person("dora")
    report(dora, bob, list_id=pack)
    erase(dora, worker)
    assert dora.user_id not in str([*query(about(bob).key.pk, consistent=True)])
    assert len(kept(bob)) == 1
