"""Each page in German and Chinese, and in plain English."""

import re
from datetime import timedelta
from functools import cache
from itertools import chain, zip_longest
from zoneinfo import available_timezones

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.profile.writes import save_preferences
from lens.concepts.blocks import CONCEPTS
from moderation.reports.writes import file_report
from site_votes.writes import open_vote
from socialsite.clock import utc_now
from socialsite.web import djangos_words
from socialsite.web.preferences import Preferences
from tests.conftest import HTMX, post
from tests.feed.scenes import fields, schedule
from tests.relations.scenes import befriend
from tests.web.catalogs import (
    LANGUAGES,
    PLACEHOLDER,
    ROOT,
    messages,
    read_catalog,
    sources,
    translations,
)
from tests.web.html import Html

SPOKEN = ("aria-label", "alt", "title", "placeholder", "content")


def english_on(response, language):
    """Texts of the catalog that stand on the page as they are in English."""
    page = Html(response)
    zones = available_timezones()  # their names are names, such as Isle of Man
    names = {one.text for one in page.all("option") if one.attributes.get("value") in zones}
    found = set(spoken(page)) - names
    whole, patterns = english(language)
    filled = [text for text in patterns if any(text.fullmatch(part) for part in found)]
    return [*(whole & found), *filled]


def spoken(page):
    for element in page.elements:
        if element.tag not in ("script", "style"):
            yield from (" ".join(part.split()) for part in element.parts)
            yield from (element.attributes.get(name, "") for name in SPOKEN)
    yield from (text for toasts in page.all(id="toasts") for text in toasts.attributes.values())


@cache
def english(language):
    """The texts that are not written the same in the other language: whole ones, and a pattern for each other one."""
    catalog = list(messages(read_catalog(language)))
    known = {text for message in catalog for text in translations(message)}
    texts = {text for message in catalog for text in sources(message)} - known
    whole = {text for text in texts if not PLACEHOLDER.search(text)}
    return whole, [pattern(text) for text in texts - whole]


def pattern(text):
    words = [re.escape(part) for part in PLACEHOLDER.split(text)]
    blanks = [r"\d+" if name.endswith("d") else ".+" for name in PLACEHOLDER.findall(text)]
    return re.compile("".join(chain.from_iterable(zip_longest(words, blanks, fillvalue=""))))


# Each page in German and Chinese: its language is said, and no English sentence of the site is left on it.

MEMBER_PAGES = (
    "/",
    "/local",
    "/explore",
    "/explore/people",
    "/search?q=nobody",
    "/welcome",
    "/posts/new",
    "/settings/profile",
    "/settings/appearance",
    "/settings/app",
    "/offline",
    "/settings/privacy",
    "/settings/old-posts",
    "/settings/blocks",
    "/settings/muted-words",
    "/settings/data",
    "/settings/export",
    "/settings/import",
    "/standing",
    "/settings/security",
    "/settings/passkeys",
    "/settings/tokens",
    "/settings/password",
    "/settings/handle",
    "/settings/pause",
    "/settings/close",
    "/password/forgot",
    "/password/forgot?sent",
    "/password/forgot?undone",
    "/settings/email",
    "/settings/reports",
    "/confirm",
    "/friends",
    "/friends?show=favourites&pronoun=she",
    "/circles",
    "/requests",
    "/favourites",
    "/explore/posts",
    "/votes",
    "/votes/{vote_id}",
    "/saved",
    "/saved?q=nobody",
    "/photos",
    "/@alice/media",
    "/drafts",
    "/scheduled",
    "/@bob/posts/{post_id}/save",
    "/@bob/mute",
    "/@bob/block",
    "/@bob/report",
    "/@bob/posts/{post_id}/report",
    "/help/keys",
    "/@alice",
    "/@bob",
    "/@bob/followers",
    "/@bob/following",
    "/@bob/posts/{post_id}",
    "/@bob/posts/{post_id}/likers",
    "/@alice/posts/{own_id}/delete",
)
CASE_PAGES = (
    *("/moderation/people", "/moderation/people/{person}", "/moderation/queue"),
    "/moderation/queue?queue=closed",
    "{case}",
    "{case}/decide?action=dismiss",
    "{case}/decide?action=limit",
    "{case}/assign",
    "{case}/senior",
    "/moderation/desk",
    "{case}/conduct",
)
SITE_PAGES = (
    "/moderation/site",
    "/moderation/rules",
    "/moderation/rules/spam",
    "/moderation/words",
    "/moderation/topics",
    "/moderation/read-only",
    "/moderation/holds",
    "/moderation/levels",
    "/moderation/levels/new",
    "/moderation/votes",
    "/moderation/blocks",
    "/moderation/presets",
    "/moderation/invites",
    *("/moderation/log", "/moderation/waves"),
    "/moderation/overview",
    f"/moderation/figures/{utc_now().year}",
    "/moderation/costs",
    *("/moderation/languages", "/moderation/roles"),
    "/moderation/roles/add",
    "/moderation/juniors",
)
# For developers, who read what the documents say in English.
LENS_PAGES = (
    *("/dev/model", "/dev/concepts", "/dev/patterns", "/dev/workbench?example=1"),
    *("/dev/table", "/dev/table/types/Relation", "/dev/lens"),
    *(f"/dev/concepts/{name}" for name in CONCEPTS),
)
VISITOR_PAGES = (
    "/", "/local", "/about", "/rules", "/status", "/transparency",
    "/signup", "/login", "/@bob", "/not/there", "/@bob?page=x",
)  # fmt: skip

