"""What a case keeps of a reported profile: as it was, whatever the person makes of it afterwards."""

from accounts.people.cards import Kind
from accounts.profile.writes import edit_profile
from moderation.cases.lists import get_case
from moderation.models import ProfileEvidence
from socialsite.table import as_model, change, query
from tests.conftest import post
from tests.looks import broken_invariants
from tests.moderation.cases import about, report
from tests.moderation.reported_pictures import give_pictures
from tests.web.html import Html


def kept(person) -> list[ProfileEvidence]:
    rows = query(about(person).key.pk, consistent=True)
    return [as_model(ProfileEvidence, raw) for raw in rows if raw["type"]["S"] == "ProfileEvidence"]


def test_a_reported_profile_stays_as_it_was(alice, bob, drain_stream):
    names = give_pictures(alice)
    edit_profile(by=alice, name="Cheap pills", bio="Buy at @bob’s", location="Everywhere")
    report(bob, alice, rule_id="spam")
    edit_profile(by=alice, name="Alice", bio="", location="")
    (one,) = kept(alice)
    said = (one.handle, one.name, one.bio, one.location)
    assert said == ("alice", "Cheap pills", "Buy at @bob’s", "Everywhere")
    assert (one.avatar, one.header) == (names["avatar"], names["header"])
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


def test_someone_who_reported_a_post_may_report_the_profile_in_the_same_round(alice, bob):
    report(bob, alice, post(alice), rule_id="spam")
    before = report(bob, alice, rule_id="hate", comment="The name too")
    (one,) = kept(alice)
    assert (one.name, before.reports, before.rules) == ("Alice Archer", 1, {"spam", "hate"})
    assert report(bob, alice).version == before.version
    edit_profile(by=alice, name="Worse", bio="", location="")
    assert report(bob, alice).version == before.version + 1
    assert {one.name for one in kept(alice)} == {"Alice Archer", "Worse"}
    (card,) = get_case(about(alice)).reports
    assert (card.comment, len(card.posts)) == ("The name too", 1)


def test_the_page_shows_it_and_what_has_changed(alice, bob, mod, log_in):
    give_pictures(alice)
    said = {"bio": "Buy here", "location": "Everywhere"}
    edit_profile(by=alice, name="Cheap pills", gender="pills/pills", **said)
    report(bob, alice, rule_id="spam")
    (profile,) = get_case(about(alice)).profiles
    assert profile.changed == ()
    edit_profile(by=alice, name="Alice", gender="she/her", **said)
    give_pictures(alice, Kind.AVATAR)
    (profile,) = get_case(about(alice)).profiles
    assert profile.changed == ("Display name", "Pronouns", "Picture")
    text = Html(log_in(mod).get(about(alice).url)).one("main").text
    for said in ("Cheap pills", "pills/pills", "Buy here", "Since changed: Display name"):
        assert said in text


def test_evidence_from_before_pronouns_were_kept_says_nothing_of_them(alice, bob):
    edit_profile(by=alice, name="Cheap pills", bio="", gender="she/her")
    report(bob, alice, rule_id="spam")
    (one,) = kept(alice)
    change(ProfileEvidence, one.key, [ProfileEvidence.gender.remove()])
    (profile,) = get_case(about(alice)).profiles
    assert profile.changed == ()
