"""What tests arrange of posts: answers, quotes, polls, photos, drafts, edits, audiences, and posts that end."""

import secrets
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from accounts.models import UserCount
from accounts.people.cards import counted_end
from accounts.people.reads import get_user_info
from accounts.people.viewer import VISITOR, Viewer
from feed.cards.post_card import PollCard, PostCard
from feed.cards.reads import get_post
from feed.composing.composition import Composition, Seen
from feed.composing.reads import (
    DraftCard,
    ScheduledCard,
    list_drafts,
    list_scheduled,
    plan_publishing,
)
from feed.composing.writes import schedule_post
from feed.polls.models import NAMES as MODELS_NAMES
from feed.polls.models import PollWish, Vote
from feed.polls.writes import vote
from feed.posts.models import Audience, LikeCount, Post, ThreadGate
from feed.posts.reads import Pointer
from feed.publishing.changes import change_audience, edit_post
from feed.publishing.writes import publish_post
from feed.saved.models import SavedPost
from feed.saved.reads import folders_of
from feed.sharing.writes import quote
from feed.threads.writes import reply
from photos.files import NAMES, new_secret, save_files
from photos.models import READY, Photo
from photos.writes import KEPT_UNUSED, private_place
from relations.follows.writes import follow
from relations.friends.writes import create_circle, file_friend
from socialsite import clock
from socialsite.clock import utc_now
from socialsite.keys.key import Key
from socialsite.streams.worker import Worker
from socialsite.table import (
    NotFound,
    RawItem,
    as_model,
    change,
    create,
    fetch,
    get,
    ids,
    is_expired,
    key_of,
    keys,
    query,
    reading,
    write_batch,
)
from socialsite.table.connection import client, table_name
from socialsite.table.ids import new_id
from socialsite.table.reading import scan
from socialsite.table.transport.requests import wire
from tests.accounts.pictures import encode, halves
from tests.conftest import person
from tests.looks import broken_invariants, drain
from tests.relations.scenes import befriend
from tests.streams.crowd import returning
from tests.web.html import Html


def answer(by: Viewer, author: Viewer, post_id: str, content: str = "I see") -> str:
    """Answers a post of the author, and returns the id of the reply."""
    return reply(by=by, to=Pointer(post_id, author.user_id), content=content, nonce=ids.new_id())


# Quotes as tests make them and look at them.


def quoted_by(by, author, post_id: str, content: str = "Look", **how: Any) -> str:
    where = Pointer(post_id, author.user_id)
    return quote(by=by, post=where, content=content, nonce=new_id()[:22], **how)


def card_of(author, post_id: str, viewer) -> PostCard:
    return get_post(post_id, author.user_id, viewer=viewer)


def quotes_counted(post_id: str) -> int:
    return int(get(LikeCount, keys.like_count(post_id)).quotes or 0)


# Posts that end by themselves, and a clock that tests move.

SECOND = timedelta(seconds=1)


def ending_post(author: Viewer, content: str = "For an hour", **wish: Any) -> str:
    """Publishes a post that ends in an hour, if `wish` says nothing else."""
    wish = {"expires_in": "1h", "nonce": ids.new_id()} | wish
    return publish_post(by=author, content=content, **wish)


def end_of(author: Viewer, post_id: str) -> datetime:
    end = get(Post, keys.post(author.user_id, post_id), consistent=True).ttl
    assert end is not None
    return end


def posts_shown(author: Viewer, viewer: Viewer = VISITOR) -> int | None:
    """The number of posts on the page of a person."""
    return get_user_info(author.user_id, viewer=viewer).posts


@contextmanager
def clock_at(moment: datetime) -> Iterator[None]:
    """Until the end of the block it is this moment, for whatever asks the site's clock or what is expired."""
    utc_now = clock.utc_now
    with pytest.MonkeyPatch.context() as patch:
        for module in list(sys.modules.values()):
            if getattr(module, "utc_now", None) is utc_now:
                patch.setattr(module, "utc_now", lambda: moment)
        stopped = SimpleNamespace(time=moment.timestamp, monotonic=time.monotonic, sleep=time.sleep)
        patch.setattr(reading, "time", stopped)
        yield


