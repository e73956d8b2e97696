"""What is exported of a person and others: whom they follow, who follows them, what they are to each other with private
notes, their lists, what they like, save and follow besides people, the small choices about threads and quotes, and
what they were notified of."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime

from django.utils.translation import gettext_lazy as _

from feed.posts.models import LeftThread, LikeTrace
from feed.publishing.models import QuoteRefusal
from feed.saved.models import SavedPost
from notifications.models import Notification
from privacy.export.kinds import (
    FLAG,
    MOMENT,
    NUMBER,
    PERSON,
    POST,
    POST_OR_NONE,
    TEXT,
    TEXTS,
    Field,
    Kind,
    Owner,
    Record,
    many,
    name_people,
    one_of,
)
from privacy.export.post_records import moment_of
from relations.models import (
    Dismissal,
    FollowedTag,
    Follower,
    Following,
    PersonList,
    Relation,
    RelationType,
)
from relations.muted_words.reads import mutes_from_raw
from relations.muted_words.words import Where
from relations.relation import is_in_force, note_of
from site_votes.models import SiteBallot
from socialsite.table import RawItem, row
from socialsite.telling import Actors, kind_of, kinds

TYPES = {
    RelationType.FRIEND: "friend",
    RelationType.FAVOURITE: "favourite",
    RelationType.BLOCK: "block",
    RelationType.MUTE: "mute",
    RelationType.FOLLOW_REQUEST: "follow request",
    RelationType.FRIEND_REQUEST: "friend request",
}
# Of these the person sees that they are over. An ended block may be the trace of someone else's, an ended request
# their answer.
TOLD_WHEN_OVER = {RelationType.FRIEND, RelationType.FAVOURITE, RelationType.MUTE}

FOLLOWING = Kind(
    "following",
    _("Following"),
    {"person": Field(PERSON, "Someone you follow. Their handle is empty if they are gone.")},
    ((_("Person"), "person"),),
)
FOLLOWERS = Kind(
    "followers",
    _("Followers"),
    {"person": Field(PERSON, "Someone who follows you.")},
    ((_("Person"), "person"),),
)
RELATIONS = Kind(
    "relations",
    _("Friends, favourites, blocks and mutes"),
    {
        "type": Field(one_of(*TYPES.values()), "What they are to you, or what you asked for."),
        "person": Field(PERSON, "The other person."),
        "in_force": Field(FLAG, "False if it has ended."),
        "since": Field(MOMENT, "When it began, in UTC; the last time if it ended between."),
        "first_since": Field(MOMENT, "When it first began, in UTC, empty if it never ended."),
        "until": Field(MOMENT, "When a mute ends by itself, empty if it does not."),
        "circles": Field(TEXTS, "The names of the circles a friend is in."),
        "note": Field(TEXT, "Your private note. Only you can see it."),
        "notified_of_posts": Field(FLAG, "Whether you are notified of a favourite's posts."),
    },
    (
        (_("Kind"), "type"),
        (_("Person"), "person"),
        (_("Since"), "since"),
        (_("Circles"), "circles"),
        (_("Note"), "note"),
    ),
)
MUTED_WORDS = Kind(
    "muted-words",
    _("Muted words"),
    {
        "word": Field(TEXT, "A word, phrase or tag that you mute."),
        "where": Field(one_of(*Where), "Where you mute it."),
        "hides": Field(FLAG, "Whether posts with it are left out, otherwise folded."),
        "until": Field(MOMENT, "When that ends by itself, in UTC, empty if it does not."),
    },
    ((_("Word"), "word"), (_("Until"), "until")),
)

LISTS = Kind(
    "lists-of-people",
    _("Lists"),
    {
        "name": Field(TEXT, "What you call the list."),
        "people": Field(many(PERSON), "Who is in it. The handle is empty if they are gone."),
        "not_in_home": Field(FLAG, "Whether its people are kept out of your home timeline."),
        "starter_pack_title": Field(TEXT, "What it is called as a starter pack, empty if private."),
        "starter_pack_about": Field(TEXT, "What others read about the starter pack."),
        "withdrawn": Field(FLAG, "Whether moderators took the starter pack back."),
    },
    ((_("Name"), "name"), (_("People"), "people")),
)
HIDDEN_SUGGESTIONS = Kind(
    "hidden-suggestions",
    _("People not to suggest"),
    {
        "person": Field(PERSON, "Someone you do not want to be suggested."),
        "until": Field(MOMENT, "When they may be suggested again, in UTC."),
    },
    ((_("Person"), "person"), (_("Until"), "until")),
)

Lines = Iterator[tuple[str, Record]]


def following_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    return _person_lines(owner, FOLLOWING, raws, lambda raw: row(Following, raw).followed_id)


def follower_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    return _person_lines(owner, FOLLOWERS, raws, lambda raw: row(Follower, raw).follower_id)


def suggestion_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    handles = name_people(row(Dismissal, raw).other_id for raw in raws)
    for raw in raws:
        until = datetime.fromtimestamp(int(raw["ttl"]["N"]), UTC).isoformat()
        person = owner.person(row(Dismissal, raw).other_id, handles)
        yield HIDDEN_SUGGESTIONS.name, {"person": person, "until": until}


def muted_word_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        for one in mutes_from_raw(raw).words:
            until = datetime.fromtimestamp(one.until, UTC).isoformat() if one.until else ""
            yield (
                MUTED_WORDS.name,
                {"word": one.word, "where": one.where, "hides": not one.folds, "until": until},
            )


def list_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    """Yields the person's own lists. In whose lists they are is for those alone."""
    for raw in raws:
        found = row(PersonList, raw)
        handles = name_people(found.members)
        yield (
            LISTS.name,
            {
                "name": found.name,
                "people": [owner.person(one, handles) for one in found.members],
                "not_in_home": bool(found.is_away),
                "starter_pack_title": found.pack_title,
                "starter_pack_about": found.pack_about,
                "withdrawn": bool(found.withdrawn),
            },
        )


