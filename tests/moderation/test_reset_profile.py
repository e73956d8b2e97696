"""Resetting parts of a profile: what goes, what the case keeps, and what comes back when it is undone."""

import pytest

from accounts.people.cards import Kind, files_of
from accounts.people.reads import get_user_info
from accounts.profile.writes import change_handle, edit_profile, remove_picture
from moderation.cases.decisions import NothingToActOn
from moderation.cases.effects import undo_action
from moderation.cases.photos import names_of
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, CasePhoto, ProfileEvidence
from photos.files import list_copies
from socialsite.site_settings.word_filters import Effect
from socialsite.table import get, keys
from tests.conftest import HTMX, post
from tests.looks import broken_invariants
from tests.moderation.cases import (
    about,
    actions_of,
    case_photos,
    contents,
    decide,
    give_pictures,
    info,
    logged,
    report,
    strikes,
    version_of,
)
from tests.moderation.staff import word_rule
from tests.streams.records import everything, handle_all, unread
from tests.web.html import Html

RESET = ActionKind.RESET


@pytest.fixture
def reported(alice, bob):
    """Bob says things everywhere in his profile, and Alice reports a post of his."""
    edit_profile(
        by=bob,
        name="Cheap pills",
        bio="Buy them from @alice",
        location="Everywhere",
        gender="pills/pills",
    )
    report(alice, bob, post(bob), rule_id="spam")
    return bob


def profile(person) -> tuple[str | None, ...]:
    now = info(person)
    return now.name, now.bio, now.location


def test_the_chosen_parts_go_and_the_others_stay(reported, mod):
    action_id = decide(mod, about(reported), RESET, parts=("name", "bio"))
    assert profile(reported) == ("bob", None, "Everywhere")
    assert info(reported).mentions is None
    (action,) = actions_of(about(reported))
    (strike,) = strikes(reported)
    assert action.parts == strike.parts == {"name", "bio"}
    key = keys.case_profile("person", reported.user_id, str(action.profile))
    kept = get(ProfileEvidence, key, consistent=True)
    assert (kept.name, kept.bio, kept.location) == (
        *("Cheap pills", "Buy them from @alice"),
        "Everywhere",
    )
    undo_action(by=mod, case_id=about(reported), action_id=action_id)
    assert profile(reported) == ("Cheap pills", "Buy them from @alice", "Everywhere")


def test_pronouns_and_place_go_and_come_back_like_the_rest(reported, mod):
    action_id = decide(mod, about(reported), RESET, parts=("gender", "location"))
    assert (info(reported).gender, info(reported).location) == (None, None)
    (action,) = actions_of(about(reported))
    key = keys.case_profile("person", reported.user_id, str(action.profile))
    assert get(ProfileEvidence, key, consistent=True).gender == "pills/pills"
    undo_action(by=mod, case_id=about(reported), action_id=action_id)
    assert (info(reported).gender, info(reported).location) == ("pills/pills", "Everywhere")


def test_only_what_says_something_is_noted_as_reset(reported, mod):
    edit_profile(by=reported, name="Cheap pills", bio="", location="", gender="")
    decide(mod, about(reported), RESET, parts=("name", "bio", "avatar"), keep_open=True)
    (action,) = actions_of(about(reported))
    assert action.parts == {"name"}
    assert logged()[-1].detail["parts"] == ["avatar", "bio", "name"]
    with pytest.raises(NothingToActOn):
        decide(mod, about(reported), RESET)
    with pytest.raises(NothingToActOn):
        decide(mod, about(reported), RESET, parts=())
    assert len(actions_of(about(reported))) == 1


def test_undoing_leaves_what_the_person_has_changed_since(reported, alice, mod):
    action_id = decide(mod, about(reported), RESET)
    edit_profile(by=reported, name="Bob", bio="")
    for _ in range(2):
        undo_action(by=mod, case_id=about(reported), action_id=action_id)
    assert profile(reported) == ("Bob", "Buy them from @alice", "Everywhere")
    assert info(reported).mentions.as_dict() == {"alice": alice.user_id}


@pytest.mark.parametrize(("name", "then"), [(None, "Cheap pills"), ("robert", "robert")])
def test_another_handle_is_no_other_name(reported, mod, name, then):
    action_id = decide(mod, about(reported), RESET, parts=("name",))
    change_handle(by=reported, handle="robert")
    edit_profile(by=reported, name=name, bio="")
    undo_action(by=mod, case_id=about(reported), action_id=action_id)
    assert info(reported).name == then


def test_undoing_an_earlier_reset_leaves_what_a_later_one_took(reported, mod):
    first = decide(mod, about(reported), RESET, parts=("bio", "location"))
    edit_profile(by=reported, bio="More pills")
    second = decide(mod, about(reported), RESET, parts=("bio",))
    undo_action(by=mod, case_id=about(reported), action_id=first)
    assert (info(reported).bio, info(reported).location) == (None, "Everywhere")
    undo_action(by=mod, case_id=about(reported), action_id=second)
    assert info(reported).bio == "More pills"


def test_granting_an_appeal_brings_it_back(reported, mod, admin):
    action_id = decide(mod, about(reported), RESET)
    appeal(person_id=reported.user_id, action_id=action_id, text="I am a pharmacist.")
    answer_appeal(
        by=admin,
        case_id=about(reported),
        action_id=action_id,
        text="",
        version=version_of(about(reported)),
        grant=True,
    )
    assert profile(reported) == ("Cheap pills", "Buy them from @alice", "Everywhere")
    assert actions_of(about(reported))[0].undone_at


