"""What a case keeps of a reported profile: as it was, whatever the person makes of it afterwards."""

from accounts.models import UserInfo
from accounts.services.edit_profile import edit_profile
from moderation.cases.access_patterns import get_case
from moderation.models import ProfileEvidence
from socialsite.table import keys
from socialsite.table.reading import as_model, query
from socialsite.table.writing import change
from tests.conftest import post
from tests.looks import broken_invariants
from tests.moderation.cases import about, report
from tests.web.html import Html


def set_pictures(person, **names: str) -> None:
    actions = [getattr(UserInfo, part).set(name) for part, name in names.items()]
    change(UserInfo, keys.user_info(person.user_id), actions)


def kept(person) -> list[ProfileEvidence]:
    rows = query(about(person).key.pk, consistent=True)
    return [as_model(ProfileEvidence, raw) for raw in rows if raw["type"]["S"] == "ProfileEvidence"]


def test_a_reported_profile_stays_as_it_was(alice, bob, drain_stream):
    set_pictures(alice, avatar="avatars/a.webp")
    edit_profile(by=alice, name="Cheap pills", bio="Buy at @bob’s", location="Everywhere")
    report(bob, alice, rule_id="spam")
    edit_profile(by=alice, name="Alice", bio="", location="")
    (one,) = kept(alice)
    assert (one.handle, one.name, one.bio, one.location, one.avatar) == (
        *("alice", "Cheap pills", "Buy at @bob’s", "Everywhere"),
        "avatars/a.webp",
    )
    drain_stream()
    assert broken_invariants() == {}


def test_the_same_profile_is_kept_once_and_each_other_one_too(alice, bob, carol, mod):
    report(bob, alice, rule_id="spam")
    first = kept(alice)
    report(carol, alice, rule_id="spam")
    assert [one.kept_at for one in kept(alice)] == [one.kept_at for one in first]
    edit_profile(by=alice, name="Another", bio="", location="")
    report(mod, alice, rule_id="spam")
    assert {one.name for one in kept(alice)} == {"Alice Archer", "Another"}


def test_a_report_of_a_post_keeps_the_post_alone(alice, bob):
    report(bob, alice, post(alice), rule_id="spam")
    assert kept(alice) == []


def test_the_page_shows_it_and_what_has_changed(alice, bob, mod, log_in):
    set_pictures(alice, avatar="avatars/a.webp", header="headers/h")
    edit_profile(by=alice, name="Cheap pills", bio="Buy here", location="Everywhere")
    report(bob, alice, rule_id="spam")
    (profile,) = get_case(about(alice)).profiles
    assert (profile.changed, bool(profile.avatar_url)) == ((), True)
    edit_profile(by=alice, name="Alice", bio="Buy here", location="Everywhere")
    set_pictures(alice, avatar="avatars/b.webp")
    (profile,) = get_case(about(alice)).profiles
    assert (profile.changed, profile.avatar_url) == (("Display name", "Picture"), "")
    text = Html(log_in(mod).get(about(alice).url)).one("main").text
    for said in ("Cheap pills", "Buy here", "Since changed: Display name"):
        assert said in text
