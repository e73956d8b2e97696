"""Queues as tests of their pages need them: reported people by the dozen, and posts that were for some."""

from collections.abc import Iterable

from django.http import HttpResponse
from django.test import Client

from accounts.models import UserSettings
from accounts.people.viewer import Viewer
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from moderation.cases.reads import CaseId, read_case
from moderation.reports.writes import file_report
from socialsite.table import change, ids, keys
from tests.conftest import person, post
from tests.moderation.cases import about, waiting_sign_up
from tests.web.html import Html

QUEUE = "/moderation/queue"


def version_of(case_id: CaseId) -> int:
    return int(read_case(case_id).version)


def reporters(count: int) -> list[Viewer]:
    return [person(f"reporter{number:02}") for number in range(count)]


def report(
    reported: Viewer,
    *,
    by: Iterable[Viewer],
    rule: str = "spam",
    severity: int = 3,
    text: str = "",
    post_id: str = "",
    comment: str = "",
) -> str:
    """Everyone reports the person, with a post of theirs if there is a text; returns the post's id."""
    post_id = post(reported, text) if text else post_id
    for reporter in by:
        file_report(
            by=reporter,
            person_id=reported.user_id,
            post_id=post_id,
            rule_id=rule,
            severity=severity,
            comment=comment,
        )
    return post_id


def reported_people(count: int, *, by: Viewer) -> list[Viewer]:
    """So many people, each reported once, the first one first."""
    people = [person(f"person{number:02}", f"Person {number:02}") for number in range(count)]
    for reported in people:
        report(reported, by=[by])
    return people


def asks_to_join(newcomer: Viewer, why: str) -> CaseId:
    change(UserSettings, keys.user_settings(newcomer.user_id), [UserSettings.asked.set(why)])
    return waiting_sign_up(newcomer)


def private_post(author: Viewer, text: str) -> str:
    """A post for friends."""
    audience = Audience.FRIENDS
    return publish_post(by=author, content=text, nonce=ids.new_id(), audience=audience)


def rows(response: HttpResponse) -> list[str]:
    """Whom the cases in the list on the page are about, in order."""
    links = Html(response).all("a", class_="case-person")
    return [link.text.split("@")[1] for link in links]


def page_of(moderator: Client, reported: Viewer) -> Html:
    """The page of the case about someone."""
    return Html(moderator.get(about(reported).url))


def part(html: Html, section: str) -> str:
    """What a section of the page says."""
    return html.one("section", aria_labelledby=section).text


def steps(html: Html) -> list[str]:
    """What the page offers to do."""
    return [button["value"] for button in html.all("button", name="action")]
