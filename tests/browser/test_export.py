"""Lists taken along: no script takes the link for a page."""

from relations.follows.writes import follow


def test_a_list_is_taken_along(alice, bob, signed_in, axe):
    follow(by=alice, user_id=bob.user_id)
    page = signed_in(alice)
    page.goto("/settings/data")
    assert axe(page) == []
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Follows").click()
    assert waiting.value.suggested_filename == "following_accounts.csv"
    assert "bob@" in waiting.value.path().read_text()
