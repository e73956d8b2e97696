"""What a person likes, saves and follows besides people, and the small choices about threads and quotes."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from feed.models import LeftThread, LikeTrace, QuoteRefusal, SavedPost
from privacy.export.fields import MOMENT, NUMBER, PERSON, POST, TEXT, Field, Record, many
from privacy.export.kinds import Kind
from privacy.export.owner import Owner, name_people
from relations.models import FollowedTag
from socialsite.table.reading import RawItem
from socialsite.table.row import row

LIKES = Kind(
    "likes",
    _("Likes"),
    {"post": Field(POST, "A post you like. Its author is empty if they are gone.")},
    ((_("Post"), "post"),),
)
VOTES = Kind(
    "votes",
    _("Votes in polls"),
    {
        "post": Field(POST, "The post with the poll. Its author is empty if they are gone."),
        "answers": Field(many(NUMBER), "The places of the answers you chose, the first is 1."),
    },
    ((_("Post"), "post"), (_("Answers"), "answers")),
)
SAVED = Kind(
    "saved-posts",
    _("Saved posts"),
    {
        "post": Field(POST, "A post you saved. Its author is empty if they are gone."),
        "saved_at": Field(MOMENT, "When you saved it, in UTC."),
        "folder": Field(TEXT, "The name of its folder, empty if it is in none."),
        "note": Field(TEXT, "Your private note."),
    },
    ((_("Post"), "post"), (_("When"), "saved_at"), (_("Folder"), "folder"), (_("Note"), "note")),
)
TAGS = Kind(
    "followed-tags",
    _("Followed tags"),
    {"tag": Field(TEXT, "A tag you follow, as the site spells it, without its sign.")},
    ((_("Tag"), "tag"),),
)
LEFT_THREADS = Kind(
    "left-threads",
    _("Conversations you left"),
    {"post_id": Field(TEXT, "The id of the post at the head of a conversation you left.")},
    ((_("Post"), "post_id"),),
)
QUOTE_REFUSALS = Kind(
    "quote-refusals",
    _("Quotes you took back"),
    {
        "post_id": Field(TEXT, "The id of a post of yours."),
        "person": Field(PERSON, "Someone who may not quote it again."),
    },
    ((_("Post"), "post_id"), (_("Person"), "person")),
)

Lines = Iterator[tuple[str, Record]]


def trace_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    """Yields what the traces of a person say. That of a repost alone says nothing that the repost does not."""
    named = ("author_id", "other_id")
    handles = name_people(raw[name]["S"] for raw in raws for name in named if name in raw)
    for raw in raws:
        match raw["type"]["S"]:
            case LikeTrace.__name__:
                trace = row(LikeTrace, raw)
                post = owner.post(trace.post_id, trace.author_id, handles)
                if not trace.not_liked:
                    yield LIKES.name, {"post": post}
                if trace.choices:
                    answers = [int(place) + 1 for place in trace.choices]
                    yield VOTES.name, {"post": post, "answers": answers}
            case LeftThread.__name__:
                yield LEFT_THREADS.name, {"post_id": row(LeftThread, raw).root_id}
            case QuoteRefusal.__name__:
                refusal = row(QuoteRefusal, raw)
                person = owner.person(refusal.other_id, handles)
                yield QUOTE_REFUSALS.name, {"post_id": refusal.post_id, "person": person}


def saved_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    handles = name_people(row(SavedPost, raw).author_id for raw in raws)
    for raw in raws:
        saved = row(SavedPost, raw)
        yield (
            SAVED.name,
            {
                "post": owner.post(saved.post_id, saved.author_id, handles),
                "saved_at": saved.saved_at,
                "folder": owner.folders.get(str(saved.folder), ""),
                "note": saved.note,
            },
        )


def tag_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        yield TAGS.name, {"tag": row(FollowedTag, raw).tag}
