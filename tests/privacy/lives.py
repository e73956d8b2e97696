"""People with something of everything, who are erased, exported, or old."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from io import BytesIO
from itertools import count
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from zipfile import ZipFile

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import UserInfo
from accounts.people.cards import Kind, files_of
from accounts.people.viewer import Viewer
from accounts.profile.writes import new_name
from chats.kept import keep_message
from chats.reads import get_message
from chats.writes import send_message
from feed.likes.writes import like_post
from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.publishing.changes import edit_post
from feed.publishing.writes import publish_post
from feed.saved.writes import create_folder, save_post
from feed.sharing.writes import repost, withdraw_quote
from feed.threads.writes import leave_thread
from moderation.cases.writes import appeal
from moderation.models import ActionKind
from moderation.people.writes import note_person
from notifications.push.writes import send_test
from photos.writes import upload_photo
from privacy.erasure.writes import close_account
from privacy.export.writes import State, ask_for_export, get_export
from privacy.models import Receipt
from privacy.old_posts.reads import Choice, Kept
from privacy.old_posts.reads import Kind as ReadsKind
from privacy.old_posts.writes import delete_old_posts, wish_old_posts_gone
from relations.blocks.writes import block, mute, unblock
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from relations.lists.writes import (
    add_to_list,
    change_list,
    create_list,
    leave_pack,
    offer_pack,
)
from relations.muted_words.words import MutedWord
from relations.muted_words.writes import mute_word
from relations.own_choices.writes import (
    dismiss_suggestion,
    favourite,
    follow_tag,
    hide_reposts,
    subscribe,
    unfavourite,
)
from relations.suggested import look_for_people
from socialsite import clock
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.worker import Worker
from socialsite.table import RawItem, change, get, ids, keys, query
from socialsite.table.reading import scan
from tests.accounts.pictures import encode, halves
from tests.accounts.scenes import note
from tests.api.conftest import give_code, new_app, token_of
from tests.conftest import PASSWORD, person, post
from tests.feed.scenes import answer, ask, photo, quoted_by, vote_for
from tests.moderation.cases import about, decide, held_post, report
from tests.notifications.push.conftest import signed_in
from tests.notifications.push.services import Browser
from tests.relations.scenes import befriend

TEXT = "Nightingale over the canal"  # in everything that she writes
NAME = "Ursula Quastenflosser"


def live(alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer) -> SimpleNamespace:
    """Alice has a life here with Bob and Carol, before the worker has seen any of it."""
    dave, erin = person("dave"), person("erin")
    picture = default_storage.save(f"avatars/{ids.new_id()}.webp", ContentFile(b"picture"))
    header = new_name(Kind.HEADER)
    pictures = [picture, *files_of(header).values()]
    for name in pictures[1:]:
        default_storage.save(name, ContentFile(b"picture"))
    change(
        UserInfo,
        keys.user_info(alice.user_id),
        [
            UserInfo.avatar.set(picture),
            UserInfo.header.set(header),
            UserInfo.name.set(NAME),
            UserInfo.location.set("Ghent"),
        ],
    )
    for one, other in ((bob, alice), (carol, alice), (alice, bob), (dave, alice), (bob, carol)):
        follow(by=one, user_id=other.user_id)
    befriend(alice, bob)
    request_friend(by=alice, user_id=carol.user_id)
    request_friend(by=dave, user_id=alice.user_id)
    for fan in (bob, dave):
        favourite(by=fan, user_id=alice.user_id)
    subscribe(by=bob, user_id=alice.user_id)
    unfavourite(by=dave, user_id=alice.user_id)  # softly ended, in Dave's partition alone
    favourite(by=alice, user_id=bob.user_id)
    block(by=erin, user_id=alice.user_id)
    block(by=alice, user_id=dave.user_id)
    unblock(by=alice, user_id=dave.user_id)
    mute(by=carol, user_id=alice.user_id)
    dismiss_suggestion(by=carol, user_id=alice.user_id)
    follow(by=erin, user_id=bob.user_id)
    look_for_people(erin.user_id)  # finds Alice
    hide_reposts(by=carol, user_id=alice.user_id)
    for one, other in ((alice, bob), (bob, alice), (erin, bob)):
        list_id = create_list(by=one, name=f"{TEXT} list" if one is alice else "List")
        add_to_list(by=one, list_id=list_id, user_id=other.user_id)
        change_list(by=one, list_id=list_id, name="List", is_tab=True, not_home=True)
        offer_pack(by=one, list_id=list_id, title=TEXT if one is alice else "Pack", about="")
        leave_pack(by=other, owner_id=one.user_id, list_id=list_id)
    for one in (alice, bob):
        note(one, "203.0.113.0/24", "their laptop")
    device = Browser("https://fcm.googleapis.com/fcm/send/hers")
    send_test(by=alice, device=device.turn_on(signed_in(alice)))
    let_apps_in(alice)
    follow_tag(by=alice, tag="birds")
    mute_word(by=alice, word=MutedWord("magpies"))
    follow_tag(by=dave, tag="canal")
    leave_thread(by=alice, root_id=post(bob))
    canal = SimpleUploadedFile("canal.png", encode(halves(), "PNG"))
    upload_photo(by=alice, upload=canal, description=TEXT)
    return SimpleNamespace(dave=dave, erin=erin, pictures=pictures)


def let_apps_in(alice: Viewer) -> None:
    """One acts for her, and one has not come for its token yet."""
    app, _secret = new_app()
    token_of(alice, app=app)
    give_code(alice, app, "on its way")


def write(alice: Viewer, bob: Viewer, carol: Viewer) -> SimpleNamespace:
    """What they say to each other, and in private."""
    say_in_private(alice, bob, TEXT)
    root = post(alice, f"{TEXT} #canal")
    edit_post(by=alice, post_id=root, content=f"{TEXT}, again #canal", version=1)
    publish_post(by=alice, content=f"{TEXT} for friends", nonce=ids.new_id(), audience="friends")
    bobs = post(bob, "Hello @alice")
    hers = answer(alice, bob, bobs, f"{TEXT}, Bob")
    under = answer(carol, alice, hers, "I agree, @alice")
    beneath = answer(bob, alice, root, "Where?")
    story = answer(alice, alice, root, f"{TEXT}, part two")
    asked = PollWish((TEXT, "Thrush"), length="1w")
    shown = {"photos": [photo(alice, TEXT)], "poll": asked}
    quoting = quoted_by(alice, bob, bobs, f"{TEXT}: as Bob says", **shown)
    vote_for(bob, alice, quoting, 0)
    quoted = quoted_by(bob, alice, root, "As she says")
    taken_back = quoted_by(alice, bob, post(bob, "Not this"), f"{TEXT}!")
    withdraw_quote(by=bob, quoting=Pointer(taken_back, alice.user_id))
    for fan in (bob, carol):
        like_post(by=fan, post_id=root, author_id=alice.user_id)
    like_post(by=alice, post_id=bobs, author_id=bob.user_id)
    like_post(by=alice, post_id=under, author_id=carol.user_id)
    vote_for(bob, alice, ask(alice, (TEXT, "Owl"), length="1w"), 0)
    vote_for(alice, carol, ask(carol, length="1w"), 1)
    repost(by=carol, post=Pointer(root, alice.user_id))
    repost(by=alice, post=Pointer(bobs, bob.user_id))
    save_post(by=bob, post_id=root, author_id=alice.user_id, note="Lovely")
    folder = create_folder(by=alice, name=f"{TEXT} folder")
    save_post(by=alice, post_id=bobs, author_id=bob.user_id, folder_id=folder, note=TEXT)
    return SimpleNamespace(
        root=root,
        bobs=bobs,
        hers=hers,
        under=under,
        beneath=beneath,
        story=story,
        quoting=quoting,
        quoted=quoted,
    )


def say_in_private(one: Viewer, other: Viewer, text: str) -> None:
    """Two people write to each other, and each keeps what the other said."""
    chat_id = keys.pair(one.user_id, other.user_id)
    for by, reader in ((one, other), (other, one)):
        sent = send_message(by=by, chat_id=chat_id, text=text, nonce=ids.new_id()).message
        assert sent
        message, card = get_message(reader, chat_id, sent.message_id)
        keep_message(by=reader, message=message, body=card.body)


def be_moderated(
    alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer, said: SimpleNamespace
) -> None:
    """Alice is reported, warned and appeals; she reports Bob; a post of hers is held. There are notes
    about her, and one of hers about Bob."""
    report(bob, alice, said.root, rule_id="spam", comment="Too many birds")
    action = decide(mod, about(alice), ActionKind.WARN, text="Fewer birds")
    appeal(person_id=alice.user_id, action_id=action, text=f"{TEXT} are quiet")
    report(carol, alice, rule_id="spam")
    report(alice, bob, said.bobs, rule_id="spam", comment="Just hello?")
    held_post(alice, f"{TEXT}, held")
    note_person(by=mod, user_id=alice.user_id, text=f"{TEXT}, says everyone")
    note_person(by=alice, user_id=bob.user_id, text="From her days on the staff")


# A life that is led and erased, and what still names somebody.

AFTER_THE_SEARCH = timedelta(days=3)


def lead_a_life(
    alice: Viewer, bob: Viewer, carol: Viewer, mod: Viewer, worker: Worker
) -> SimpleNamespace:
    around = live(alice, bob, carol, mod)
    worker.drain()
    said = write(alice, bob, carol)
    worker.drain()
    be_moderated(alice, bob, carol, mod, said)
    worker.drain()
    return SimpleNamespace(**vars(around), **vars(said))


def erase(person: Viewer, worker: Worker) -> str:
    """Closes the account at once and erases it; the search is still to come. Returns the receipt's id."""
    receipt_id = close_account(by=person, at_once=True)
    do_due()
    worker.drain()
    return receipt_id


