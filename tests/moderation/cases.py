"""What tests of moderation arrange: cases, queues, reports, restrictions, and what was reported."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.http import HttpResponse
from django.test import Client
from pynamodb.expressions.update import Action

from accounts.models import UserCount, UserInfo, UserSettings
from accounts.people.cards import Kind, files_of
from accounts.people.restrictions import FOR_EVER, UNTIL, Restriction
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile, new_name, pause_account
from feed.posts.content_checks import Verdict
from feed.posts.models import Audience, Post, Withheld
from feed.posts.writes import change_copy
from feed.publishing.writes import publish_post
from moderation.cases.changes import begin_case
from moderation.cases.decisions import OF_KIND, Decision, decide_case
from moderation.cases.evidence import CAN_BE_RESET
from moderation.cases.lists import list_cases
from moderation.cases.reads import CaseId, read_case
from moderation.cases.writes import appeal
from moderation.models import (
    ActionKind,
    AuditEntry,
    Case,
    CaseAction,
    CaseKind,
    CasePhoto,
    CaseReport,
    Queue,
    Strike,
)
from moderation.reports.writes import file_report
from photos.files import PRIVATE, Place, list_copies
from privacy.erasure.writes import close_account
from relations.lists.writes import create_list, offer_pack
from relations.models import PersonList
from socialsite.clock import utc_now_iso
from socialsite.site_settings.site_setup import MINOR
from socialsite.table import (
    NotFound,
    actions,
    as_model,
    change,
    get,
    ids,
    keys,
    query,
    reading,
    row,
    transact,
    write_batch,
)
from socialsite.table.reading import scan
from tests.conftest import person, post
from tests.feed.scenes import photo, post_photos
from tests.looks import broken_invariants
from tests.web.html import Html

AN_HOUR_AGO = (datetime.now(UTC) - timedelta(hours=1)).isoformat()


def about(person: Viewer) -> CaseId:
    return CaseId(CaseKind.PERSON, person.user_id)


def about_post(post_id: str) -> CaseId:
    return CaseId(CaseKind.POST, post_id)


def about_sign_up(person: Viewer) -> CaseId:
    return CaseId(CaseKind.SIGN_UP, person.user_id)


def report(by: Viewer, person: Viewer, post_id: str = "", **rest: Any) -> Case:
    file_report(by=by, person_id=person.user_id, post_id=post_id, **rest)
    return read_case(about(person))


def decide(by: Viewer, case_id: CaseId, kind: ActionKind, *posts: str, **rest: Any) -> str:
    """Decides about the case as it is now. Everything in a profile is reset unless `parts` are named,
    and every starter pack withdrawn unless `packs` are."""
    if kind == ActionKind.RESET:
        rest.setdefault("parts", CAN_BE_RESET)
    if kind == ActionKind.WITHDRAW:
        lists = query(keys.person_lists(case_id.subject_id))
        rest.setdefault("packs", tuple(row(PersonList, raw).list_id for raw in lists))
    version = int(read_case(case_id).version)
    return decide_case(
        by=by, case_id=case_id, decision=Decision(kind, posts, **rest), version=version
    )


def held_post(author: Viewer, content: str = "Hold this") -> str:
    """A post that waits for a moderator, with its case, which the worker opens elsewhere."""
    verdict = Verdict(withheld=Withheld.HELD)
    post_id = publish_post(by=author, content=content, nonce=ids.new_id(), verdict=verdict)
    case_id = about_post(post_id)
    transact(begin_case(case_id, person_id=author.user_id, queue=Queue.HELD, severity=MINOR))
    return post_id


def waiting_sign_up(person: Viewer) -> CaseId:
    change(UserInfo, keys.user_info(person.user_id), [UserInfo.waiting.set("yes")])
    case_id = about_sign_up(person)
    transact(begin_case(case_id, person_id=person.user_id, queue=Queue.SIGN_UPS, severity=MINOR))
    return case_id


def info(person: Viewer) -> UserInfo:
    return get(UserInfo, keys.user_info(person.user_id), consistent=True)


def post_count(person: Viewer) -> int:
    return int(get(UserCount, keys.user_count(person.user_id), consistent=True).posts)


def withheld(author: Viewer, post_id: str) -> str | None:
    return get(Post, keys.post(author.user_id, post_id), consistent=True).withheld


def actions_of(case_id: CaseId) -> list[CaseAction]:
    rows = query(case_id.key.pk, between=("action#", "action$"), consistent=True)
    return [as_model(CaseAction, raw) for raw in rows]


def strikes(person: Viewer) -> list[Strike]:
    rows = query(keys.strikes(person.user_id), consistent=True)
    return [as_model(Strike, raw) for raw in rows]


def logged() -> list[AuditEntry]:
    month = utc_now_iso()[:7]
    return [as_model(AuditEntry, raw) for raw in query(keys.audit_entries(month), consistent=True)]


def listed(partition: str, **options: Any) -> list[CaseId]:
    """The whole of a queue or desk, as pages list it."""
    found: list[CaseId] = []
    cursor = None
    while True:
        page = list_cases(partition, cursor=cursor, **options)
        found += [row.case_id for row in page.items]
        cursor = page.next_cursor
        if not cursor:
            return found


def index(*moderators: Viewer) -> dict[str, list[CaseId]]:
    """What stands in each queue and on each desk, where there is something."""
    partitions = [keys.queue(queue) for queue in Queue]
    partitions += [keys.desk(moderator.user_id) for moderator in moderators]
    rows = {partition: listed(partition) for partition in partitions}
    return {partition: found for partition, found in rows.items() if found}


def let_claim_lapse(case_id: CaseId) -> None:
    change(Case, case_id.key, [Case.claimed_until.set(AN_HOUR_AGO)])


def is_there(case_id: CaseId) -> bool:
    try:
        read_case(case_id)
    except NotFound:
        return False
    return True


def broken(*, before_the_worker: bool = True) -> dict[str, list[str]]:
    """What of the whole table is not as it must be, but for what is the worker's."""
    results = broken_invariants()
    if before_the_worker:
        for of_the_worker in (
            "directory entries are what the infos say",
            "queues and desks are counted as their cases are, where no count is planned",
            "staff find everyone among the new people, and the restricted among the restricted",
            "every public post stands under its words, and nothing else does",
            "reporters' records say what became of their reports",
        ):
            results.pop(of_the_worker, None)
    return results


