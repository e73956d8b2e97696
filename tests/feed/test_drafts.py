"""Drafts: kept on the server as one types, on every device, gone with publishing, and never lost to another text."""

from datetime import timedelta

import pytest

from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from feed.composing.composition import Composition, Seen
from feed.composing.draft_writes import DraftGone, TooManyDrafts, delete_draft, save_draft
from feed.composing.models import Draft
from feed.composing.reads import MOST_DRAFTS
from feed.composing.writes import publish_composed
from feed.posts.models import Audience
from relations.friends.writes import create_circle
from socialsite.clock import utc_now
from socialsite.table import Moved, change, fetch, ids, keys, query
from tests.conftest import HTMX
from tests.feed.scenes import autosave, chosen, drafts_of, fields, schedule, texts_of
from tests.feed.test_publishing import contents
from tests.looks import broken_invariants
from tests.moderation.cases import restrict
from tests.together import meanwhile, together
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


def test_each_saving_without_a_draft_is_one_of_its_own(alice, log_in):
    browser = log_in(alice)
    for text in ("One", "Two"):
        form = {name: value for name, value in fields(text).items() if name != "draft"}
        assert browser.post("/drafts", form).status_code == 302
    assert sorted(texts_of(alice)) == ["One", "Two"]
    assert browser.get("/drafts").status_code == 200


# Savings of one draft: by one browser, by two devices, late, twice, and with an answer that was lost.


def test_saving_by_itself_updates_the_one_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("Ha")
    first = autosave(browser, form)
    assert first["status"] == 200
    assert first["said"].startswith("Saved ")
    second = autosave(browser, form | {"content": "Half", "version": first["version"]})
    assert (second["draft"], second["version"]) == (form["draft"], "2")
    assert texts_of(alice) == ["Half"]


def test_the_same_saving_twice_is_one_draft_of_one_version(alice, log_in):
    browser = log_in(alice)
    form = fields("Half")
    first, again = (autosave(browser, form) for _ in range(2))
    assert (first["draft"], first["version"]) == (again["draft"], again["version"])
    assert [draft.version for draft in drafts_of(alice)] == [1]


def test_a_page_whose_answer_was_lost_goes_on_with_its_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("Half")
    autosave(browser, form)
    assert autosave(browser, form | {"content": "Half a"})["status"] == 200
    assert texts_of(alice) == ["Half a"]


def test_of_two_devices_both_texts_are_kept(alice, log_in):
    laptop = phone = log_in(alice)
    form = fields("Half")
    autosave(laptop, form)
    on_phone = form | {"version": "1", "writer": "page2"}
    assert autosave(phone, on_phone | {"content": "Half a thought"})["status"] == 200
    stale = autosave(laptop, form | {"version": "1", "content": "Half an hour"})
    assert stale["status"] == 409
    assert "both texts" in stale["said"].lower()
    assert sorted(texts_of(alice)) == ["Half a thought", "Half an hour"]
    on_laptop = form | {"draft": stale["draft"], "version": stale["version"]}
    assert autosave(laptop, on_laptop | {"content": "Half an hour more"})["status"] == 200
    assert sorted(texts_of(alice)) == ["Half a thought", "Half an hour more"]


def test_a_stale_saving_that_comes_twice_is_kept_beside_once(alice, log_in):
    browser = log_in(alice)
    form = fields("Half")
    autosave(browser, form)
    autosave(browser, form | {"version": "1", "writer": "page2", "content": "Half a thought"})
    stale = form | {"version": "1", "content": "Half an hour"}
    first, again = (autosave(browser, stale) for _ in range(2))
    assert (first["status"], first["draft"]) == (409, again["draft"])
    assert sorted(texts_of(alice)) == ["Half a thought", "Half an hour"]
    for _ in range(2):
        browser.post("/drafts", stale | {"content": "By hand", "writer": ""})
    assert sorted(texts_of(alice)) == ["By hand", "Half a thought", "Half an hour"]


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2), (2, 3, 1), (3, 2, 1)], ids=str)
def test_savings_of_one_browser_count_by_their_turns_and_never_conflict(alice, log_in, order):
    browser = log_in(alice)
    form = fields("Half", turn="1")
    autosave(browser, form)
    for turn in order:  # no answer arrived, so none knows of the one before
        saving = {"version": "1", "turn": str(turn + 1), "content": f"Half {turn}"}
        assert autosave(browser, form | saving)["status"] == 200
    assert texts_of(alice) == ["Half 3"]


def test_the_button_keeps_both_texts_too(alice, log_in):
    browser = log_in(alice)
    form = fields("One")
    autosave(browser, form)
    answer = browser.post("/drafts", form | {"content": "Two", "version": "9"}, follow=True)
    assert "Both texts are in your drafts." in Html(answer).one(id="toasts").text
    assert sorted(texts_of(alice)) == ["One", "Two"]


def test_a_text_that_was_emptied_leaves_no_draft_and_the_next_letters_are_another(alice, log_in):
    browser = log_in(alice)
    form = fields("Ha")
    autosave(browser, form)
    empty = autosave(browser, form | {"content": " ", "version": "1"})
    assert (texts_of(alice), empty["version"]) == ([], "")
    assert empty["draft"] != form["draft"]
    assert autosave(browser, form | {"draft": empty["draft"], "content": "Ho"})["status"] == 200