# Pictures


def test_reported_pictures_are_copied_and_stay_public(alice, bob, drain_stream):
    names = give_pictures(bob)
    report(alice, bob)
    report(alice, bob)
    drain_stream()
    assert sorted((one.part, one.state) for one in case_photos()) == [
        ("avatar", "kept"),
        ("header", "kept"),
    ]
    assert len(list_copies(bob.user_id)) == 3  # a header has two sizes
    assert [len(contents(name)) for name in names.values()] == [1, 2]
    remove_picture(by=bob, kind=Kind.AVATAR)
    drain_stream()
    assert len(list_copies(bob.user_id)) == 3
    assert broken_invariants() == {}


def test_a_picture_that_its_owner_replaced_before_the_copy_is_noted_as_gone(
    alice, bob, drain_stream
):
    give_pictures(bob, Kind.AVATAR)
    report(alice, bob)
    remove_picture(by=bob, kind=Kind.AVATAR)
    drain_stream()
    assert [one.state for one in case_photos()] == ["gone"]
    assert list_copies(bob.user_id) == []
    assert broken_invariants() == {}


@pytest.mark.parametrize("copied_before", [True, False])
def test_a_reset_deletes_the_public_files_and_an_undo_brings_them_back(
    alice, bob, mod, drain_stream, copied_before
):
    names = give_pictures(bob)
    before = {kind: contents(name) for kind, name in names.items()}
    report(alice, bob, "" if copied_before else post(bob))
    if copied_before:
        drain_stream()
    action_id = decide(mod, about(bob), RESET, parts=("avatar", "header"))
    assert (info(bob).avatar, info(bob).header) == (None, None)
    drain_stream()
    assert [contents(name) for name in names.values()] == [[], []]
    assert broken_invariants() == {}
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    drain_stream()
    now = {"avatar": info(bob).avatar, "header": info(bob).header}
    assert {kind: contents(name) for kind, name in now.items()} == before
    assert not set(now.values()) & set(names.values())
    assert broken_invariants() == {}


def test_an_undo_before_the_worker_works_brings_the_pictures_back_too(
    alice, bob, mod, drain_stream
):
    names = give_pictures(bob)
    report(alice, bob)
    action_id = decide(mod, about(bob), RESET, parts=("avatar", "header"))
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    drain_stream()
    assert [len(contents(name)) for name in names.values()] == [0, 0]
    assert [len(contents(name)) for name in (info(bob).avatar, info(bob).header)] == [1, 2]
    assert broken_invariants() == {}


def test_a_new_picture_is_not_touched_by_the_reset_or_its_undoing(alice, bob, mod, drain_stream):
    give_pictures(bob, Kind.AVATAR)
    report(alice, bob)
    action_id = decide(mod, about(bob), RESET, parts=("avatar",))
    later = give_pictures(bob, Kind.AVATAR)["avatar"]
    drain_stream()
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert info(bob).avatar == later
    assert len(contents(later)) == 1


def test_the_worker_may_hear_of_a_reset_twice(alice, bob, mod):
    names = give_pictures(bob)
    report(alice, bob)
    action_id = decide(mod, about(bob), RESET)
    records = unread()
    handle_all(records)
    done, copies = everything(), list_copies(bob.user_id)
    handle_all(records)
    assert (everything(), list_copies(bob.user_id)) == (done, copies)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    handle_all(records)
    assert [contents(name) for name in names.values()] == [[], []]
    assert len(contents(info(bob).header)) == 2


def test_the_copies_of_a_header_are_told_apart_by_their_size():
    header = CasePhoto(
        *keys.case_photo("person", "u", "h", "header"),
        photo_id="h",
        part="header",
        version="header",
        secret="s",
        source="headers/h",
    )
    assert names_of(header) == ["h.header.s", "h.header.s-1"]
    assert len(names_of(header)) == len(files_of(header.source))


# Words that a rule refuses cannot stand in a name or a profile either.


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
@pytest.mark.parametrize("field", ["name", "bio", "gender", "location"])
def test_a_refused_word_is_said_beside_its_field(admin, alice, log_in, field, extra):
    word_rule(admin, "casino", Effect.REFUSE)
    form = {"name": "Alice", "bio": "Baker"} | {field: "The CASINO"}
    response = log_in(alice).post("/settings/profile", form, **extra)
    page = Html(response)
    assert response.status_code == 422
    assert "No spam" in page.error(field)
    assert page.value(field) == "The CASINO"
    assert get_user_info(alice.user_id).name == "Alice Archer"


def test_the_first_steps_refuse_it_too(admin, alice, log_in):
    word_rule(admin, "casino", Effect.REFUSE)
    response = log_in(alice).post("/welcome", {"bio": "My casino"})
    assert response.status_code == 422
    assert Html(response).error("bio")


@pytest.mark.parametrize("effect", [Effect.FLAG, Effect.HOLD, Effect.LIMIT])
def test_other_effects_are_for_posts_alone(admin, alice, log_in, effect):
    word_rule(admin, "casino", effect)
    form = {"name": "Casino", "bio": "casino"}
    assert log_in(alice).post("/settings/profile", form).status_code == 302
    assert not get_user_info(alice.user_id).is_limited
