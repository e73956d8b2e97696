"""Lists taken along, with scripts and without."""

import pytest

from relations.services.follow import follow


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_list_is_taken_along(alice, bob, signed_in, axe, scripts):
    follow(by=alice, user_id=bob.user_id)
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/settings/data")
    if scripts:
        assert axe(page) == []
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Follows").click()
    assert waiting.value.suggested_filename == "following_accounts.csv"
    assert "bob@" in waiting.value.path().read_text()
