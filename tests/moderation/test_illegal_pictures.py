"""Illegal pictures: removed with their hashes kept, refused when they come again, and taken back by an undo."""

from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.people.cards import Kind, files_of
from accounts.people.restrictions import FOR_EVER
from accounts.people.viewer import Viewer
from accounts.permissions import JUNIOR, Permission, save_role
from feed.posts.models import Withheld
from moderation.cases.decisions import IsStaff, NothingToActOn
from moderation.cases.effects import undo_action
from moderation.cases.limits import BeyondLimits
from moderation.cases.reads import Outranked, read_case
from moderation.cases.removing import picture_name
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, CaseReport
from moderation.rules.writes import save_settings
from moderation.securing.writes import Securing, secure_account, show_again
from photos.files import PRIVATE, PUBLIC, list_secrets
from photos.models import READY, REMOVED, Photo
from photos.reads import get_photos
from photos.writes import upload_photo
from privacy.erasure.writes import begin_closing
from socialsite.blocked_pictures.reads import list_blocked
from socialsite.pictures.decoding import PictureRefused
from socialsite.site_settings.site_setup import CHILD, MINOR, URGENT
from socialsite.table import as_model, get, ids, keys
from socialsite.table.reading import scan
from tests.conftest import HTMX, person
from tests.feed.scenes import post_photos
from tests.looks import broken_invariants
from tests.moderation.cases import (
    about,
    actions_of,
    case_photos,
    decide,
    files_in,
    info,
    logged,
    look,
    report,
    strikes,
    withheld,
)
from tests.moderation.staff import after, let_pass
from tests.moderation.test_reported_message_photos import reported
from tests.web.html import Html

DEMO = Path("operations/demo/data/photos")


def sends(by: Viewer, name: str = "lake") -> Photo:
    upload = SimpleUploadedFile("me.jpg", (DEMO / f"{name}.jpg").read_bytes())
    return upload_photo(by=by, upload=upload)


def photo_of(author: Viewer, photo_id: str) -> Photo:
    return get(Photo, keys.photo(author.user_id, photo_id), consistent=True)


def names() -> tuple[str, ...]:
    return tuple(map(picture_name, case_photos()))


def kinds() -> list[str]:
    return sorted(entry.kind for entry in list_blocked())


@pytest.fixture
def work(drain_stream):
    def done() -> None:
        for _ in range(3):
            drain_stream()
            let_pass(after(seconds=1))

    return done


@pytest.fixture
def post_id(alice, bob, work) -> str:
    """A post of Bob's with a photo, which Alice reported."""
    one = post_photos(bob, sends(bob).photo_id)
    report(alice, bob, one, rule_id=CHILD, severity=URGENT)
    work()
    return one


def remove(mod: Viewer, bob: Viewer, *chosen: str, **rest) -> str:
    rest.setdefault("rule_id", CHILD)
    return decide(mod, about(bob), ActionKind.REMOVE, pictures=chosen or names(), **rest)


# Removing


def test_it_leaves_everyone_its_author_too_and_its_hashes_are_kept(mod, bob, post_id, work):
    (kept,) = case_photos()
    remove(mod, bob, until=FOR_EVER)
    work()
    photo = photo_of(bob, kept.photo_id)
    assert (photo.state, photo.public_secret) == (REMOVED, None)
    assert not list_secrets(PUBLIC)
    assert photo.secret not in list_secrets(PRIVATE)
    assert get_photos(bob, [kept.photo_id]) == []
    assert withheld(bob, post_id) == Withheld.HIDDEN
    assert info(bob).suspended_until == FOR_EVER
    assert kinds() == ["pdq", "sha256"]
    (entry,) = logged()
    assert (entry.action, entry.detail["pictures"]) == ("remove", 1)
    assert "hash" not in str(entry.detail)
    assert not broken_invariants()


def test_nobody_can_upload_it_again(mod, bob, carol, post_id, work):
    remove(mod, bob)
    work()
    with pytest.raises(PictureRefused):
        sends(carol)
    sends(carol, "town")


def test_the_account_is_suspended_only_where_the_moderator_says_so(mod, bob, post_id):
    remove(mod, bob)
    assert info(bob).suspended_until is None
    (strike,) = strikes(bob)
    assert (strike.kind, strike.until, strike.posts) == (ActionKind.REMOVE, None, {post_id})


def test_undoing_it_takes_the_hashes_back_and_makes_the_files_anew(mod, bob, carol, post_id, work):
    (kept,) = case_photos()
    action_id = remove(mod, bob, until=FOR_EVER)
    work()
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    work()
    photo = photo_of(bob, kept.photo_id)
    assert (photo.state, withheld(bob, post_id)) == (READY, None)
    assert photo.secret in list_secrets(PRIVATE)
    assert photo.public_secret in list_secrets(PUBLIC)
    assert info(bob).suspended_until is None
    assert kinds() == []
    sends(carol)
    assert not broken_invariants()


