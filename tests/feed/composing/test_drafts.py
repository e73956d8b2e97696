"""Drafts: kept on the server as one types, on every device, gone with publishing, and never lost to another text."""

from datetime import timedelta

import pytest

from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import TooManyDrafts, save_draft
from feed.composing.models import Draft
from feed.composing.reads import MOST_DRAFTS
from feed.posts.models import Audience
from relations.friends.writes import create_circle
from socialsite.clock import utc_now
from socialsite.table import change, fetch, ids, keys, query
from tests.conftest import HTMX
from tests.feed.composing.shelves import autosave, chosen, drafts_of, fields, schedule, texts_of
from tests.moderation.restricting import restrict
from tests.web.html import Html


def save(by, content="Half a thought", **seen) -> Seen:
    given = Seen(**({"draft_id": ids.new_id(), "version": 0, "writer": "page1"} | seen))
    saved = save_draft(by=by, composition=Composition(content=content), seen=given)
    return Seen(saved.draft_id, saved.version, given.writer)


def test_the_button_saves_without_script_and_the_page_lists_it(alice, log_in):
    browser = log_in(alice)
    form = fields("Half a thought", warning="Soup", audience="friends")
    answer = browser.post("/drafts", form, follow=True)
    assert answer.redirect_chain == [("/drafts", 302)]
    page = Html(answer)
    assert "Draft saved." in page.one(id="toasts").text
    assert page.one(class_="shelved-text").text == "Half a thought"
    (draft,) = drafts_of(alice)
    composer = Html(browser.get(draft.url))
    assert composer.value("content") == "Half a thought"
    assert composer.value("warning") == "Soup"
    assert chosen(composer) == "friends"
    assert composer.value("version") == "1"


def test_an_unfinished_poll_is_kept_as_it_was_typed(alice, log_in):
    browser = log_in(alice)
    poll = {"poll_options": ["Tea", "", ""], "poll_ends": "3d", "poll_several": "on"}
    assert autosave(browser, fields("Which one?", **poll))["status"] == 200
    page = Html(browser.get(drafts_of(alice)[0].url))
    assert [one["value"] for one in page.all(name="poll_options")] == ["Tea", *[""] * 5]
    assert chosen(page, "poll_ends") == "3d"
    assert "checked" in page.one(name="poll_several").attributes
    listed = Html(browser.get("/drafts")).one(class_="shelved").text
    assert "Poll: Tea" in " ".join(listed.split())


def test_a_draft_keeps_every_choice(alice, log_in):
    browser = log_in(alice)
    circle = create_circle(by=alice, name="Choir")
    chosen_here = {
        "audience": f"circle:{circle}",
        "replies": "followers",
        "language": "el",
        "expires_in": "1w",
        "poll_ends": "3d",
    }
    typed = {"warning": "Soup", "publish_at": "2020-02-03T10:00", "zone": "Asia/Tokyo"}
    autosave(browser, fields("Half", poll_options=["Tea"], **chosen_here, **typed))
    (draft,) = drafts_of(alice)
    page = Html(browser.get(draft.url))
    assert {name: chosen(page, name) for name in chosen_here} == chosen_here
    assert {name: page.value(name) for name in typed} == typed
    assert page.one(class_="zone-name").text == "Tokyo"
    assert (
        "Not scheduled yet. You’ve chosen Monday, Feb. 3, 2020, 10 a.m. JST"
        in Html(browser.get("/drafts")).one(class_="shelved").text
    )


def test_a_row_says_who_will_see_it_and_how_long_it_stays(alice, log_in):
    browser = log_in(alice)
    autosave(browser, fields("Brief", audience="me", expires_in="1d"))
    draft = Html(browser.get("/drafts")).one("article", class_="shelved").text
    assert "Only me Disappears after 1 day" in draft
    schedule(alice, audience="friends")
    assert "Friends" in Html(browser.get("/scheduled")).one("article", class_="shelved").text


def test_a_chosen_time_that_is_none_is_left_out(alice, log_in):
    browser = log_in(alice)
    autosave(browser, fields("Half", publish_at="soon", zone="Mars/Base"))
    (draft,) = drafts_of(alice)
    assert (draft.composition.planned_time, draft.composition.planned_zone) == ("", "")


