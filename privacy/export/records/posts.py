"""Posts, replies and quotes with what they said before, and reposts."""

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from accounts.mentions import mentioned_in
from feed.models import Poll, Post, PostVersion, Repost
from privacy.export.fields import (
    FLAG,
    MOMENT,
    NUMBER,
    POST,
    POST_OR_NONE,
    TEXT,
    TEXT_BY_KEY,
    TEXTS,
    Field,
    Record,
    many,
    one_of,
    structure,
)
from privacy.export.kinds import Kind
from privacy.export.owner import Handles, Owner, name_people
from socialsite.table import ids, keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, query
from socialsite.table.row import row

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
            one_of("", "held", "hidden"),
            "`held` while moderators look at it, `hidden` if they hid it. Only you see it then.",
        ),
        "sensitive": Field(FLAG, "Whether moderators marked it as sensitive."),
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
