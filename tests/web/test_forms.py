"""Forms: plain ones, errors beside fields, blank lines, and messages."""

import re
import secrets

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from feed.likes.writes import like_post
from feed.posts.models import Post
from socialsite.streams.models import Job, JobKind
from socialsite.streams.status import list_jobs, read_worker_status
from socialsite.streams.worker import Worker
from socialsite.table import create, ids, keys, query
from socialsite.web.fields import PlainTextField
from tests.accounts.authenticator import prove
from tests.conftest import HTMX, post
from tests.web.html import Html

TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))
TAG = re.compile(r"<(?:form|button)\b(?:\{%.*?%\}|\{\{.*?\}\}|[^>])*>", re.DOTALL)
BY_SCRIPT = re.compile(r'(?<![\w-])hx-post="([^"]*)"')
PLAIN = re.compile(r'(?<![\w-])(?:form)?action="([^"]*)"')
# The composer's address depends on what is quoted; the others tell scripts which page the card stands on.
TWO_ADDRESSES = {"_composer.html", "_audience_form.html", "_edit_form.html", "_describe_form.html"}


def path_in(found: re.Match[str] | None) -> str:
    """The path of an address in a template, without what is asked of it."""
    return re.split(r"\?|\{%|\{\{ query", found[1])[0] if found else ""


def test_a_form_goes_without_scripts_where_they_send_it():
    tags = [(file.name, tag) for file in TEMPLATES for tag in TAG.findall(file.read_text())]
    both = [
        (name, tag) for name, tag in tags if BY_SCRIPT.search(tag) and name not in TWO_ADDRESSES
    ]
    assert len(both) > 30
    differ = [
        name for name, tag in both if path_in(PLAIN.search(tag)) != path_in(BY_SCRIPT.search(tag))
    ]
    assert differ == []
    assert [name for name, tag in tags if "hx-encoding=" in tag and "enctype=" not in tag] == []


# What is wrong with a form is said once, beside its field; what stands above the form leads there.

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
        ("/moderation/juniors", {"wave": "-1", "days": "7", "level": "new"}, "id_wave"),
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


# However many blank lines someone sends, one in a row is kept: in posts, and in every field of many lines.


def cleaned(text: str) -> str:
    return PlainTextField(max_characters=500, multiline=True, required=False).clean(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\n" * 3, "a\na\na"),
        ("a\n\nb", "a\n\nb"),
        ("a\n\n\nb", "a\n\nb"),
        ("a" + "\n" * 450 + "b", "a\n\nb"),
        ("a" + "\r\n" * 450 + "b", "a\n\nb"),
        ("a" + "\r" * 9 + "b", "a\n\nb"),
        ("a" + "\u2028" * 9 + "b", "a\n\nb"),
        ("a" + "\u2029\u0085" * 9 + "b", "a\n\nb"),
        ("a" + "\n \n\t\n\u3000\n\u00a0" * 9 + "\nb", "a\n\nb"),
        ("a" + "\n\u200b\n\u2800\n\u3164\n\u00ad" * 9 + "\nb", "a\n\nb"),
        ("a\n\n\n\nb\n\n\n\nc", "a\n\nb\n\nc"),
        ("\n\n\na\n\n\n", "a"),
        ("  indented\n  twice", "indented\n  twice"),
        ("a\n\n\n🫨\n\n\n-\n", "a\n\n🫨\n\n-"),
        (" \n \n ", ""),
        ("", ""),
    ],
)
def test_one_blank_line_in_a_row_is_kept(text, kept):
    assert cleaned(text) == kept


def test_what_is_too_long_is_still_refused_before_it_is_looked_at():
    with pytest.raises(ValidationError):
        cleaned("\n" * 100_000)


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb"])
def test_a_field_of_one_line_takes_no_other(text):
    with pytest.raises(ValidationError):
        PlainTextField(max_characters=50).clean(text)