def test_the_hundred_and_first_draft_is_refused_and_says_why(alice, log_in):
    for number in range(MOST_DRAFTS):
        save(alice, f"Number {number}")
    with pytest.raises(TooManyDrafts):
        save(alice)
    browser = log_in(alice)
    assert autosave(browser, fields("More"))["said"].startswith("You have 100 drafts.")
    answer = browser.post("/drafts", fields("More"))
    assert answer.status_code == 422
    assert Html(answer).value("content") == "More"
    oldest = Html(browser.get("/drafts")).one("a", rel="next")
    assert oldest["href"].startswith("/drafts?page=")
    autosave(browser, fields("Last", draft=drafts_of(alice)[0].draft_id, version="1"))
    assert texts_of(alice)[0] == "Last"


def test_nobody_reads_continues_or_deletes_another_persons_draft(alice, bob, log_in):
    seen = save(alice, "Secret")
    browser = log_in(bob)
    assert browser.get(f"/posts/new?draft={seen.draft_id}").status_code == 404
    assert browser.get(f"/drafts/{seen.draft_id}/delete").status_code == 404
    assert browser.post(f"/drafts/{seen.draft_id}/delete", {"version": "1"}).status_code == 302
    assert autosave(browser, fields("Mine", draft=seen.draft_id, version="1"))["status"] == 422
    browser.post("/posts", fields("Hello", draft=seen.draft_id, version="1"))
    assert (texts_of(alice), texts_of(bob)) == (["Secret"], [])


@pytest.mark.parametrize("draft", ["", "x", "../../etc", "0" * 26 + "0", "ÿ"])
@pytest.mark.parametrize("version", ["", "-1", "1.5", "9" * 20, "x"])
def test_odd_ids_and_versions_are_a_page_without_draft(alice, log_in, draft, version):
    browser = log_in(alice)
    form = fields("Hello") | {"draft": draft, "version": version, "writer": "<b>"}
    assert browser.post("/drafts", form).status_code == 302
    assert browser.post("/posts", form).status_code == 302
    assert browser.get("/posts/new", {"draft": draft or "-"}).status_code == 404


def test_a_draft_is_deleted_after_asking_and_not_if_it_was_saved_meanwhile(alice, log_in):
    browser = log_in(alice)
    seen = save(alice)
    address = f"/drafts/{seen.draft_id}/delete"
    asked = Html(browser.get(address, headers=HTMX))
    assert "Half a thought" in asked.one("form").text
    save(alice, "More", draft_id=seen.draft_id, version=1)
    answer = browser.post(address, {"version": asked.value("version")}, follow=True)
    assert "still here" in Html(answer).one(id="toasts").text
    assert texts_of(alice) == ["More"]
    for _ in range(2):
        browser.post(address, {"version": "2"})
    assert texts_of(alice) == []


def test_a_draft_expires_ninety_days_after_its_last_letter(alice):
    seen = save(alice)
    place = keys.draft(alice.user_id, seen.draft_id)
    change(Draft, place, [Draft.ttl.set(utc_now() + timedelta(days=1))])
    save(alice, "More", draft_id=seen.draft_id, version=1)
    (raw,) = fetch([place]).values()
    assert float(raw["ttl"]["N"]) > (utc_now() + timedelta(days=89)).timestamp()
    change(Draft, place, [Draft.ttl.set(utc_now() - timedelta(days=1))])
    assert texts_of(alice) == []


def test_a_draft_for_a_circle_that_is_gone_is_for_its_author_alone(alice, log_in):
    for_circle = Composition(content="Ours", audience=Audience.CIRCLE, circle=ids.new_id())
    saved = save_draft(by=alice, composition=for_circle, seen=Seen(ids.new_id(), 0))
    page = Html(log_in(alice).get(f"/posts/new?draft={saved.draft_id}"))
    assert chosen(page) == "me"


def test_what_is_kept_cannot_be_read_in_the_table(alice):
    save(alice, "Secret")
    (raw,) = query(keys.shelf(alice.user_id))
    assert "B" in raw["composition"]
    assert "Secret" not in str(raw)


def test_frozen_people_may_still_keep_what_they_write(alice, log_in):
    restrict(alice, Restriction.FROZEN)
    browser = log_in(alice)
    assert autosave(browser, fields("Half"))["status"] == 200
    assert texts_of(alice) == ["Half"]


def test_drafts_wait_while_their_author_takes_a_break(alice, log_in):
    browser = log_in(alice)
    save(alice)
    pause_account(by=alice)
    assert browser.get("/drafts").status_code == 302
    assert texts_of(alice) == ["Half a thought"]


def test_a_link_changes_nothing(alice, log_in):
    browser = log_in(alice)
    seen = save(alice)
    browser.get(f"/drafts/{seen.draft_id}/delete")
    browser.get("/drafts", fields("x"))
    assert texts_of(alice) == ["Half a thought"]
