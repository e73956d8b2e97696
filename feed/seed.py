"""The items of demo posts, likes and saved posts, as publishing, fan-out, liking and saving would have written them,
and the photo of a demo post, as uploading and publishing would have left it."""

import base64
import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from types import MappingProxyType

from feed.likes.models import Like
from feed.polls.models import Vote, counted
from feed.polls.writes import close_later
from feed.posts.models import LikeCount, LikeTrace, Post, Reply, Repost, Reposter
from feed.posts.reads import entry_of, pointer_of_post, timeline_end
from feed.publishing.models import PostVersion, Quote
from feed.saved.models import SavedPost
from feed.threads.writes import SET_ASIDE
from feed.timelines.local import DAYS as PUBLIC_DAYS
from feed.timelines.local import day_of, shard_of
from feed.timelines.models import PublicEntry
from photos.files import PRIVATE, PUBLIC, save_files
from photos.models import READY, Photo
from photos.writes import private_place, public_place
from socialsite.pictures.decoding import make_pictures
from socialsite.table import Item, ids
from socialsite.texts import mentioned_handles


def shown_photo(*, user_id: str, photo_id: str, post_id: str, file: Path, alt: str) -> Photo:
    """Writes the files of a picture that everyone may see, decoded as any other, and returns their item. Repeated, it
    writes the same, so its secrets are none: all demo photos are public."""
    with file.open("rb") as upload:
        made = make_pictures(upload, "photo")
    photo = Photo.new(
        user_id=user_id,
        photo_id=photo_id,
        secret=_name(photo_id, PRIVATE),
        width=made.width,
        height=made.height,
        thumbhash=made.thumbhash,
        size=sum(map(len, made.files.values())),
        sha256=hashlib.sha256(file.read_bytes()).hexdigest(),
        alt=alt,
        until=ids.time_of(post_id),
    )
    photo.state, photo.ttl = READY, None
    photo.post_id, photo.public_secret = post_id, _name(photo_id, PUBLIC)
    for place in (private_place(photo), public_place(photo)):
        if place:
            save_files(place, made.files)
    return photo


def _name(photo_id: str, folder: str) -> str:
    digest = hashlib.sha256(f"{folder}{photo_id}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


FOLDERS = ("Stories", "Weekend")
NOTES = ("For the train on Friday.", "", "Show this to Grandma, she will laugh.", "", "")

NO_VOTES: Mapping[str, int] = MappingProxyType({})
EDITED_AFTER = timedelta(minutes=12)
VOTED_AFTER = timedelta(minutes=9)

Where = tuple[str, str]  # the ids of a post and its author


def post_items(
    post: Post,
    *,
    likes: int,
    replies: int = 0,
    reposts: int = 0,
    quotes: int = 0,
    votes: Mapping[str, int] = NO_VOTES,
    is_hidden: bool = False,
    readers: Sequence[str],
    now: datetime,
) -> Iterator[Item]:
    """Returns the post, its counts, and its entries in each reader's timeline and the local one, unless it has expired.
    A reply has its place in the thread instead of the local timeline, behind the others if it is hidden."""
    moment = ids.time_of(post.post_id)
    where = {"post_id": post.post_id, "author_id": post.author_id}
    yield post
    count = LikeCount.new(post_id=post.post_id)
    count.likes = likes
    count.replies, count.reposts = replies or None, reposts or None
    count.quotes = quotes or None
    for name, number in votes.items():
        setattr(count, name, number)
    yield count
    yield from (action.item for action in close_later(post))
    if post.root_id:
        place = Reply.new(post)
        place.set_aside = SET_ASIDE if is_hidden else None
        yield place
    if post.quote_of:
        yield Quote.new(post)
    end = timeline_end(moment)
    if end > now:
        for reader in readers:
            yield entry_of(pointer_of_post(post), reader, ends=None)
    public_end = moment + timedelta(days=PUBLIC_DAYS + 1)
    if public_end > now and not post.root_id:
        day, shard = day_of(post.post_id), shard_of(post.post_id)
        yield PublicEntry.new(day=day, shard=shard, ttl=public_end, **where)


def edit(post: Post, text: str) -> PostVersion:
    """Gives a post another text, and returns what it said before. Neither mentions anyone."""
    before = PostVersion.new(post)
    post.content, post.version = text, 2
    edited_at = ids.time_of(post.post_id) + EDITED_AFTER
    post.edited_at = edited_at.isoformat(timespec="seconds")
    return before


def vote_items(*, post: Post, user_id: str, choices: str) -> Iterator[Item]:
    """Returns the vote of a person who neither likes nor reposts the post, with the trace of it."""
    where = {"post_id": post.post_id, "author_id": post.author_id, "user_id": user_id}
    yield Vote.new(**where, choices=choices, at=ids.time_of(post.post_id) + VOTED_AFTER)
    yield LikeTrace.new(**where, liked=False, choices=choices)


def votes_counted(votes: Iterable[str]) -> Mapping[str, int]:
    """Returns what the counts of a post say after these votes."""
    return sum((counted(choices) for choices in votes), Counter())


def like_items(
    *, post_id: str, author_id: str, user_id: str, repost_id: str = ""
) -> Iterator[Item]:
    """Returns a like and its trace, which may be that of a repost too."""
    like = {"post_id": post_id, "author_id": author_id, "user_id": user_id}
    yield Like.new(**like, shards=None)
    yield LikeTrace.new(**like, repost_id=repost_id, liked=True)


def repost_items(
    *,
    post_id: str,
    author_id: str,
    user_id: str,
    repost_id: str,
    readers: Sequence[str],
    now: datetime,
) -> Iterator[Item]:
    """Returns a repost, without its trace, and its entry in each reader's timeline."""
    repost = Repost.new(
        repost_id=repost_id, user_id=user_id, repost_of=post_id, repost_of_author_id=author_id
    )
    yield repost
    yield Reposter.new(post_id=post_id, author_id=author_id, user_id=user_id, repost_id=repost_id)
    if timeline_end(ids.time_of(repost_id)) > now:
        for reader in readers:
            yield entry_of(pointer_of_post(repost), reader, ends=None)


def mentioned_people(text: str, user_ids: Mapping[str, str]) -> dict[str, str] | None:
    """Returns the ids of the demo people whom a text mentions, by handle; None if it mentions no handle."""
    handles = mentioned_handles(text)
    known = {handle: user_ids[handle] for handle in handles if handle in user_ids}
    return known if handles else None


def folder_names(now: datetime) -> dict[str, str]:
    """Returns the folders of saved posts of the first person: names by id."""
    return {ids.id_at(now, bytes([number] * 10)): name for number, name in enumerate(FOLDERS)}


def saved_items(user_id: str, posts: Sequence[Where], now: datetime) -> Iterator[SavedPost]:
    """Returns saved posts, in the folders by turns and every third in none, some with a note."""
    folders = ["", *folder_names(now)]
    for number, (post_id, author_id) in enumerate(posts):
        folder = folders[number % len(folders)]
        for among in dict.fromkeys(("", folder)):
            yield SavedPost.new(
                user_id=user_id,
                post_id=post_id,
                author_id=author_id,
                saved_at=(now - timedelta(hours=5 * number + 1)).isoformat(timespec="microseconds"),
                folder=folder,
                note=NOTES[number % len(NOTES)],
                among=among,
            )