def search(receipt_id: str, worker: Worker) -> Receipt:
    """When it is time, and whatever the work of one look planned for the next is done too."""
    when = utc_now() + AFTER_THE_SEARCH
    while do_due(when):
        pass
    worker.drain()
    return get(Receipt, keys.receipt(receipt_id), consistent=True)


def naming(*texts: str) -> list[RawItem]:
    """Every item of the table that names any of these anywhere."""
    return [raw for raw in scan() if any(text in str(raw) for text in texts)]


def kinds(raws: list[RawItem]) -> set[str]:
    return {raw["type"]["S"] for raw in raws}


# An export as its owner has it: asked for, made by worker and clock, downloaded and opened.

PAGE, OPEN, FILE = "/settings/export", "/settings/export/download", "/settings/export/file"
SITE = "https://social.example"


@dataclass(frozen=True)
class Unpacked:
    """The content of a zip."""

    content: bytes

    @cached_property
    def zip(self) -> ZipFile:
        return ZipFile(BytesIO(self.content))

    @property
    def names(self) -> list[str]:
        return self.zip.namelist()

    def bytes(self, name: str) -> bytes:
        return self.zip.read(name)

    def text(self, name: str) -> str:
        return self.bytes(name).decode()

    def json(self, name: str) -> Any:
        return json.loads(self.bytes(name))

    def items(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.json(f"data/{kind}.json")["items"]
        return found

    @property
    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = self.json("manifest.json")
        return found

    def wrong_hashes(self) -> list[str]:
        stated = {file["path"]: (file["bytes"], file["sha256"]) for file in self.manifest["files"]}
        found = {
            name: (len(self.bytes(name)), hashlib.sha256(self.bytes(name)).hexdigest())
            for name in self.names
            if name != "manifest.json"
        }
        return [name for name in {**stated, **found} if stated.get(name) != found.get(name)]


def ask_for_export_of(viewer: Viewer, *, language: str = "en", zone: str = "UTC") -> None:
    ask_for_export(by=viewer, site=SITE, language=language, zone=zone)


def make(drain: Callable[[], None]) -> None:
    """Lets worker and clock do what is to be done now."""
    drain()
    do_due()


def state_of(viewer: Viewer) -> State:
    found = get_export(viewer.user_id)
    assert found is not None
    return found


def prove(browser: Client) -> None:
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 302


def download(browser: Client, **headers: str) -> bytes:
    answer = browser.get(FILE, headers=headers)
    assert answer.status_code in (200, 206), answer
    return answer.getvalue()


def export_of(viewer: Viewer, drain: Callable[[], None], browser: Client, **how: str) -> Unpacked:
    """All of it, as a browser gets it."""
    ask_for_export_of(viewer, **how)
    make(drain)
    prove(browser)
    assert browser.post(OPEN)["Location"] == FILE
    return Unpacked(download(browser))


# Posts from before, and what the worker does about them on later days.

ALL = frozenset(ReadsKind)
EVERYTHING = Choice(ALL, frozenset())


@contextmanager
def days_ago(days: float) -> Iterator[None]:
    """What is published meanwhile is from that day."""
    begun, milliseconds = clock.utc_now() - timedelta(days=days), count()

    def new_id() -> str:
        return ids.id_at(begun + timedelta(milliseconds=next(milliseconds)), os.urandom(10))

    with patch.object(ids, "new_id", new_id):
        yield


@contextmanager
def days_later(days: float) -> Iterator[datetime]:
    """The site's clock, which stands still."""
    now = datetime.now(UTC) + timedelta(days=days)

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None) -> datetime:
            return now

    with patch.object(clock, "datetime", Clock):
        yield now


def old_post(author: Viewer, days: float = 40, content: str = "Hello") -> str:
    with days_ago(days):
        return post(author, content)


def old_repost(by: Viewer, author: Viewer, post_id: str, days: float = 40) -> None:
    with days_ago(days):
        repost(by=by, post=Pointer(post_id, author.user_id))


def delete_all(by: Viewer, choice: Choice = EVERYTHING) -> None:
    delete_old_posts(by=by, choice=choice)


def wish(by: Viewer, days: int = 30, choice: Choice = EVERYTHING) -> None:
    wish_old_posts_gone(by=by, days=days, choice=choice)


def keeping(*kept: Kept) -> Choice:
    return Choice(ALL, frozenset(kept))


def own(person: Viewer) -> list[str]:
    """The ids of what stands among a person's posts, the oldest first."""
    rows = query(keys.posts(person.user_id), consistent=True)
    return [raw["post_id"]["S"] for raw in rows]


def a_day_of_work(drain: Callable[[], None], *, day: float = 0) -> None:
    """What the clock and the worker do on this day from now."""
    with days_later(day) as now:
        do_due(now)
        drain()