every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture
def addresses(alice, bob, admin, log_in):
    """What stands in for {…} in an address, on a site where something happened."""
    ids = {
        "post_id": post(bob, "404"),
        "own_id": post(alice, "405"),
        "vote_id": ask_everyone(admin),
    }
    log_in(alice).post(f"/@bob/posts/{ids['post_id']}/like", {"on": "1"})
    log_in(alice).post("/@bob/follow", {"on": "1"})
    schedule(alice, content="406")
    log_in(alice).post("/drafts", fields("407", publish_at="2026-05-06T10:00", zone="Asia/Tokyo"))
    return ids


def ask_everyone(admin: Viewer) -> str:
    """The id of a vote of the whole site, just begun."""
    ends = utc_now() + timedelta(days=2)
    return open_vote(by=admin, question="408", answers=("409", "410"), ends=ends)


def assert_all_in(language: str, response: HttpResponse, path: str) -> None:
    said = Html(response).one("html")["lang"]
    assert said == response["Content-Language"] == language, path
    assert english_on(response, language) == [], path


@every_language
def test_a_members_page_is_all_in_the_language(alice, log_in, addresses, language):
    browser = log_in(alice)
    for path in MEMBER_PAGES:
        response = browser.get(path.format(**addresses), headers={"Accept-Language": language})
        assert response.status_code == 200, path
        assert_all_in(language, response, path)


@every_language
def test_a_page_of_a_case_is_all_in_the_language(bob, carol, mod, log_in, language):
    file_report(by=carol, person_id=bob.user_id, post_id=post(bob, "404"), rule_id="spam")
    save_preferences(by=bob, preferences=Preferences(language=language))  # what he is told
    browser, case = log_in(mod), f"/moderation/cases/person/{bob.user_id}"
    for path in CASE_PAGES:
        address = path.format(case=case, person=bob.user_id)
        response = browser.get(address, headers={"Accept-Language": language})
        assert response.status_code == 200, path
        assert_all_in(language, response, path)


@every_language
def test_a_page_that_sets_the_site_up_is_all_in_the_language(admin, log_in, language):
    ask_everyone(admin)
    browser = log_in(admin)
    for path in SITE_PAGES:
        response = browser.get(path, headers={"Accept-Language": language})
        assert response.status_code == 200, path
        assert_all_in(language, response, path)


@every_language
def test_a_page_of_the_lens_is_in_the_language_around_its_documents(
    alice, bob, log_in, addresses, settings, language
):
    settings.DEBUG = True
    befriend(alice, bob)
    browser = log_in(alice)
    for path in LENS_PAGES:
        response = browser.get(path, headers={"Accept-Language": language})
        assert response.status_code == 200, path
        assert Html(response).one("html")["lang"] == language, path
        sentences = {text for text in english(language)[0] if " " in text}  # a word may be a name
        assert sentences & set(spoken(Html(response))) == set(), path


@every_language
def test_a_visitors_page_is_all_in_the_language(addresses, language):
    for path in VISITOR_PAGES:
        response = Client().get(path, headers={"Accept-Language": language})
        assert_all_in(language, response, path)


WRONGLY_TYPED = [
    ("/signup", {"handle": ""}),
    ("/signup", {"handle": "a b", "name": "x" * 60, "email": "not one", "password": "123"}),
    ("/signup", {"handle": "admin", "name": "\u202e", "password": "x" * 1000}),
    ("/login", {"account": ""}),
    ("/login", {"account": "nobody", "password": "wrong"}),
]