def test_a_post_is_published_without_them(alice, log_in):
    form = {"content": "Up" + "\r\n" * 300 + "down", "nonce": "n" * 22}
    assert log_in(alice).post("/posts", form).status_code == 302
    (stored,) = query(keys.posts(alice.user_id))
    assert Post.from_raw_data(stored).content == "Up\n\ndown"


def test_a_bio_is_saved_without_them(alice, log_in):
    browser = log_in(alice)
    browser.post("/settings/profile", {"name": "A", "bio": "Up" + "\r\n" * 40 + "down"})
    assert "Up\n\ndown" in browser.get("/@alice").content.decode()


# Messages after a redirect: they wait for the page that shows them.


def test_a_fragment_that_loads_meanwhile_leaves_the_message_to_the_page(alice, log_in):
    browser = prove(log_in(alice))
    browser.post(reverse("accounts:end_other_sign_ins"))
    browser.get("/people-to-follow", headers=HTMX)
    page = Html(browser.get("/settings/security"))
    assert "Signed out of" in page.one(id="toasts").text


def test_a_fragment_with_nothing_to_say_removes_no_cookie(alice, log_in):
    answer = log_in(alice).get("/people-to-follow", headers=HTMX)
    assert "messages" not in answer.cookies


# The keys of the site are listed on a page, which the dialog of `?` shows as well.


@pytest.mark.usefixtures("table")
def test_the_help_sheet_is_a_page_too_which_has_nothing_to_close():
    assert "/help/keys" in [link["href"] for link in Html(Client().get("/about")).all("a")]
    page = Html(Client().get("/help/keys"))
    dialog = Html(Client().get("/help/keys", headers=HTMX))
    for sheet in (page, dialog):
        assert "j Next post" in [row.text for row in sheet.all("tr")]
    assert page.all("html")
    assert not page.all("button", data_close_modal="")
    assert not dialog.all("html")
    assert dialog.one("button", data_close_modal="").text == "Close"


# The staff page about the worker.


def test_it_is_not_there_for_others(alice, mod, log_in):
    assert Client().get("/operations/worker").status_code == 404
    assert log_in(mod).get("/operations/worker").status_code == 404
    assert log_in(alice).get("/operations/worker").status_code == 404


def test_it_shows_shards_jobs_and_parked_records(alice, admin, log_in):
    Worker().step()
    create(Job.new(kind=JobKind.FAN_OUT, job_id="J", subject_id="P", total=10))
    page = log_in(admin).get("/operations/worker").content.decode()
    assert "fan-out" in page
    assert "0 / 10" in page
    assert "shardId" in page


def test_looking_costs_two_calls_and_one_a_partition_of_jobs_once_the_shards_are_known(
    alice, bob, measure
):
    like_post(by=bob, post_id=post(alice), author_id=alice.user_id)
    Worker().step()
    read_worker_status()
    with measure() as meter:
        read_worker_status()
        list_jobs()
    assert len(meter.calls) == 2 + sum(len(keys.job_partitions(kind)) for kind in JobKind)
    assert {call.operation for call in meter.calls} == {"BatchGetItem", "Query"}


# What a page cost is shown to staff, and to everyone in debug mode only.


def test_staff_see_what_a_page_cost(mod, log_in):
    timing = log_in(mod).get("/")["Server-Timing"]
    assert timing.startswith("dynamodb;dur=")
    assert '"2 calls' in timing or '"3 calls' in timing
    assert "1-get_viewer;" in timing
    assert "2-get_timeline;" in timing


def test_others_see_nothing_of_it(alice, bob, log_in):
    for browser in (log_in(alice), Client()):
        for path in ("/", "/local", "/@bob", "/not/there", "/readyz"):
            assert "Server-Timing" not in browser.get(path)


def test_in_debug_mode_everybody_sees_it(bob, settings):
    settings.DEBUG = True
    assert "get_viewer" in Client().get("/@bob")["Server-Timing"]


@pytest.mark.usefixtures("table")
def test_an_answer_without_calls_has_no_timing(settings):
    settings.DEBUG = True
    assert "Server-Timing" not in Client().get("/about")