def crowd_ids(number: int) -> Iterator[Viewer]:
    """People of whom nothing is read but who they are."""
    return (Viewer(ids.new_id()) for _ in range(number))


# Queues as tests of their pages need them: reported people by the dozen, and posts that were for some.

QUEUE = "/moderation/queue"


def version_of(case_id: CaseId) -> int:
    return int(read_case(case_id).version)


def reporters(count: int) -> list[Viewer]:
    return [person(f"reporter{number:02}") for number in range(count)]


def report_by_each(
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
        report_by_each(reported, by=[by])
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


# Bob with a case of each kind, to which something can be done.

BOB = "Bob Brandt"
WITH_PICTURES = ActionKind.REMOVE  # needs some: test_illegal_pictures.py
POSSIBLE = {
    kind: tuple(action for action in possible if action != WITH_PICTURES)
    for kind, possible in OF_KIND.items()
}
EACH = [(kind, action) for kind, possible in POSSIBLE.items() for action in possible]


def packs_of(owner: Viewer) -> list[PersonList]:
    rows = query(keys.person_lists(owner.user_id), consistent=True)
    return [row(PersonList, raw) for raw in rows]


@dataclass
class Scene:
    """Bob, a case about him, and what an action about it can be done to."""

    bob: Viewer
    case_id: CaseId
    posts: tuple[str, ...] = ()

    def state(self) -> dict[str, object]:
        """What stands on Bob and his posts, but for what is as usual."""
        who = info(self.bob)
        post_of = {
            post_id: get(Post, keys.post(self.bob.user_id, post_id), consistent=True)
            for post_id in self.posts
        }
        found = {
            "no messages": who.no_messages_until,
            "limited": who.limited_until,
            "frozen": who.frozen_until,
            "suspended": who.suspended_until,
            "waiting": who.waiting,
            "withheld": [one.withheld for one in post_of.values() if one.withheld],
            "sensitive": [one.sensitive for one in post_of.values() if one.sensitive],
            "posts counted": post_count(self.bob),
            "name": "" if who.name == BOB else who.name,
            "withdrawn": [one.pack_title for one in packs_of(self.bob) if one.withdrawn],
        }
        return {name: value for name, value in found.items() if value}


def scene_of(kind: CaseKind, reporter: Viewer, bob: Viewer) -> Scene:
    match kind:
        case CaseKind.PERSON:
            posts = post(bob, "one"), post(bob, "two")
            report(reporter, bob, posts[0], rule_id="spam")
            list_id = create_list(by=bob, name="Work")
            offer_pack(by=bob, list_id=list_id, title="Who works", about="")
            return Scene(bob, about(bob), posts)
        case CaseKind.POST:
            post_id = held_post(bob)
            return Scene(bob, about_post(post_id), (post_id,))
    return Scene(bob, waiting_sign_up(bob))


# What one person reported about another, as the case holds it.


def report_by(reporter: Viewer, person: Viewer) -> CaseReport:
    key = keys.case_report(CaseKind.PERSON, person.user_id, reporter.user_id)
    return get(CaseReport, key, consistent=True)


# What moderators decide, written straight onto people and posts, and until when.

TOMORROW, A_SECOND_AGO = timedelta(days=1), timedelta(seconds=-1)


def restrict(
    person: Viewer, restriction: Restriction, *, lasts: timedelta | None = TOMORROW
) -> None:
    """None lasts until a moderator changes it."""
    end = FOR_EVER if lasts is None else (datetime.now(UTC) + lasts).isoformat()
    change(UserInfo, keys.user_info(person.user_id), [UNTIL[restriction].set(end)])


def let_wait(person: Viewer) -> None:
    """As after signing up where a moderator approves."""
    change(UserInfo, keys.user_info(person.user_id), [UserInfo.waiting.set("yes")])


HIDDEN: dict[str, Callable[[Viewer], object]] = {
    "waiting": let_wait,
    "paused": lambda person: pause_account(by=person),
    "closing": lambda person: close_account(by=person),
}


def withhold(author: Viewer, post_id: str, why: Withheld = Withheld.HIDDEN) -> None:
    _mark(author, post_id, Post.withheld.set(why))


def mark_sensitive(author: Viewer, post_id: str) -> None:
    _mark(author, post_id, Post.sensitive.set("yes"))


def _mark(author: Viewer, post_id: str, action: Action) -> None:
    key = keys.post(author.user_id, post_id)
    post = reading.get(Post, key, consistent=True)
    transact(actions.Change(Post, key, [action]), *change_copy(post, [action]))


# What tests of reported photos share: posts with photos, what moderators have of them, and looking at it.

FILE = re.compile(r"/moderation/cases/person/\w+/photo/file\?[^\"]+|/p?m/[^\"]+")


def reported_photos(by: Viewer, author: Viewer, *descriptions: str, **how: str) -> str:
    """A post with a photo for each description, and a report of it; returns the post's id."""
    photos = [photo(author, text) for text in descriptions or ("The way home",)]
    post_id = post_photos(author, *photos, **how)
    report(by, author, post_id)
    return post_id


def case_photos() -> list[CasePhoto]:
    return [as_model(CasePhoto, raw) for raw in scan() if raw["type"]["S"] == "CasePhoto"]


def states() -> list[str]:
    return [one.state for one in case_photos()]


def copies(author: Viewer) -> int:
    return len(list_copies(author.user_id))


def source_of(one: CasePhoto) -> Place:
    return Place(one.person_id, one.photo_id, PRIVATE, one.source)


def expire(author) -> None:
    """As DynamoDB does once the term of an erased person's case is over."""
    write_batch(deletes=[raw.key for raw in case_photos() if raw.person_id == author.user_id])


def look(browser: Client, case, photo_id: str, **headers: str):
    return browser.post(f"{case.url}/photo", {"photo": photo_id}, headers=headers)


def files_in(response) -> list[str]:
    """The addresses of pictures on a page, once each."""
    found = FILE.findall(response.content.decode())
    return list(dict.fromkeys(one.replace("&amp;", "&") for one in found))


def looks() -> list[dict]:
    return [entry.detail for entry in logged() if entry.action == "view photo"]


def opened(browser: Client, author, drain_stream) -> str:
    """The address of the picture of the author's one reported photo."""
    drain_stream()
    (one,) = case_photos()
    (address,) = files_in(look(browser, about(author), one.photo_id))
    return address


# What tests of reported profiles share: people with pictures, and the files that everyone sees.


def give_pictures(person: Viewer, *kinds: Kind) -> dict[str, str]:
    """Gives the person new pictures of these kinds, of both if none is named; returns their names."""
    names = {str(kind): new_name(kind) for kind in kinds or Kind}
    for name in names.values():
        for size, path in files_of(name).items():
            default_storage.save(path, ContentFile(f"RIFF {name} {size}".encode()))
    actions = [getattr(UserInfo, kind).set(name) for kind, name in names.items()]
    change(UserInfo, keys.user_info(person.user_id), actions)
    return names


def contents(name: str | None) -> list[str]:
    """What everyone sees of a picture: the content of each of its files, without those that are gone."""
    found = []
    for path in files_of(name).values():
        if default_storage.exists(path):
            with default_storage.open(path) as file:
                found.append(file.read().decode())
    return found


def full_case(mod: Viewer, reported: Viewer, *, reported_by: tuple[Viewer, Viewer]) -> CaseId:
    """A case with all that one can have: a profile with pictures, a decision, an appeal, reports that came after it,
    and a post for few."""
    first, second = reported_by
    give_pictures(reported)
    edit_profile(by=reported, bio="Buy this", location="Everywhere")
    report_by_each(reported, by=[first])
    hidden = report_by_each(reported, by=[second], text="First")
    action_id = decide(mod, about(reported), ActionKind.HIDE, hidden, text="Hidden")
    appeal(person_id=reported.user_id, action_id=action_id, text="It was a joke")
    report_by_each(
        reported, by=reporters(5), text="Second", rule="violence", severity=1, comment="Look!"
    )
    private = private_post(reported, "Between friends")
    report_by_each(reported, by=[person("zoe")], post_id=private)
    return about(reported)
