"""What is exported of what a person wrote: posts, replies and quotes with what they said before, reposts, their photos,
and what is not published yet. That is sealed, and only the clock can open it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.people.cards import mentioned_in
from feed.composing.composition import Composition, unseal
from feed.composing.models import Draft, Scheduled
from feed.posts.models import Poll, Post, Repost
from feed.publishing.models import PostVersion
from photos.files import PRIVATE, read_file
from photos.models import READY, Photo
from privacy.export.kinds import (
    FILE,
    FLAG,
    MOMENT,
    NUMBER,
    POST,
    POST_OR_NONE,
    TEXT,
    TEXT_BY_KEY,
    TEXTS,
    Columns,
    Field,
    Handles,
    Kind,
    Owner,
    Record,
    many,
    name_people,
    one_of,
    structure,
)
from socialsite.table import NotFound, RawItem, access_pattern, ids, key_of, keys, query, row

POLL = structure(
    answers=TEXTS, several=FLAG, ends_at=MOMENT, votes_can_change=FLAG, results_before_voting=FLAG
)
VERSION = structure(version=NUMBER, text=TEXT, warning=TEXT, language=TEXT, written_at=MOMENT)

POSTS = Kind(
    "posts",
    _("Posts"),
    {
        "id": Field(TEXT, "The id of the post. Ids sort by time."),
        "url": Field(TEXT, "Its address."),
        "kind": Field(one_of("post", "reply", "quote"), "What it is."),
        "published_at": Field(MOMENT, "When it was published, in UTC."),
        "text": Field(TEXT, "Its text, as it was typed."),
        "warning": Field(TEXT, "The content warning before it, empty if there is none."),
        "language": Field(TEXT, "The language it is in, empty if you did not say."),
        "audience": Field(
            one_of("everyone", "followers", "friends", "circle", "me"),
            "Who can see it. A reply is for those for whom its thread is.",
        ),
        "circle": Field(TEXT, "The name of the circle, if it is for one."),
        "who_can_reply": Field(
            one_of("everyone", "followers", "friends", "mentioned", "nobody"), "Who can answer."
        ),
        "reply_to": Field(POST_OR_NONE, "The post it answers, null if it answers none."),
        "thread": Field(POST_OR_NONE, "The post at the head of its thread."),
        "quotes": Field(POST_OR_NONE, "The post it quotes, null if it quotes none."),
        "quote_withdrawn": Field(FLAG, "Whether the author of that post took the quote back."),
        "may_be_quoted": Field(FLAG, "Whether others can quote it."),
        "mentions": Field(
            TEXT_BY_KEY, "The people it mentions: their ids, by the handle as it is written."
        ),
        "poll": Field(
            {"anyOf": [POLL, {"type": "null"}]}, "What it asks its readers, null for nothing."
        ),
        "version": Field(NUMBER, "How many texts it has had, 1 if it was never edited."),
        "edited_at": Field(MOMENT, "When it got this text, empty if it was never edited."),
        "earlier_versions": Field(many(VERSION), "What it said before, the oldest first."),
        "disappears_at": Field(MOMENT, "When it disappears by itself, empty if it stays."),
        "withheld": Field(
            one_of("", "held", "hidden", "secured"),
            "`held` while moderators look at it, `hidden` if they hid it, `secured` if they hid it "
            "when they secured your account. Only you see it then.",
        ),
        "sensitive": Field(FLAG, "Whether moderators marked it as sensitive."),
        "imported_from": Field(
            one_of("", "mastodon"), "Where you brought it from, empty if you wrote it here."
        ),
    },
)

REPOSTS = Kind(
    "reposts",
    _("Reposts"),
    {
        "post": Field(POST, "The post. Its author is empty if they are gone."),
        "reposted_at": Field(MOMENT, "When you reposted it, in UTC."),
    },
    ((_("Post"), "post"), (_("When"), "reposted_at")),
)


def post_lines(owner: Owner, raws: Sequence[RawItem]) -> Iterator[tuple[str, Record]]:
    """Yields the records of a page of `u#<id>#post`, where posts and reposts stand side by side."""
    handles = name_people(_people_of(raws))
    for raw in raws:
        if raw["type"]["S"] == Repost.__name__:
            yield REPOSTS.name, _repost(owner, raw, handles)
        else:
            yield POSTS.name, _post(owner, raw, handles)


def _people_of(raws: Sequence[RawItem]) -> set[str]:
    named = ("author_id", "root_author_id", "reply_to_author_id", "quote_of_author_id")
    return {
        raw[name]["S"] for raw in raws for name in (*named, "repost_of_author_id") if name in raw
    }


def _post(owner: Owner, raw: RawItem, handles: Handles) -> dict[str, Any]:
    post = row(Post, raw)
    version = int(post.version) or 1
    return {
        "id": post.post_id,
        "url": owner.post(post.post_id, owner.user_id, handles)["url"],
        "kind": "reply" if post.root_id else "quote" if post.quote_of else "post",
        "published_at": moment_of(post.post_id),
        "text": post.content,
        "warning": post.warning,
        "language": post.lang,
        "audience": post.audience or "everyone",
        "circle": owner.circles.get(str(post.circle), ""),
        "who_can_reply": post.replies or "everyone",
        "reply_to": owner.post_or_none(str(post.reply_to), str(post.reply_to_author_id), handles),
        "thread": owner.post_or_none(str(post.root_id), str(post.root_author_id), handles),
        "quotes": owner.post_or_none(str(post.quote_of), str(post.quote_of_author_id), handles),
        "quote_withdrawn": bool(post.quote_withdrawn),
        "may_be_quoted": not post.unquotable,
        "mentions": dict(mentioned_in(raw) or {}),
        "poll": _poll(post.poll) if post.poll else None,
        "version": version,
        "edited_at": post.edited_at,
        "earlier_versions": list_versions(post.post_id) if version > 1 else [],
        "disappears_at": post.ttl.isoformat() if post.ttl else "",
        "withheld": post.withheld,
        "sensitive": bool(post.sensitive),
        "imported_from": post.imported or "",
    }


def _poll(poll: Poll) -> Record:
    return {
        "answers": poll.texts,
        "several": bool(poll.several),
        "ends_at": poll.ends,
        "votes_can_change": bool(poll.change),
        "results_before_voting": bool(poll.early),
    }


def _repost(owner: Owner, raw: RawItem, handles: Handles) -> Record:
    repost = row(Repost, raw)
    return {
        "post": owner.post(repost.repost_of, repost.repost_of_author_id, handles),
        "reposted_at": moment_of(repost.post_id),
    }


@access_pattern
def list_versions(post_id: str) -> list[Record]:
    """Returns what a post said before its edits, the oldest first. Query `p#<post>#history`, 0.5 read units per 4
    KB."""
    versions = (row(PostVersion, raw) for raw in query(keys.history(post_id)))
    return [
        {
            "version": int(one.version),
            "text": one.content,
            "warning": one.warning,
            "language": one.lang,
            "written_at": one.written_at,
        }
        for one in versions
    ]


def moment_of(ulid: str) -> str:
    """Returns the moment that an id holds."""
    return ids.time_of(ulid).isoformat(timespec="seconds")


FOLDER = "media/photos"
LARGEST = "1600.webp"

PHOTOS = Kind(
    "photos",
    _("Photos"),
    {
        "id": Field(TEXT, "The photo’s id."),
        "file": Field(FILE, "The path of the photo in this export."),
        "description": Field(TEXT, "What you wrote for people who can’t see it."),
        "width": Field(NUMBER, "In pixels."),
        "height": Field(NUMBER, "In pixels."),
        "uploaded_at": Field(MOMENT, "When you uploaded it, in UTC."),
        "post_id": Field(TEXT, "The id of your post that shows it, empty if none does."),
        "message_id": Field(
            TEXT, "The id of your private message that shows it, empty if none does."
        ),
    },
    ((_("Photo"), "file"), (_("Description"), "description"), (_("When"), "uploaded_at")),
)


def photo_lines(owner: Owner, raws: Sequence[RawItem]) -> Iterator[tuple[str, Record]]:
    for raw in raws:
        photo = row(Photo, raw)
        if photo.state == READY:
            yield (
                PHOTOS.name,
                {
                    "id": photo.photo_id,
                    "file": path_of(photo.photo_id),
                    "description": photo.alt,
                    "width": int(photo.width),
                    "height": int(photo.height),
                    "uploaded_at": moment_of(photo.photo_id),
                    "post_id": photo.post_id,
                    "message_id": photo.message_id,
                },
            )


def path_of(photo_id: str) -> str:
    return f"{FOLDER}/{photo_id}.webp"


def photo_files(raws: Iterable[RawItem]) -> Iterator[tuple[str, bytes]]:
    """Yields the path and the largest file of each photo. One that was deleted meanwhile is left out."""
    for raw in raws:
        photo = row(Photo, raw)
        if photo.state == READY:
            try:
                yield path_of(photo.photo_id), read_file(PRIVATE, photo.secret, LARGEST)
            except NotFound:
                continue


COMPOSED = {
    "text": Field(TEXT, "Its text, as it was typed."),
    "warning": Field(TEXT, "The content warning before it, empty if there is none."),
    "language": Field(TEXT, "The language it is in, empty if you did not say."),
    "audience": Field(
        one_of("everyone", "followers", "friends", "circle", "me"), "Who will see it."
    ),
    "circle": Field(TEXT, "The name of the circle, if it is for one."),
    "who_can_reply": Field(
        one_of("everyone", "followers", "friends", "mentioned", "nobody"), "Who will answer."
    ),
    "disappears_after": Field(TEXT, "How long it will stay, empty for good."),
    "further_posts": Field(TEXTS, "What the further posts of its story say."),
    "photos": Field(TEXTS, "The ids of its photos, with those of its further posts."),
    "poll": Field(TEXTS, "The answers of its poll, none for most."),
}
SEEN: Columns = ((_("Text"), "text"), (_("Content warning"), "warning"))

DRAFTS = Kind(
    "drafts",
    _("Drafts"),
    {
        "id": Field(TEXT, "The id of the draft. Ids sort by time."),
        "saved_at": Field(MOMENT, "When it was last saved, in UTC."),
        "planned_for": Field(MOMENT, "When it should have been published, empty for most."),
        "reason": Field(TEXT, "Why it was not published then, in one word."),
        "chosen_time": Field(TEXT, "The time that you chose, without scheduling it, if any."),
        "time_zone": Field(TEXT, "The time zone of that."),
        **COMPOSED,
    },
    (*SEEN, (_("When"), "saved_at")),
)
SCHEDULED = Kind(
    "scheduled-posts",
    _("Scheduled posts"),
    {
        "id": Field(TEXT, "The id of the scheduled post. Ids sort by time."),
        "publish_at": Field(MOMENT, "When it will be published, in UTC."),
        "time_zone": Field(TEXT, "The time zone in which you chose that moment."),
        **COMPOSED,
    },
    (*SEEN, (_("When"), "publish_at")),
)

Lines = Iterator[tuple[str, Record]]


def draft_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        draft = row(Draft, raw)
        composed = unseal(draft.composition, user_id=owner.user_id, place=key_of(raw))
        yield (
            DRAFTS.name,
            {
                "id": draft.draft_id,
                "saved_at": draft.saved_at,
                "planned_for": draft.planned_for,
                "reason": draft.reason,
                "chosen_time": composed.planned_time,
                "time_zone": composed.planned_zone,
                **_composed(owner, composed),
            },
        )


def scheduled_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        scheduled = row(Scheduled, raw)
        composed = unseal(scheduled.composition, user_id=owner.user_id, place=key_of(raw))
        yield (
            SCHEDULED.name,
            {
                "id": scheduled.scheduled_id,
                "publish_at": scheduled.publish_at,
                "time_zone": scheduled.zone,
                **_composed(owner, composed),
            },
        )


def _composed(owner: Owner, composed: Composition) -> Record:
    return {
        "text": composed.content,
        "warning": composed.warning,
        "language": composed.lang,
        "audience": composed.audience or "everyone",
        "circle": owner.circles.get(composed.circle, ""),
        "who_can_reply": composed.replies or "everyone",
        "disappears_after": composed.expires_in,
        "further_posts": [part.content for part in composed.parts],
        "photos": list(composed.all_photos),
        "poll": list(composed.poll.options) if composed.poll else [],
    }