@every_language
def test_what_forms_refuse_is_said_in_the_language(table, language):
    for address, typed in WRONGLY_TYPED:
        response = Client().post(address, typed, headers={"Accept-Language": language})
        assert response.status_code == 422, typed
        errors = Html(response).one(class_="form-errors").text
        assert errors, typed
        assert english_on(response, language) == [], typed
        assert not re.search(r"\b(this|password|value)\b", errors.lower()), typed


@every_language
def test_a_form_from_a_stale_page_is_refused_in_the_language(table, language):
    strict = Client(enforce_csrf_checks=True)
    response = strict.post("/login", headers={"Accept-Language": language})
    assert response.status_code == 403
    assert Html(response).one("html")["lang"] == language
    assert not english_on(response, language)


@every_language
def test_a_fault_is_told_in_the_language(engine_down, language):
    response = Client().get("/local", headers={"Accept-Language": language})
    assert response.status_code == 503
    assert Html(response).one("html")["lang"] == language
    assert not english_on(response, language)


@every_language
def test_fragments_and_toasts_are_in_the_language(alice, bob, log_in, language):
    browser = log_in(alice)
    asked = {"Accept-Language": language}
    pressed = browser.post("/@bob/follow", {"on": "1"}, headers=asked | HTMX)
    assert not english_on(pressed, language)
    done = browser.post("/settings/profile", {"name": "Alice"}, headers=asked, follow=True)
    assert not english_on(done, language)
    assert Html(done).all(class_="toast-success")


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("zh-CN,zh;q=0.9", "zh-hans"),
        ("zh", "zh-hans"),
        ("fr,zh-Hans;q=0.8,en;q=0.5", "zh-hans"),
        ("fr", "en"),
        ("", "en"),
        ("*", "en"),
        ("\x00;q=?", "en"),
    ],
)
def test_the_language_is_the_first_of_the_browsers_that_the_site_speaks(table, asked, answered):
    response = Client().get("/about", headers={"Accept-Language": asked})
    assert response["Content-Language"] == answered
    assert "Accept-Language" in response["Vary"]


# Texts that people read are plain English: the worst habits stay out of them.

HABITS = {
    "whoever": r"\b[Ww]hoever\b|\boneself\b|\bone[’']s\b",
    "a bare who": r"(^|[.!] )Who (?!can )[^?]*\.",
    "of whom, of which": r"\bof (whom|which)\b",
    "is to be, has not to": r"\b(is|are) to be\b|\bhas not to\b",
    "somebody": r"\b([Ss]ome|[Ee]very|[Aa]ny)body\b",
    "e-mail": r"\b[Ee]-mail\b",
    "a straight apostrophe": r"\w'\w",
}
STIFF = [
    "Whoever joins keeps to",
    "Who looks finds it.",
    "The person of whom",
    "It is to be done.",
    "Never shown to anybody.",
    "Your e-mail",
    "It's",
]


DOCUMENTS = [
    *("README.md", "ARCHITECTURE.md", "STYLE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
    *(
        f"docs/{name}.md"
        for name in (
            "access-patterns",
            "archive",
            "audit-log",
            "deploy",
            "model",
            "performance",
            "reliability",
            "runbook",
            "security",
            "settings",
        )
    ),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs/adr").glob("*.md"))),
    "docs/concepts/README.md",
]
OF_TEXTS_ALONE = {"a straight apostrophe"}


def of_django() -> str:
    assert djangos_words.__file__
    return (ROOT / djangos_words.__file__).read_text()


@pytest.mark.parametrize(("habit", "text"), zip(HABITS, STIFF, strict=True))
def test_each_habit_is_recognised(habit, text):
    assert re.search(HABITS[habit], text)


@pytest.mark.parametrize("habit", HABITS)
def test_no_text_of_the_site_has(habit):
    texts = {text for message in messages(read_catalog("de")) for text in sources(message)}
    own = {text for text in texts if text not in of_django()}
    assert sorted(text for text in own if re.search(HABITS[habit], text)) == []


@pytest.mark.parametrize("habit", sorted(HABITS.keys() - OF_TEXTS_ALONE))
def test_no_document_has(habit):
    found = [
        f"{document}: {line}"
        for document in DOCUMENTS
        for line in (ROOT / document).read_text().splitlines()
        if re.search(HABITS[habit], line)
    ]
    assert found == []
