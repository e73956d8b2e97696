"""The pages of who reports, is reset, and appeals."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from accounts.profile.writes import edit_profile
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from moderation.audit_log.reads import list_public_entries
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case
from moderation.cases.reads import read_case
from moderation.cases.writes import answer_appeal
from moderation.models import ActionKind, Queue
from moderation.reports import views
from relations.blocks.writes import block, mute
from socialsite import keys
from socialsite.clock import utc_now_iso
from socialsite.site_settings.site_setup import MINOR, SERIOUS, URGENT, Rule, SiteRules
from socialsite.table import ids
from socialsite.web.limits import APPEALS
from tests.accounts.conftest import DECADE
from tests.conftest import HTMX, post
from tests.kept import keep_site_rules
from tests.moderation.cases import (
    about,
    actions_of,
    case_photos,
    decide,
    files_in,
    give_pictures,
    index,
    info,
    is_there,
    look,
    looks,
    report,
    report_by,
    restrict,
    strikes,
    version_of,
    waiting_sign_up,
    withhold,
)
from tests.relations.scenes import relationship
from tests.web.html import Html

PAGE = "/@bob/report"
SPAM = {"reason": "spam"}
ways = pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])


def address(post_id: str, handle: str = "bob") -> str:
    return f"/@{handle}/posts/{post_id}/report"


def toasts(browser, path: str) -> list[str]:
    return [box.text for box in Html(browser.get(path)).all(class_="toast-success")]


def test_the_page_and_the_dialog_offer_the_rules_and_something_else(alice, bob, log_in):
    browser = log_in(alice)
    for path in (PAGE, address(post(bob))):
        for extra in ({}, {"headers": HTMX}):
            html = Html(browser.get(path, **extra))
            reasons = [radio["value"] for radio in html.all("input", type="radio")]
            assert reasons == [
                "danger",
                "child",
                *(rule.rule_id for rule in SiteRules().rules),
                "other",
            ]
            assert html.one("form", class_="report")["action"] == path
            assert "We won’t tell @bob that you reported" in html.one("form", class_="report").text
            assert bool(html.all("html")) is not bool(extra)
    assert not is_there(about(bob))


def test_the_page_shows_the_post_which_is_reported(alice, bob, log_in):
    post_id = post(bob, "Buy my tea")
    html = Html(log_in(alice).get(address(post_id)))
    assert html.post_ids() == [post_id]
    assert html.one("h2", id="modal-title").text == "Report this post by Bob Brandt"


def test_a_reason_says_what_was_done_and_not_what_the_rule_asks(alice, bob, log_in):
    choices = Html(log_in(alice).get(PAGE)).one("fieldset", id="id_reason").text
    assert choices == (
        "What is wrong? Someone is in danger Sexual picture of a child "
        "Violence or threats Something illegal Harassment or hate "
        "Sexual content without a warning Pretending to be someone else Spam Something else"
    )


def test_that_something_else_needs_words_is_said_before_it_is_sent(alice, bob, log_in):
    page = Html(log_in(alice).get(PAGE))
    described = page.one("textarea", name="comment")["aria-describedby"]
    said = " ".join(page.one(id=one).text for one in described.split() if page.all(id=one))
    assert "unless you choose “Something else”" in said


def test_the_sites_own_rules_are_offered_in_its_words(alice, bob, log_in):
    rules = (
        Rule("tea", URGENT, 0, "No tea", "Coffee alone.", "Tea"),
        Rule("ale", MINOR, 1, "No ale"),
    )
    keep_site_rules(SiteRules(rules=rules))
    browser = log_in(alice)
    choices = Html(browser.get(PAGE)).one("fieldset", id="id_reason").text
    assert (
        choices
        == "What is wrong? Someone is in danger Sexual picture of a child Tea Breaks “No ale” Something else"
    )
    assert browser.post(PAGE, SPAM).status_code == 422
    assert browser.post(PAGE, {"reason": "tea"}).status_code == 302
    assert read_case(about(bob)).severity == URGENT


def test_a_post_is_reported_with_its_words_its_rule_and_a_comment(alice, bob, log_in):
    post_id = post(bob, "Buy my tea")
    form = {"reason": "harassment", "comment": " Under each of my posts "}
    response = log_in(alice).post(address(post_id), form)
    assert (response.status_code, response["Location"]) == (302, "/settings/reports")
    case = read_case(about(bob))
    assert (case.reports, case.severity, case.rules) == (1, SERIOUS, {"harassment"})
    report = report_by(alice, bob)
    assert (report.posts, report.comment) == ({post_id}, "Under each of my posts")
    assert [card.html for card in get_case(about(bob)).evidence] == ["Buy my tea"]


def test_the_next_page_says_thank_you(alice, bob, log_in):
    browser = log_in(alice)
    browser.post(PAGE, SPAM)
    assert toasts(browser, "/settings/reports") == ["Thanks. A moderator will look into it. Close"]


def test_over_htmx_a_toast_says_thank_you_and_the_page_stays(alice, bob, log_in):
    response = log_in(alice).post(address(post(bob)), SPAM, headers=HTMX)
    assert (response.status_code, response.content) == (204, b"")
    assert "Thanks." in response["HX-Trigger"]
    assert read_case(about(bob)).reports == 1


def test_something_else_names_no_rule(alice, bob, log_in):
    log_in(alice).post(PAGE, {"reason": "other", "comment": "Odd"})
    case = read_case(about(bob))
    assert (case.severity, case.rules) == (MINOR, None)
    assert report_by(alice, bob).rule_id is None


@ways
def test_the_same_report_again_is_one_report(alice, bob, log_in, extra):
    browser, post_id = log_in(alice), post(bob)
    for _ in range(3):
        assert browser.post(address(post_id), SPAM, **extra).status_code < 400
    assert read_case(about(bob)).reports == 1


@ways
@pytest.mark.parametrize(
    ("form", "field", "says"),
    [
        ({}, "reason", "Choose a reason."),
        ({"reason": "no_such_rule"}, "reason", "Choose a reason."),
        ({"reason": "other"}, "comment", "Tell us in a sentence what’s wrong."),
        ({"reason": "other", "comment": " \u200b "}, "comment", "Tell us in a sentence what’s wrong."),
        (SPAM | {"comment": "x" * 501}, "comment", "Use up to 500 characters (this has 501)."),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_beside_the_field(alice, bob, log_in, extra, form, field, says):
    response = log_in(alice).post(PAGE, form, **extra)
    assert response.status_code == 422
    html = Html(response)
    assert html.error(field) == says
    assert says not in html.one(class_="form-errors").text
    assert not extra or response["HX-Retarget"] == "#modal"
    assert not is_there(about(bob))


@ways
def test_what_was_typed_and_chosen_stays(alice, bob, log_in, extra):
    form = {"comment": "He wrote: <b>tea</b>", "also_mute": "on"}
    html = Html(log_in(alice).post(PAGE, form, **extra))
    assert html.value("comment") == "He wrote: <b>tea</b>"
    assert "checked" in html.one("input", name="also_mute").attributes
    assert "checked" not in html.one("input", name="also_block").attributes
    kept = log_in(alice).post(PAGE, SPAM | {"comment": "x" * 501}, **extra)
    assert "checked" in Html(kept).one("input", value="spam").attributes


def test_muting_along_with_it(alice, bob, log_in):
    browser = log_in(alice)
    assert browser.post(PAGE, SPAM | {"also_mute": "on"}).status_code == 302
    assert relationship(alice, bob).mutes
    assert not relationship(alice, bob).blocks
    response = browser.post(address(post(bob)), SPAM | {"also_mute": "on"}, headers=HTMX)
    assert response.status_code == 204  # muted already: there is nothing new to show


def test_over_htmx_the_page_is_loaded_anew_without_whom_one_mutes(alice, bob, log_in):
    browser = log_in(alice)
    response = browser.post(PAGE, SPAM | {"also_mute": "on"}, headers=HTMX)
    assert response["HX-Refresh"] == "true"
    assert "HX-Trigger" not in response
    assert "Thanks." in toasts(browser, "/")[0]


def test_blocking_along_with_it_leads_to_their_page(alice, bob, log_in):
    browser, post_id = log_in(alice), post(bob)
    response = browser.post(address(post_id), SPAM | {"also_block": "on"}, headers=HTMX)
    assert response["HX-Redirect"] == "/@bob"
    assert relationship(alice, bob).blocks
    assert report_by(alice, bob).posts == {post_id}
    assert "Thanks." in toasts(browser, "/@bob")[0]


def test_both_at_once(alice, bob, log_in):
    response = log_in(alice).post(PAGE, SPAM | {"also_block": "on", "also_mute": "on"})
    assert response.status_code == 302
    assert relationship(alice, bob).blocks
    assert relationship(alice, bob).mutes


def test_what_is_in_force_already_is_not_offered(alice, bob, log_in):
    def offered() -> list[str]:
        return [box["name"] for box in Html(log_in(alice).get(PAGE)).all("input", type="checkbox")]

    assert offered() == ["also_mute", "also_block"]
    mute(by=alice, user_id=bob.user_id)
    assert offered() == ["also_block"]
    block(by=alice, user_id=bob.user_id)
    assert offered() == []


def test_only_what_one_sees_can_be_reported(alice, bob, carol, log_in):
    browser = log_in(alice)
    nonce = ids.new_id()
    private = publish_post(by=bob, content="Us", nonce=nonce, audience=Audience.FRIENDS)
    hidden, carols = post(bob), post(carol)
    withhold(bob, hidden)
    nowhere = [address(private), address(hidden), address(carols), address(ids.new_id())]
    for path in (*nowhere, "/@nobody_here/report"):
        assert browser.get(path).status_code == 404
        assert browser.post(path, SPAM).status_code == 404
    assert not is_there(about(bob))


def test_who_is_not_there_for_one_cannot_be_reported(alice, bob, carol, log_in):
    block(by=bob, user_id=alice.user_id)
    restrict(carol, Restriction.SUSPENDED)
    for path in (PAGE, address(post(bob)), "/@carol/report"):
        for response in (log_in(alice).get(path), log_in(alice).post(path, SPAM)):
            assert response.status_code in (404, 410)
    assert not is_there(about(bob))
    assert not is_there(about(carol))


@ways
def test_nobody_reports_themselves(alice, log_in, extra):
    for path in ("/@alice/report", address(post(alice), "alice")):
        response = log_in(alice).post(path, SPAM, **extra)
        assert response.status_code == 400
        said = response["HX-Trigger"] if extra else response.content.decode()
        assert "This is yours, so there" in said
    assert log_in(alice).get("/@alice/report").status_code == 400
    assert not is_there(about(alice))


def test_who_is_frozen_may_report(alice, bob, log_in):
    restrict(alice, Restriction.FROZEN)
    assert log_in(alice).post(PAGE, SPAM).status_code == 302
    assert read_case(about(bob)).reports == 1


# The pages of a reset profile: the question, the message, the log, and the pictures that the case keeps.


@pytest.fixture
def reported(alice, bob):
    edit_profile(by=bob, name="Cheap pills", bio="Buy <b>now</b>", location="")
    report(alice, bob, rule_id="spam")
    return about(bob)


def send(browser: Client, case_id, *parts: str, version: int = 0):
    form = {
        "action": "reset",
        "version": version or version_of(case_id),
        "rule": "spam",
        "preset": "default",
        "parts": parts,
    }
    return browser.post(f"{case_id.url}/decide", form)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_question_offers_what_the_profile_says(moderator, reported, headers):
    answer = moderator.get(f"{reported.url}/decide?action=reset", headers=headers)
    html = Html(answer)
    boxes = html.all("input", name="parts")
    assert [box["value"] for box in boxes] == ["name", "bio"]
    assert not any("checked" in box.attributes for box in boxes)
    said = [label.text for label in html.all("label", class_="chosen-part")]
    assert said == ["Display name: Cheap pills", "Bio: Buy <b>now</b>"]
    assert not actions_of(reported)


def test_the_person_is_told_which_parts_went(moderator, reported, bob, log_in):
    version = version_of(reported)
    for _ in range(2):
        assert send(moderator, reported, "name", "bio", version=version).status_code == 302
    (strike,) = strikes(bob)
    text = Html(log_in(bob).get(f"/standing/{strike.action_id}")).one("section", id="strike").text
    assert text.startswith("Parts of your profile were removed")
    assert "Display name, Bio" in text
    assert "You can choose something else." in text


def test_the_preview_says_what_they_will_read(moderator, reported):
    form = {
        "action": "reset",
        "version": version_of(reported),
        "rule": "spam",
        "preset": "default",
        "parts": ["bio"],
        "preview": "1",
    }
    told = Html(moderator.post(f"{reported.url}/decide", form, headers=HTMX)).one("div", id="told")
    assert "Parts of your profile were removed" in told.text
    assert "Bio" in told.text
    assert not actions_of(reported)


@pytest.mark.parametrize("parts", [(), ("location",), ("handle",), ("name", "role")])
def test_parts_that_cannot_be_reset_are_refused_and_nothing_happens(moderator, reported, parts):
    answer = send(moderator, reported, *parts)
    assert answer.status_code == 422
    assert Html(answer).all("div", class_="form-errors")
    assert not actions_of(reported)


def test_an_empty_profile_has_nothing_to_reset(moderator, alice, bob):
    edit_profile(by=bob, name="bob", bio="")
    report(alice, bob)
    page = Html(moderator.get(f"{about(bob).url}/decide?action=reset"))
    assert "There is nothing in this profile that you could remove." in page.one("main").text


def test_the_page_of_the_case_says_it_and_offers_to_undo_it(moderator, reported, bob):
    send(moderator, reported, "name")
    page = Html(moderator.get(reported.url)).one("main").text
    assert "Profile reset" in page
    assert "Display name" in page
    (action,) = actions_of(reported)
    undone = moderator.post(f"{reported.url}/undo", {"action_id": action.action_id})
    assert undone.status_code == 302
    assert info(bob).name == "Cheap pills"


def test_the_log_names_the_parts_and_the_public_log_nobody(mod, admin, reported, log_in):
    action_id = decide(mod, reported, ActionKind.RESET, parts=("name",))
    undo_action(by=mod, case_id=reported, action_id=action_id)
    page = Html(log_in(admin).get("/moderation/log")).one("main").text
    assert "Mod Miller reset parts of the profile of @bob" in page
    assert "Parts of the profile Display name" in page.replace(":", "")
    assert "Mod Miller restored the profile of @bob" in page
    public = [one.sentence for one in list_public_entries(utc_now_iso()[:7]).items]
    assert public == ["A profile was restored", "Parts of a profile were reset"]


# Pictures


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_picture_is_covered_until_a_moderator_asks_which_is_logged(
    moderator, alice, bob, drain_stream, headers
):
    names = give_pictures(bob)
    report(alice, bob)
    drain_stream()
    page = moderator.get(about(bob).url)
    assert files_in(page) == []
    covers = [one.text for one in Html(page).all("li", class_="case-photo")]
    assert ["header picture" in text for text in covers] == [False, True]
    assert all("Show this picture (this is logged)" in text for text in covers)
    header = next(one for one in case_photos() if one.part == "header")
    answer = look(moderator, about(bob), header.photo_id, **headers)
    (address,) = files_in(answer)
    picture = b"".join(moderator.get(address).streaming_content).decode()
    assert picture == f"RIFF {names['header']} 1500.webp"
    assert looks() == [{"photo": header.photo_id}]
    assert files_in(moderator.get(about(bob).url)) == []


def test_a_picture_that_was_reset_can_still_be_judged(moderator, mod, alice, bob, drain_stream):
    give_pictures(bob)
    report(alice, bob)
    decide(mod, about(bob), ActionKind.RESET)
    drain_stream()
    for one in case_photos():
        (address,) = files_in(look(moderator, about(bob), one.photo_id))
        assert moderator.get(address).status_code == 200


def test_nobody_else_can_ask_for_a_picture(alice, bob, viewers, drain_stream):
    give_pictures(bob)
    report(alice, bob)
    drain_stream()
    one = case_photos()[0]
    answers = {kind: look(browser, about(bob), one.photo_id) for kind, browser in viewers.items()}
    assert answers.pop("another moderator").status_code == 200
    assert {one.status_code for one in answers.values()} == {404}


# Appealing on the page of what was done: a conversation until a moderator decides, also for who is shut out.

WORDS = {"text": "It was a joke"}


@pytest.fixture
def action_id(alice, bob, mod) -> str:
    """Bob was frozen."""
    report(alice, bob, rule_id="spam")
    return decide(mod, about(bob), ActionKind.FREEZE, text="A rest")


@pytest.fixture
def path(action_id) -> str:
    return f"/standing/{action_id}"


def answer(mod, person, action_id: str, text: str = "", *, grant: bool | None) -> None:
    version = int(read_case(about(person)).version)
    answer_appeal(
        by=mod, case_id=about(person), action_id=action_id, text=text, version=version, grant=grant
    )


def said(response) -> list[str]:
    return [message.text for message in Html(response).all("li", class_="message")]


def has_form(response) -> bool:
    return bool(Html(response).all("form", class_="appeal"))


def test_the_page_and_the_fragment_have_the_form(bob, log_in, path):
    for extra in ({}, {"headers": HTMX}):
        html = Html(log_in(bob).get(path, **extra))
        assert html.one("form", class_="appeal")["action"] == path
        assert html.one("section", id="strike")
        assert bool(html.all("html")) is not bool(extra)


def test_an_appeal_waits_in_its_queue_and_is_on_the_page(bob, log_in, path):
    browser = log_in(bob)
    response = browser.post(path, WORDS)
    assert (response.status_code, response["Location"]) == (302, path)
    assert index() == {keys.queue(Queue.APPEALS): [about(bob)]}
    page = browser.get(path)
    assert said(page) == ["You · now It was a joke"]
    assert "Sent. A moderator will read it." in page.content.decode()
    assert "Your appeal is waiting for an answer" in Html(browser.get("/standing")).one("main").text


def test_over_htmx_the_section_comes_back_with_it(bob, log_in, path):
    response = log_in(bob).post(path, WORDS, headers=HTMX)
    html = Html(response)
    assert html.elements[0]["id"] == "strike"
    assert said(response) == ["You · now It was a joke"]
    assert html.value("text") == ""
    assert "Sent. A moderator will read it." in response["HX-Trigger"]


@ways
def test_sent_twice_it_is_said_once_and_more_can_be_added(bob, log_in, path, extra):
    browser = log_in(bob)
    for text in ("It was a joke", "It was a joke", "A bad one"):
        assert browser.post(path, {"text": text}, **extra).status_code < 400
    assert said(browser.get(path)) == ["You · now It was a joke", "You · now A bad one"]
    assert index() == {keys.queue(Queue.APPEALS): [about(bob)]}


@ways
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Write something first."),
        (" \n ", "Write something first."),
        ("x" * 501, "Use up to 500 characters (this has 501)."),
    ],
)
def test_what_cannot_be_sent_stays_with_a_sentence(bob, log_in, path, extra, text, says):
    response = log_in(bob).post(path, {"text": text}, **extra)
    assert response.status_code == 422
    assert Html(response).error("text") == says
    assert Html(response).value("text").strip() == text.strip()
    assert index() == {}


def test_nobody_appeals_for_somebody_else(alice, carol, mod, log_in, path):
    for other in (alice, carol, mod):
        assert log_in(other).post(path, WORDS).status_code == 404
    assert index() == {}


def test_who_is_suspended_appeals_as_well(alice, bob, mod, log_in):
    browser = log_in(bob)
    report(alice, bob)
    path = f"/standing/{decide(mod, about(bob), ActionKind.SUSPEND)}"
    assert has_form(browser.get(path))
    assert browser.post(path, WORDS)["Location"] == path
    assert said(browser.get(path)) == ["You · now It was a joke"]
    assert index() == {keys.queue(Queue.APPEALS): [about(bob)]}


def test_a_question_back_can_be_answered(bob, mod, log_in, path, action_id):
    browser = log_in(bob)
    browser.post(path, WORDS)
    answer(mod, bob, action_id, "Which one?", grant=None)
    assert "You have a message from a moderator." in browser.get("/local").content.decode()
    browser.post(path, WORDS)  # the same words, as someone has spoken since
    assert said(browser.get(path)) == [
        "You · now It was a joke",
        "A moderator · now Which one?",
        "You · now It was a joke",
    ]


@pytest.mark.parametrize(
    ("grant", "says"),
    [(True, "Your appeal was granted"), (False, "Your appeal was rejected")],
)
def test_once_it_is_decided_there_is_nothing_more_to_say(
    bob, mod, log_in, path, action_id, grant, says
):
    browser = log_in(bob)
    browser.post(path, WORDS)
    answer(mod, bob, action_id, "We looked", grant=grant)
    page = browser.get(path)
    assert says in Html(page).one("ul", class_="chips").text
    assert said(page)[-1] == "A moderator · now We looked"
    assert not has_form(page)
    assert ("Your account is frozen" in browser.get("/standing").content.decode()) is not grant


@ways
@pytest.mark.parametrize("how", ["granted", "refused", "undone"])
def test_words_that_come_too_late_are_not_kept(bob, mod, log_in, path, action_id, how, extra):
    browser = log_in(bob)
    if how == "undone":
        undo_action(by=mod, case_id=about(bob), action_id=action_id)
    else:
        browser.post(path, WORDS)
        answer(mod, bob, action_id, grant=how == "granted")
    before = said(browser.get(path))
    response = browser.post(path, WORDS, **extra)
    assert response["HX-Redirect" if extra else "Location"] == path
    page = browser.get(path)
    assert "A moderator has already decided this." in page.content.decode()
    assert said(page) == before


def test_each_decision_has_its_own_conversation(alice, bob, mod, log_in, path):
    report(alice, bob)
    other = f"/standing/{decide(mod, about(bob), ActionKind.WARN)}"
    browser = log_in(bob)
    browser.post(path, WORDS)
    assert said(browser.get(other)) == []
    browser.post(other, {"text": "And why this?"})
    assert said(browser.get(other)) == ["You · now And why this?"]
    assert said(browser.get(path)) == ["You · now It was a joke"]


def test_a_sign_up_that_was_declined_is_not_appealed(bob, mod, log_in):
    browser, case_id = log_in(bob), waiting_sign_up(bob)
    path = f"/standing/{decide(mod, case_id, ActionKind.DECLINE)}"
    assert not has_form(browser.get(path))
    browser.post(path, WORDS)
    assert said(browser.get(path)) == []
    assert index() == {}


def test_ten_a_day_are_much(bob, log_in, path, limit):
    assert (APPEALS.hits, APPEALS.seconds) == (10, 86_400)
    limit(views, "APPEALS", 2)
    browser = log_in(bob)
    answers = [browser.post(path, {"text": f"Number {n}"}).status_code for n in range(4)]
    assert answers == [302, 302, 429, 429]
    assert 0 < int(browser.post(path, WORDS)["Retry-After"]) <= DECADE
    assert len(said(browser.get(path))) == 2