def remove_expired() -> list[RawItem]:
    """Deletes what is past its time, as the engine's owner does, in an order that nobody may rely on."""
    gone = sorted(filter(is_expired, scan()), key=lambda raw: hash(key_of(raw)))
    for raw in gone:
        client().delete_item(TableName=table_name(), Key=wire(key_of(raw)))
    return gone


def end_now(author_id: str, post_id: str) -> None:
    """Moves the end of a post to a second ago, in all items that have it, where a test cannot move the clock."""
    past = datetime.now(UTC).replace(microsecond=0) - SECOND
    change(Post, keys.post(author_id, post_id), [Post.ttl.set(past)])
    change(LikeCount, keys.like_count(post_id), [LikeCount.ttl.set(past)])
    root_ends = [ThreadGate.root_ends.set(int(past.timestamp()))]
    change(ThreadGate, keys.thread_gate(post_id), root_ends)
    key = keys.user_count(author_id)
    count = get(UserCount, key, consistent=True)
    others = {end for end in count.ends or () if post_id not in end}
    change(UserCount, key, [UserCount.ends.set({*others, counted_end(past, post_id)})])


def let_go(author_id: str, post_id: str) -> None:
    """Deletes a post and its counts as the table does with what is past its time, one item after the other."""
    for key in (keys.like_count(post_id), keys.post(author_id, post_id)):
        write_batch(deletes=[key])


# Photos as uploads leave them, without the decoder: the item, and a few bytes in each file.

HASH = "1QcSHQRnh493V4dIh4eXh1h4kJUI"  # of 28 characters, as every thumbhash in base 64


FAKE = {name: b"RIFF " + name.encode() for name in NAMES}


def real_files(width: int, height: int) -> dict[str, bytes]:
    """Files that a browser can show, all of one size."""
    image = halves((width, height))
    return {name: encode(image, "JPEG" if name.endswith("jpg") else "WEBP") for name in NAMES}


def photo(
    by: Viewer,
    description: str = "",
    *,
    width: int = 1600,
    height: int = 1200,
    files: Mapping[str, bytes] = FAKE,
) -> str:
    """One of the person's own photos, which no post shows yet."""
    one = Photo.new(
        user_id=by.user_id,
        photo_id=ids.new_id(),
        secret=new_secret(),
        width=width,
        height=height,
        thumbhash=HASH,
        size=1000,
        sha256="0" * 64,
        alt=description,
        until=utc_now() + KEPT_UNUSED,
    )
    one.state = READY
    create(one)
    save_files(private_place(one), files)
    return one.photo_id


def post_photos(by: Viewer, *photo_ids: str, content: str = "Look", **how: str) -> str:
    """Publishes a post with photos, new ones if none are named."""
    chosen = photo_ids or (photo(by),)
    return publish_post(by=by, content=content, nonce=ids.new_id(), photos=chosen, **how)


# What lies on a shelf, for tests of saved posts.


def shelf_of(viewer: Viewer) -> list[SavedPost]:
    """Everything on the shelf, in the order of its keys."""
    rows = query(keys.shelf(viewer.user_id), consistent=True)
    return [as_model(SavedPost, raw) for raw in rows]


def state(viewer: Viewer) -> list[tuple[str, str, str, str]]:
    """Every item on the shelf: its list, post, folder and note."""
    return [
        (one.sk.split("#")[1], one.post_id, one.folder or "", one.note or "")
        for one in shelf_of(viewer)
    ]


def saved_ids(viewer: Viewer, folder_id: str = "") -> list[str]:
    """The saved posts, all or those in a folder, oldest first."""
    low, high = keys.saved_bounds(folder_id)
    return [item.post_id for item in shelf_of(viewer) if low <= item.sk <= high]


def folder_names(viewer: Viewer) -> dict[str, str]:
    """The viewer's folders: name by id."""
    return dict(folders_of(returning(viewer)))


