"""What is wrong with a form is said once, beside its field; what stands above the form leads there."""

import secrets

import pytest

from socialsite.table import ids
from tests.conftest import post
from tests.web.html import Html

LONG = "x" * 2000


def said_once(response, *, of: str, above: str = "form-errors") -> str:
    """The message beside the field, which is linked from above."""
    page = Html(response)
    assert response.status_code == 422
    beside = page.one(class_="field-error", id=f"{of}_error")
    box = page.one("div", class_=above)
    assert beside.text not in box.text
    assert page.one("a", href=f"#{of}").text in box.text
    assert page.all(id=of)
    return beside.text


@pytest.mark.parametrize(
    ("address", "data", "of"),
    [
        ("/settings/appearance", {"theme": "purple"}, "id_theme"),
        ("/settings/privacy", {"archived_before": "soon"}, "id_archived_before"),
        ("/settings/privacy/past-posts", {"audience": "all"}, "id_audience"),
        ("/welcome", {"bio": LONG}, "id_bio"),
        ("/@bob/report", {"reason": ""}, "id_reason"),
    ],
)
def test_a_form_of_people_says_it_once(alice, bob, log_in, address, data, of):
    post(alice, "for everyone")
    assert said_once(log_in(alice).post(address, data), of=of)


@pytest.mark.parametrize(
    ("address", "data", "of"),
    [
        ("/moderation/roles/add", {"title": "Helpers"}, "id_permissions"),
        ("/moderation/site", {"sign_up": "open", "hold_first_posts": "x"}, "id_hold_first_posts"),
        ("/moderation/languages", {"languages": "xx"}, "id_languages"),
        ("/moderation/words", {"word": "casino", "options": "none"}, "id_options"),
    ],
)
def test_a_form_of_staff_says_it_once(admin, log_in, address, data, of):
    assert said_once(log_in(admin).post(address, data), of=of)


@pytest.mark.parametrize(
    ("data", "of"),
    [
        ({"warning": LONG}, "id_warning"),
        ({"poll_options": ["Rye"]}, "id_poll_options"),
    ],
)
def test_the_composer_leaves_it_to_the_part_that_is_wrong(alice, log_in, data, of):
    sent = {"content": "Bread?", "nonce": secrets.token_urlsafe(16), **data}
    assert said_once(log_in(alice).post("/posts", sent), of=of, above="composer-error")


def test_of_photos_the_composer_says_it_once(alice, log_in):
    twice = ids.new_id()
    sent = {"content": "Bread", "nonce": secrets.token_urlsafe(16), "photo": [twice, twice]}
    page = Html(log_in(alice).post("/posts", sent))
    assert "only once" in page.all(class_="photos-note")[0].text
    assert page.one(id="composer-error").text == "Please check this: Photos"