def test_undoing_it_at_once_leaves_the_picture_there(mod, bob, post_id, work):
    (kept,) = case_photos()
    action_id = remove(mod, bob)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    work()
    photo = photo_of(bob, kept.photo_id)
    assert photo.state == READY
    assert photo.secret in list_secrets(PRIVATE)
    assert photo.public_secret in list_secrets(PUBLIC)
    assert kinds() == []
    assert not broken_invariants()


def test_a_granted_appeal_takes_the_hashes_back(mod, admin, bob, post_id, work):
    action_id = remove(mod, bob, until=FOR_EVER)
    work()
    appeal(person_id=bob.user_id, action_id=action_id, text="It is my own child at the beach")
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=admin, case_id=about(bob), action_id=action_id, text="", version=version, grant=True
    )
    work()
    assert (kinds(), info(bob).suspended_until) == ([], None)
    assert not broken_invariants()


def test_what_another_decision_holds_stays_when_one_is_undone(
    mod, alice, bob, carol, post_id, work
):
    theirs = post_photos(carol, sends(carol).photo_id)
    report(alice, carol, theirs, rule_id=CHILD, severity=URGENT)
    work()
    first = remove(mod, bob)
    remove(mod, carol)
    undo_action(by=mod, case_id=about(bob), action_id=first)
    work()
    assert kinds() == ["pdq", "sha256"]


def test_a_removal_claims_a_post_that_securing_hid(mod, bob, post_id, work):
    wish = Securing(ids.new_id(), posts=(post_id,))
    secure_account(by=mod, user_id=bob.user_id, wish=wish)
    action_id = remove(mod, bob)
    show_again(by=bob)
    assert withheld(bob, post_id) == Withheld.HIDDEN
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    work()
    assert withheld(bob, post_id) is None
    assert not broken_invariants()


def test_two_removals_of_one_picture_are_both_undone_before_it_comes_back(mod, bob, post_id, work):
    (kept,) = case_photos()
    first = remove(mod, bob, keep_open=True)
    work()
    second = remove(mod, bob, until=FOR_EVER)
    work()
    undo_action(by=mod, case_id=about(bob), action_id=first)
    work()
    assert photo_of(bob, kept.photo_id).state == REMOVED
    assert withheld(bob, post_id) == Withheld.HIDDEN
    assert kinds() == ["pdq", "sha256"]
    assert not broken_invariants()
    undo_action(by=mod, case_id=about(bob), action_id=second)
    work()
    assert photo_of(bob, kept.photo_id).state == READY
    assert withheld(bob, post_id) is None
    assert kinds() == []
    assert not broken_invariants()


def test_the_second_removal_can_be_undone_first(mod, bob, post_id, work):
    (kept,) = case_photos()
    first = remove(mod, bob, keep_open=True)
    second = remove(mod, bob)
    for action_id, state, hides in ((second, REMOVED, True), (first, READY, False)):
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
        work()
        assert photo_of(bob, kept.photo_id).state == state
        assert (withheld(bob, post_id) == Withheld.HIDDEN) is hides


def test_a_post_that_was_hidden_before_stays_hidden_for_the_decision_that_stands(
    mod, bob, post_id, work
):
    hides = decide(mod, about(bob), ActionKind.HIDE, post_id, keep_open=True)
    removes = remove(mod, bob)
    for action_id, before in ((hides, Withheld.HIDDEN), (removes, None)):
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
        work()
        assert withheld(bob, post_id) == before
    assert not broken_invariants()


def test_an_earlier_suspension_is_in_force_again(mod, bob, post_id):
    later = "2031-01-01T00:00:00+00:00"
    decide(mod, about(bob), ActionKind.SUSPEND, until=later, keep_open=True)
    action_id = remove(mod, bob, until=FOR_EVER)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert info(bob).suspended_until == later


def test_pictures_of_the_profile_go_with_a_suspension_and_come_back(mod, alice, bob, work):
    for kind, path in _with_real_pictures(bob).items():
        assert default_storage.exists(path), kind
    report(alice, bob, rule_id=CHILD, severity=URGENT)
    work()
    action_id = remove(mod, bob, until=FOR_EVER)
    work()
    assert (info(bob).avatar, info(bob).header) == (None, None)
    assert kinds() == ["pdq", "pdq"]
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    work()
    assert contents_exist(info(bob).avatar)
    assert info(bob).suspended_until is None
    assert kinds() == []
    assert not broken_invariants()