# Publishing a draft: both or neither, and no late saving brings it back.


@pytest.mark.parametrize("begun", ["0", "1"], ids=["answer lost", "answered"])
def test_publishing_deletes_the_draft_and_a_late_saving_brings_nothing_back(alice, log_in, begun):
    browser = log_in(alice)
    form = fields("Done")
    autosave(browser, form)
    known = form | {"version": begun, "writer": "page1"}
    for _ in range(2):
        assert browser.post("/posts", known).status_code == 302
    assert texts_of(alice) == []
    late = autosave(browser, known | {"content": "Done!"})
    assert late["status"] == 422
    assert "published or deleted" in late["said"]
    assert texts_of(alice) == []
    assert contents(alice) == ["Done"]


def test_a_first_saving_that_arrives_after_publishing_makes_no_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("Done", version="0", writer="page1")
    browser.post("/posts", form)
    assert autosave(browser, form)["status"] == 422
    assert texts_of(alice) == []


def test_publishing_keeps_a_draft_that_another_device_has_changed(alice, log_in):
    browser = log_in(alice)
    form = fields("Mine")
    autosave(browser, form)
    autosave(browser, form | {"version": "1", "content": "Longer", "writer": "page2"})
    answer = browser.post("/posts", form | {"version": "1", "writer": "page1"}, follow=True)
    assert "changed on another device" in Html(answer).one(id="toasts").text
    assert (contents(alice), texts_of(alice)) == (["Mine"], ["Longer"])


def test_a_story_is_kept_with_all_its_posts(alice, log_in):
    browser = log_in(alice)
    story = {"2-content": "Two", "2-warning": "Soup", "3-content": "Three", "expires_in": ""}
    form = fields("One", **story)
    assert autosave(browser, form)["status"] == 200
    (draft,) = drafts_of(alice)
    page = Html(browser.get(draft.url))
    assert [page.value(f"{n}-content") for n in (2, 3)] == ["Two", "Three"]
    assert page.value("2-warning") == "Soup"
    browser.post("/posts", form | {"version": "1"})
    assert (contents(alice), texts_of(alice)) == (["One", "Two", "Three"], [])


def test_a_post_that_is_refused_keeps_its_draft(alice, log_in):
    browser = log_in(alice)
    form = fields("x" * 1001)
    assert autosave(browser, form)["status"] == 200
    answer = browser.post("/posts", form | {"version": "1"})
    assert answer.status_code == 422
    assert Html(answer).value("version") == "1"
    assert texts_of(alice) == ["x" * 1001]


# Pages that save, publish and delete the same draft at once: no text is lost, and none comes twice.

PAGES = 8


def saving(by, seen: Seen, page: int):
    known = Seen(seen.draft_id, seen.version, f"page{page}")
    return lambda: save_draft(by=by, composition=Composition(content=f"Text {page}"), seen=known)


def test_of_eight_pages_that_save_at_once_each_text_is_kept(alice):
    seen = save(alice, "Half")
    together(*(saving(alice, seen, page) for page in range(PAGES)))
    assert sorted(texts_of(alice)) == [f"Text {page}" for page in range(PAGES)]
    assert sorted(draft.version for draft in drafts_of(alice)) == [1] * (PAGES - 1) + [2]


def test_a_saving_that_crosses_another_stays_beside_it(alice):
    seen = save(alice, "Half")
    with meanwhile(saving(alice, seen, 2)) as happened:
        saved = saving(alice, seen, 3)()
    assert happened
    assert saved.is_beside
    assert sorted(texts_of(alice)) == ["Text 2", "Text 3"]


def test_two_first_savings_of_one_page_are_one_draft(alice):
    seen = save(alice, "Half")
    with meanwhile(lambda: save(alice, "Ha", draft_id=seen.draft_id, version=1)):
        save(alice, "Ha", draft_id=seen.draft_id, version=1)
    assert texts_of(alice) == ["Ha"]


def test_a_draft_that_is_saved_while_its_page_publishes_stays(alice):
    seen = save(alice, "Half")
    with meanwhile(saving(alice, seen, 2)):
        published = publish_composed(by=alice, seen=seen, content="Done", nonce="form")
    assert published.draft_stays
    assert (contents(alice), texts_of(alice)) == (["Done"], ["Text 2"])


def test_a_draft_that_is_published_while_it_is_saved_does_not_come_back(alice):
    seen = save(alice, "Half")
    publish = {"by": alice, "seen": seen, "content": "Done", "nonce": "form"}
    with meanwhile(lambda: publish_composed(**publish)), pytest.raises(DraftGone):
        saving(alice, seen, 1)()
    assert (contents(alice), texts_of(alice)) == (["Done"], [])


def test_a_draft_that_is_saved_while_it_is_deleted_stays(alice, drain_stream):
    seen = save(alice, "Half")
    delete = {"by": alice, "draft_id": seen.draft_id, "version": 1}
    with meanwhile(saving(alice, seen, 2)), pytest.raises(Moved):
        delete_draft(**delete)
    assert texts_of(alice) == ["Text 2"]
    drain_stream()
    assert broken_invariants() == {}