def file_saved(
    viewer: Viewer, authors_of: Sequence[tuple[str, str]], number: int, note: str = ""
) -> Iterator[SavedPost]:
    """So many saved posts of these authors, which are all gone."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for one in range(number):
        yield SavedPost.new(
            user_id=viewer.user_id,
            post_id=ids.id_at(start + timedelta(minutes=one), one.to_bytes(10)),
            author_id=authors_of[one % len(authors_of)][1],
            saved_at=start.isoformat(),
            note=note,
        )


# Polls as tests publish them, vote in them and look at them.

DRINKS = ("Tea", "Coffee", "Water")
FIELDS = {"content": "What do you drink?", "poll_options": [*DRINKS], "poll_ends": "1d"}


def ask(author: Viewer, options: tuple[str, ...] = DRINKS, **wishes: Any) -> str:
    """Publishes a post with a poll."""
    audience = wishes.pop("audience", "")
    poll = PollWish(options, **wishes)
    return publish_post(
        by=author, content="What do you drink?", nonce=ids.new_id(), poll=poll, audience=audience
    )


def poll_of(author: Viewer, post_id: str, viewer: Viewer) -> PollCard:
    poll = get_post(post_id, author.user_id, viewer=viewer).poll
    assert poll is not None
    return poll


def vote_for(voter: Viewer, author: Viewer, post_id: str, *places: int) -> str:
    """Votes through the service, as the view does."""
    poll = poll_of(author, post_id, voter)
    where = {"post_id": post_id, "author_id": author.user_id}
    return vote(by=voter, **where, poll=poll, places=places)


def press(browser: Client, post_id: str, *choices: object, **extra: Any) -> Any:
    form = {"choice": [str(one) for one in choices]}
    return browser.post(f"/@alice/posts/{post_id}/vote", form, **extra)


def votes_of(post_id: str) -> list[Vote]:
    return [
        as_model(Vote, raw)
        for shard in range(keys.VOTE_SHARDS)
        for raw in query(keys.votes(post_id, shard), consistent=True)
    ]


def votes_counted(post_id: str) -> dict[str, int]:
    """What the worker has counted, without zeros."""
    count = get(LikeCount, keys.like_count(post_id), consistent=True)
    return {name: int(number) for name in MODELS_NAMES if (number := getattr(count, name))}


def let_time_pass(monkeypatch: pytest.MonkeyPatch, days: int = 8) -> datetime:
    """From now on all polls of this test have ended."""
    later = utc_now() + timedelta(days=days)
    modules = ("feed.polls.writes", "feed.cards.post_card", "feed.cards.words", "feed.polls.checks")
    for module in modules:
        monkeypatch.setattr(f"{module}.utc_now", lambda: later)
    return later


# Drafts and scheduled posts, for tests.

AUTOSAVE = {"autosave": "1"}


def fields(content: str, **others: Any) -> dict[str, Any]:
    """The fields of a composer that was just shown, with this text."""
    return {"content": content, "nonce": secrets.token_urlsafe(16), "draft": ids.new_id()} | others


def autosave(browser: Client, form: dict[str, Any]) -> dict[str, Any]:
    """Saves as the script does; the answer, with its status."""
    answer = browser.post("/drafts", {"version": "0", "writer": "page1"} | form | AUTOSAVE)
    return {"status": answer.status_code} | answer.json()


def drafts_of(viewer: Viewer) -> list[DraftCard]:
    return list(list_drafts(viewer).items)


def texts_of(viewer: Viewer) -> list[str]:
    """What the drafts say, the newest first."""
    return [draft.composition.content for draft in drafts_of(viewer)]


def chosen(page: Html, name: str = "audience") -> str:
    """Which option of a select of the composer is chosen: the first one if none says so."""
    at = page.elements.index(page.one("select", name=name))
    options = [one for one in page.elements[at:] if one.tag == "option"]
    marked = [one for one in options if "selected" in one.attributes]
    return (marked or options)[0]["value"]


BEGIN = utc_now().replace(
    second=0, microsecond=0
)  # of the run, whose next minute may begin within a test
BERLIN = ZoneInfo("Europe/Berlin")


def in_hours(hours: int) -> datetime:
    """A full minute so many hours from the run's begin, as clocks in Berlin show it: always the same."""
    return (BEGIN + timedelta(hours=hours)).astimezone(BERLIN)


