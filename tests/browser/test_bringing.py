"""The story of moving in: from the settings to the files, to the report while it is made, for which the page asks by
itself, to an old post with its mark."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import sideways
from tests.privacy.mastodon import boost, following, note, outbox, work_off

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")
MOST_CLICKS = (
    4  # Bring things, Bring them; later Report, the post; choosing two files is not counted
)

A_LOOK = 3_100  # milliseconds; the page asks every three seconds


def test_people_move_in_with_whom_they_follow_and_what_they_wrote(
    alice, bob, signed_in, drain_stream, tmp_path: Path, axe
):
    follows, posts = tmp_path / "following_accounts.csv", tmp_path / "outbox.json"
    follows.write_bytes(following("bob", "carla@mastodon.example"))
    posts.write_bytes(outbox(note(1, "<p>My first post ever</p>"), boost()))
    page: Page = signed_in(alice)
    page.clock.install()
    clicks = 0

    def press(role: str, name: str) -> None:
        nonlocal clicks
        clicks += 1
        page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]

    page.goto("/settings/data")
    press("link", "Bring things")
    page.locator("#id_following_accounts").set_input_files(follows)
    page.locator("#id_outbox").set_input_files(posts)
    press("button", "Bring them")
    expect(page.get_by_text("0 of 2 lines so far.")).to_have_count(2)
    work_off(drain_stream)
    page.clock.fast_forward(A_LOOK)
    expect(page.get_by_text("1 of 2 lines was brought.")).to_have_count(2)
    assert sideways(page) <= 0
    press("link", "Report")
    expect(page.get_by_text("Left out: it boosts a post on another site.").last).to_be_visible()
    assert sideways(page) <= 0
    press("link", "My first post ever")
    expect(page.get_by_text("Imported from Mastodon")).to_be_visible()
    expect(page.locator("article time").first).to_have_attribute(
        "datetime", "2021-03-04T05:06:01+00:00"
    )
    assert clicks <= MOST_CLICKS

    # Lists are taken along, too: no script takes the link for a page.
    page.goto("/settings/data")
    assert axe(page) == []
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Follows").click()
    assert waiting.value.suggested_filename == "following_accounts.csv"
    assert "bob@" in waiting.value.path().read_text()