def relation_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    """Yields what the person has to do with others. That someone blocks them is the other's, and stays out, and so do
    place and gender, which are copies of what the other says. Notes are sealed, and only the clock can open them."""
    own = [raw for raw in raws if _may_be_told(raw)]
    handles = name_people(row(Relation, raw).other_id for raw in own)
    for raw in own:
        relation = row(Relation, raw)
        names = (owner.circles.get(one, one) for one in relation.tags or ())
        yield (
            RELATIONS.name,
            {
                "type": TYPES[RelationType(int(relation.relation_type))],
                "person": owner.person(relation.other_id, handles),
                "in_force": is_in_force(raw),
                "since": relation.created_at,
                "first_since": relation.first_at,
                "until": relation.until,
                "circles": sorted(names),
                "note": note_of(raw, owner_id=owner.user_id),
                "notified_of_posts": bool(relation.subscribed),
            },
        )


def _may_be_told(raw: RawItem) -> bool:
    return is_in_force(raw) or int(row(Relation, raw).relation_type) in TOLD_WHEN_OVER


def _person_lines(
    owner: Owner, kind: Kind, raws: Sequence[RawItem], id_of: Callable[[RawItem], str]
) -> Lines:
    handles = name_people(map(id_of, raws))
    for raw in raws:
        yield kind.name, {"person": owner.person(id_of(raw), handles)}


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


WORDS = sorted(kind.name for kind in kinds())

SITE_VOTES = Kind(
    "site-votes",
    _("Votes of the site"),
    {
        "vote": Field(TEXT, "The address of a vote of the whole site in which you voted."),
        "at": Field(MOMENT, "When you voted, in UTC. What you chose is nowhere noted."),
    },
    ((_("Vote"), "vote"), (_("Time"), "at")),
)


def ballot_lines(owner: Owner, raws: Sequence[RawItem]) -> Lines:
    for raw in raws:
        ballot = row(SiteBallot, raw)
        yield SITE_VOTES.name, {"vote": f"{owner.site}/votes/{ballot.vote_id}", "at": ballot.at}


NOTIFICATIONS = Kind(
    "notifications",
    _("Notifications"),
    {
        "kind": Field(one_of(*WORDS), "What it was about."),
        "began_at": Field(MOMENT, "When the first of its people did it, in UTC."),
        "people": Field(NUMBER, "How many people did it, or how many posts there were."),
        "some_of_them": Field(many(PERSON), "At most eight of these people."),
        "post": Field(POST_OR_NONE, "The post it was about, null for none."),
    },
    (
        (_("When"), "began_at"),
        (_("Kind"), "kind"),
        (_("Person"), "some_of_them"),
        (_("Post"), "post"),
    ),
)


def notification_lines(owner: Owner, raws: Sequence[RawItem]) -> Iterator[tuple[str, Record]]:
    """Yields what the person was told in the last 90 days, the oldest first."""
    rows = [row(Notification, raw) for raw in raws]
    handles = name_people(
        user_id for one in rows for user_id in (*_people_of(one), str(one.author_id))
    )
    for one in rows:
        yield (
            NOTIFICATIONS.name,
            {
                "kind": kind_of(one.kind).name,
                "began_at": moment_of(one.place),
                "people": int(one.people),
                "some_of_them": [owner.person(user_id, handles) for user_id in _people_of(one)],
                "post": owner.post_or_none(str(one.post_id), str(one.author_id), handles),
            },
        )


def _people_of(one: Notification) -> Sequence[str]:
    return tuple(one.actors) if kind_of(one.kind).actors == Actors.PEOPLE else ()