def schedule(by: Viewer, *, hours: int = 1, content: str = "Later", **others: Any) -> ScheduledCard:
    """Schedules a post for so many hours from now."""
    scheduled_id = schedule_post(
        by=by,
        composition=Composition(content=content, **others),
        publish_at=in_hours(hours).astimezone(UTC),
        zone="Europe/Berlin",
        nonce=ids.new_id(),
        seen=Seen(),
    )
    return next(one for one in all_scheduled(by) if one.slot.scheduled_id == scheduled_id)


def all_scheduled(viewer: Viewer) -> list[ScheduledCard]:
    """All of them, the next one first."""
    found = query(keys.shelf(viewer.user_id), between=keys.scheduled_bounds(), consistent=True)
    return [ScheduledCard.from_raw(raw) for raw in found]


def scheduled_of(viewer: Viewer) -> list[ScheduledCard]:
    return list(list_scheduled(viewer).items)


def due_of(card: ScheduledCard) -> list[Key]:
    """The due item of a scheduled post at its moment, if it is there."""
    return list(fetch([plan_publishing(card.user_id, card.slot).item.key], consistent=True))


# What tests of a changed audience share: Alice's readers, and a post that she gives another audience.

EVERYONE, FOLLOWERS, FRIENDS, ONLY_ME = (
    Audience.EVERYONE,
    Audience.FOLLOWERS,
    Audience.FRIENDS,
    Audience.ONLY_ME,
)


def readers_of(alice: Viewer) -> dict[str, Viewer]:
    """A follower, a friend, a friend in a circle of hers, and a stranger; the friends do not follow."""
    names = {"follower": "fay", "friend": "fred", "circle": "cleo", "stranger": "stan"}
    readers = {kind: person(handle) for kind, handle in names.items()}
    follow(by=readers["follower"], user_id=alice.user_id)
    for kind in ("friend", "circle"):
        befriend(alice, readers[kind])
    return readers


def circle_of(alice: Viewer, member: Viewer) -> str:
    circle_id = create_circle(by=alice, name="Family")
    file_friend(by=alice, user_id=member.user_id, circles=[circle_id], note="")
    return circle_id


def say(author: Viewer, audience: str, circle: str = "", content: str = "Hello") -> str:
    return publish_post(
        by=author, content=content, nonce=ids.new_id(), audience=audience, circle=circle
    )


def show_to(author: Viewer, post_id: str, audience: str, circle: str = "") -> None:
    change_audience(by=author, post_id=post_id, audience=audience, circle=circle)


def choose_audience(browser: Client, post_id: str, audience: str, **extra):
    return browser.post(f"/@alice/posts/{post_id}/audience", {"audience": audience}, **extra)


def entries(viewer: Viewer) -> list[str]:
    rows = query(keys.timeline(viewer.user_id), forward=False, consistent=True)
    return [raw["post_id"]["S"] for raw in rows]


def counts(person) -> tuple[int, int]:
    count = get(UserCount, keys.user_count(person.user_id), consistent=True)
    return int(count.posts), int(count.closed)


def sees(viewer, post_id: str, author) -> bool:
    try:
        get_post(post_id, author.user_id, viewer=viewer)
    except NotFound:
        return False
    return True


# What tests of edits share.


def stored(author: Viewer, post_id: str) -> Post:
    return get(Post, keys.post(author.user_id, post_id), consistent=True)


def edit(by: Viewer, post_id: str, content: str, version: int = 0) -> None:
    """Edits the post as it is now, unless a version is given."""
    version = version or int(stored(by, post_id).version or 1)
    edit_post(by=by, post_id=post_id, content=content, version=version)


def send(browser: Client, post_id: str, content: str, version: int | str = 1, **extra):
    form = {"content": content, "version": str(version)}
    return browser.post(f"/@alice/posts/{post_id}/edit", form, **extra)


def broken() -> dict[str, list[str]]:
    """What is not as it must be once the worker has caught up."""
    drain(Worker())
    return broken_invariants()


def said(page: Html, field: str = "content") -> str:
    """The message beside a field of the form of an edit."""
    return " ".join(one.text for one in page.all(id=f"edit_{field}_error"))