def _with_real_pictures(bob: Viewer) -> dict[str, str]:
    from accounts.profile.writes import change_pictures

    uploads = {
        kind: SimpleUploadedFile("me.jpg", (DEMO / f"{name}.jpg").read_bytes())
        for kind, name in ((Kind.AVATAR, "lake"), (Kind.HEADER, "town"))
    }
    change_pictures(by=bob, uploads=uploads)
    return {kind: next(iter(files_of(getattr(info(bob), kind)).values())) for kind in Kind}


def contents_exist(name: str | None) -> bool:
    return bool(name) and all(default_storage.exists(path) for path in files_of(name).values())


def test_a_photo_of_a_private_message_leaves_all_who_read_it(mod, alice, bob, work):
    reported(alice, bob)
    work()
    (kept,) = case_photos()
    remove(mod, bob)
    work()
    assert photo_of(bob, kept.photo_id).state == REMOVED
    assert kept.source not in list_secrets(PRIVATE)
    assert kinds() == ["sha256"]
    assert not broken_invariants()


def test_pictures_that_are_not_of_the_case_are_nothing_to_act_on(mod, bob, post_id):
    for named in ("", "x", "..", "a.b", f"{case_photos()[0].photo_id}.other"):
        with pytest.raises(NothingToActOn):
            remove(mod, bob, named)


def test_nobody_of_the_staff_is_suspended_with_it(admin, alice, bob, work):
    junior = person("junior", role="moderator")
    one = post_photos(junior, sends(junior).photo_id)
    report(alice, junior, one, rule_id=CHILD, severity=URGENT)
    work()
    with pytest.raises(IsStaff):
        remove(admin, junior, until=FOR_EVER)
    remove(admin, junior)


def test_nobody_removes_pictures_of_those_above_or_beside_them(mod, alice, work):
    other = person("other", role="moderator")
    report(alice, other, post_photos(other, sends(other).photo_id), rule_id=CHILD, severity=URGENT)
    work()
    with pytest.raises(Outranked):
        remove(mod, other)
    assert kinds() == []


def test_the_hashes_outlive_the_account(mod, bob, post_id, work):
    remove(mod, bob)
    work()
    begin_closing(user_id=bob.user_id, at_once=True)
    work()
    assert kinds() == ["pdq", "sha256"]
    assert bob.user_id not in str([raw for raw in scan() if raw["type"]["S"] == "BlockedPicture"])


# The case


def test_the_form_is_filled_in_and_one_press_confirms_it(moderator, bob, post_id, work):
    case = Html(moderator.get(about(bob).url))
    (way,) = [one["href"] for one in case.all("a") if "action=remove" in (one["href"] or "")]
    page = moderator.get(way)
    html = Html(page)
    (picture,) = html.all("input", type="checkbox", name="pictures")
    assert picture["checked"] == ""
    assert CHILD in [one["value"] for one in html.all("option", selected="")]
    assert html.one("input", type="radio", name="end", checked="")["value"] == "ever"
    data = {
        "action": "remove",
        "version": html.one("input", name="version")["value"],
        "pictures": picture["value"],
        "rule": CHILD,
        "end": "ever",
        "preset": "default",
    }
    assert moderator.post(f"{about(bob).url}/decide", data).status_code == 302
    assert info(bob).suspended_until == FOR_EVER
    assert [one.kind for one in actions_of(about(bob))] == [ActionKind.REMOVE]


def test_it_is_not_offered_where_the_case_has_no_picture(moderator, alice, bob):
    report(alice, bob, rule_id=CHILD, severity=URGENT)
    assert 'value="remove"' not in moderator.get(about(bob).url).content.decode()


def test_it_takes_the_permission_to_suspend(admin, bob, post_id, log_in):
    save_role(by=admin, name="junior", title="Junior", permissions={Permission.CASES})
    browser = log_in(person("junior", role="junior"))
    assert 'value="remove"' not in browser.get(about(bob).url).content.decode()
    answer = browser.get(f"{about(bob).url}/decide", {"action": "remove"})
    assert answer.status_code == 404


def test_the_reason_stands_in_every_form_and_is_urgent_whoever_says_so(alice, bob, mod, log_in):
    for reported_before in ("x1", "x2", "x3"):
        someone = person(reported_before)
        report(alice, someone, rule_id="spam", severity=MINOR)
        decide(mod, about(someone), ActionKind.DISMISS)
    page = Html(log_in(alice).get("/@bob/report", headers=HTMX))
    assert [one["value"] for one in page.all("input", type="radio")][:2] == ["danger", CHILD]
    log_in(alice).post("/@bob/report", {"reason": CHILD})
    case = read_case(about(bob))
    assert (case.severity, case.rules) == (URGENT, {CHILD})


# Tries


