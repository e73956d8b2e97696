"""A note on a saved post goes from the page where it is written into the export, as data and to read."""

from accounts.people.viewer import Viewer
from tests.conftest import HTMX, post
from tests.feed.saving import folder_names
from tests.privacy.exporting import Unpacked, export_of

NOTE = "For @mum\n<b>tomorrow</b>"


def kept(unpacked: Unpacked) -> dict[str, tuple[str, str]]:
    saved = unpacked.items("saved-posts")
    return {one["post"]["id"]: (one["folder"], one["note"]) for one in saved}


def page_of(author: Viewer, post_id: str) -> str:
    return f"/@{author.handle}/posts/{post_id}/save"


def test_a_note_saved_on_the_page_is_in_data_and_pages(alice, bob, drain_stream, log_in):
    first, second, third = (post(bob, f"Number {number}") for number in range(3))
    browser = log_in(alice)
    for post_id, more in ((first, {}), (second, {"new_folder": "Trips"}), (third, {})):
        answer = browser.post(page_of(bob, post_id), {"note": NOTE, **more})
        assert answer.status_code == 302
    browser.post(page_of(bob, third), {"note": "Later"}, headers=HTMX)
    unpacked = export_of(alice, drain_stream, browser)
    assert kept(unpacked) == {first: ("", NOTE), second: ("Trips", NOTE), third: ("", "Later")}
    shown = unpacked.text("lists/saved-posts.html")
    assert shown.count("&lt;b&gt;tomorrow&lt;/b&gt;") == 2


def test_a_note_outlives_its_folder_and_its_post(alice, bob, drain_stream, log_in):
    moved, gone = post(bob, "Moved"), post(bob, "Gone")
    browser = log_in(alice)
    for post_id in (moved, gone):
        browser.post(page_of(bob, post_id), {"note": NOTE, "new_folder": "Trips"})
    (folder,) = folder_names(alice)
    log_in(bob).post(f"/@bob/posts/{gone}/delete")
    browser.post(f"/saved/folder/delete?folder={folder}")
    drain_stream()
    assert folder_names(alice) == {}
    assert kept(export_of(alice, drain_stream, browser)) == {moved: ("", NOTE), gone: ("", NOTE)}