def test_a_try_opens_an_urgent_case_and_counts(mod, bob, carol, post_id, work, moderator):
    remove(mod, bob)
    work()
    for _ in range(2):
        with pytest.raises(PictureRefused):
            sends(carol)
        work()
    case = read_case(about(carol))
    assert (case.severity, case.rules, case.refused_pictures) == (URGENT, {CHILD}, 2)
    assert case.reports == 1
    said = [as_model(CaseReport, raw) for raw in scan() if raw["type"]["S"] == "CaseReport"]
    assert "site" in {one.reporter_id for one in said}
    page = Html(moderator.get(about(carol).url)).one("main").text
    assert "tried to upload a blocked picture 2 times" in page
    assert not [one for one in case_photos() if one.person_id == carol.user_id]
    assert not broken_invariants()


def test_the_next_round_counts_from_one(mod, bob, carol, post_id, work):
    remove(mod, bob)
    work()
    for _ in range(2):
        with pytest.raises(PictureRefused):
            sends(carol)
        work()
        decide(mod, about(carol), ActionKind.CLOSE, keep_open=False)
    assert read_case(about(carol)).refused_pictures == 1
    assert not broken_invariants()


def test_a_try_of_someone_who_left_meanwhile_opens_nothing(mod, bob, carol, post_id, work):
    remove(mod, bob)
    work()
    with pytest.raises(PictureRefused):
        sends(carol)
    begin_closing(user_id=carol.user_id, at_once=True)
    work()
    assert not broken_invariants()


# Looking


def test_one_look_shows_it_small_grey_and_blurred_and_a_box_takes_each_away(
    moderator, bob, post_id
):
    (kept,) = case_photos()
    answer = look(moderator, about(bob), kept.photo_id, **HTMX)
    shown = Html(answer)
    assert [one["name"] for one in shown.all("input", type="checkbox")] == [
        "large",
        "sharp",
        "colour",
    ]
    assert not shown.all("input", checked="")
    (address,) = files_in(answer)
    assert not shown.all("a", href=address)  # one press would show it all


def test_looks_are_counted_for_each_moderator_and_day(moderator, admin, bob, post_id, log_in):
    (kept,) = case_photos()
    for number in (1, 2):
        page = Html(look(moderator, about(bob), kept.photo_id))
        assert f"You have looked at {number} picture" in page.one("li", class_="case-photo").text
    page = Html(look(log_in(admin), about(bob), kept.photo_id))
    assert "looked at 1 picture today" in page.one("li", class_="case-photo").text
    assert len([one for one in logged() if one.action == "view photo"]) == 3


def test_a_break_is_suggested_after_as_many_as_the_site_says(
    moderator, admin, bob, post_id, log_in
):
    (kept,) = case_photos()
    assert "Take a break" not in look(moderator, about(bob), kept.photo_id).content.decode()
    save_settings(by=admin, values={"looks_before_pause": 2})
    assert "Take a break" in look(moderator, about(bob), kept.photo_id).content.decode()
    save_settings(by=admin, values={"looks_before_pause": 0})
    assert "Take a break" not in look(moderator, about(bob), kept.photo_id).content.decode()


def test_admins_set_after_how_many(admin, log_in):
    page = Html(log_in(admin).get("/moderation/site"))
    assert page.one("input", name="looks_before_pause")["value"] == "20"


# Juniors


@pytest.fixture
def jun(table) -> Viewer:
    """A junior moderator."""
    return person("jun", "Jun", role=JUNIOR)


def test_a_junior_removes_pictures_and_suspends_with_it_only_within_their_limits(jun, bob, post_id):
    with pytest.raises(BeyondLimits) as refused:
        remove(jun, bob, until=FOR_EVER)
    assert refused.value.field == "end"
    assert not info(bob).suspended_until
    remove(jun, bob)
    assert kinds() == ["pdq", "sha256"]


def test_a_junior_takes_back_no_long_suspension_that_came_with_it(jun, mod, bob, post_id):
    removal = remove(mod, bob, until=FOR_EVER)
    with pytest.raises(BeyondLimits):
        undo_action(by=jun, case_id=about(bob), action_id=removal)
    assert info(bob).suspended_until == FOR_EVER


def test_a_senior_answers_the_appeal_against_it_and_undoing_it_answers_too(jun, mod, bob, post_id):
    removal = remove(mod, bob)
    appeal(person_id=bob.user_id, action_id=removal, text="No")
    version = int(read_case(about(bob)).version)
    with pytest.raises(BeyondLimits):
        answer_appeal(
            by=jun, case_id=about(bob), action_id=removal, text="", version=version, grant=True
        )
    with pytest.raises(BeyondLimits):
        undo_action(by=jun, case_id=about(bob), action_id=removal)
    assert kinds() == ["pdq", "sha256"]
