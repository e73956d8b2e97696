"""Publishing a post: at once into the author's partition and timeline, and through the stream to followers. The further
posts of a story are written with its first one, in the same transaction, as the author's replies to themselves.
Deleting one: it is gone for every reader at once, because timelines only point at it, and the stream worker clears what
belongs to it.

The planned end of a post that does not stay brings the clock (`end_post` in `stream.py`). `post#` counts lasting posts
alone. The end of each other post stands in `UserCount`, and readers count those that are still to come. So a count is
right to the second, and nobody writes it when a post ends.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import chain

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from accounts.models import UserCount
from accounts.people.cards import counted_end, still_ahead
from accounts.people.reads import find_mentioned
from accounts.people.viewer import Viewer
from feed.likes.reads import SHARDS
from feed.polls.models import PollWish
from feed.polls.writes import close_later
from feed.posts.content_checks import (
    NOTHING_AGAINST_IT,
    Refused,
    Verdict,
    judge_post,
    judge_words,
    must_fit,
)
from feed.posts.models import (
    Answer,
    Audience,
    LikeCount,
    Post,
    Quoted,
    Replies,
    Reply,
    Story,
    ThreadGate,
)
from feed.posts.reads import entry_of, pointer_of_post
from feed.posts.writes import ENDS, PostCount, count_posts, empty_copy, end_of, has_audience, set_of
from feed.publishing.levels import level_hits, told_of_level
from feed.publishing.models import Quote, Submission
from feed.publishing.photos import CannotAttach, give_photos, read_photos, told_which
from photos.models import Photo
from socialsite.due.work import plan
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Delete,
    Key,
    Moved,
    NotFound,
    Put,
    WriteAction,
    access_pattern,
    get,
    ids,
    keys,
    reading,
    transact,
    write_optimistically,
)

END_POST = "end-post"  # the kind of the due item


def end_later(post: Post) -> Create:
    """Returns the action that plans the deletion of a post at its end. 2 write units."""
    return plan(END_POST, moment=post.ttl, subject=post.post_id, author_id=post.author_id)


def key_of_ending(post: Post) -> Key:
    """Returns the key of the planned end."""
    return keys.due(post.ttl, END_POST, post.post_id)


MOST_ENDING = 50  # posts of a person at once, so that their counts stay a small item


class TooManyEnding(Refused):
    """The author has as many posts that end by themselves as they can have at once."""

    field = "expires_in"


class StoryStays(Refused):
    """A story does not end by itself: its further posts are replies, which stay."""

    field = "expires_in"

    def __init__(self) -> None:
        super().__init__(_("Only a single post can disappear by itself. A story stays."))


def count_ending(post: Post) -> Change:
    """Returns the change of its author's `UserCount` for a new post that ends by itself, on condition that the ends are
    as they were read (`Moved`). Those that are past leave with it. Raises `TooManyEnding`.

    One consistent GetItem, 1 read unit.
    """
    key = keys.user_count(post.author_id)
    count = get(UserCount, key, consistent=True)
    ends = {name: still_ahead(getattr(count, name)) for name in ENDS}
    if sum(map(len, ends.values())) >= MOST_ENDING:
        raise TooManyEnding(_why_too_many())
    ends[set_of(post.audience or "", post.withheld or "")].add(counted_end(post.ttl, post.post_id))
    return Change(UserCount, key, set_ends(count, ends), are_ends(count), otherwise=Moved)


def set_ends(count: UserCount, ends: Mapping[str, set[str]]) -> list[Action]:
    """Returns the change of the ends as they were read to these."""
    return [
        getattr(UserCount, name).set(now) if now else getattr(UserCount, name).remove()
        for name, now in ends.items()
        if now != set(getattr(count, name) or ())
    ]


def are_ends(count: UserCount) -> Condition:
    """The condition that the ends are as they were read."""
    one, two, three = (
        getattr(UserCount, name) == set(ends)
        if (ends := getattr(count, name))
        else getattr(UserCount, name).does_not_exist()
        for name in ENDS
    )
    return one & two & three


def _why_too_many() -> str:
    return ngettext(
        "You already have %(n)d post that disappears by itself. "
        "Delete it, wait until it is gone, or let this one stay.",
        "You already have %(n)d posts that disappear by themselves. "
        "Delete one of them, wait until one is gone, or let this one stay.",
        MOST_ENDING,
    ) % {"n": MOST_ENDING}


MOST_POSTS = 10  # of a story: each further one is 3 actions of 100, 7 with four photos


@dataclass(frozen=True, slots=True)
class Part:
    """A further post of a story."""

    content: str
    warning: str = ""
    photos: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """Returns all that it says, such that the same form with another text is another story."""
        photos = "".join(f"\n{one}" for one in self.photos)
        return f"\n\n{self.warning}\n{self.content}{photos}"  # a warning has one line


class PartRefused(Refused):
    """A further post is refused, and so is the whole story. `number` says which one: the first post is number 1."""

    def __init__(self, number: int, refusal: Refused) -> None:
        super().__init__(refusal.sentence)
        self.number = number


def judge_story(
    *,
    by: Viewer,
    first: Verdict,
    parts: Sequence[Part],
    audience: str,
    descriptions: Mapping[str, str],
) -> list[Verdict]:
    """Returns the verdicts on all posts of a story, that on the `first` included. If one is held, all are, as nobody
    can follow a story with a gap. `descriptions` are those of the photos, by their ids. Raises `PartRefused`."""
    if audience == Audience.ONLY_ME:
        return [NOTHING_AGAINST_IT] * (1 + len(parts))
    verdicts = [first, *_judge_parts(by, parts, descriptions)]
    held = next((one.withheld for one in verdicts if one.withheld), "")
    return [replace(one, withheld=held) for one in verdicts]


def _judge_parts(
    by: Viewer, parts: Sequence[Part], descriptions: Mapping[str, str]
) -> Iterator[Verdict]:
    for number, part in enumerate(parts, 2):
        said = (descriptions.get(one, "") for one in part.photos)
        try:
            yield judge_words(by, part.content, part.warning, *said)
        except Refused as refusal:
            raise PartRefused(number, refusal) from refusal


def posts_of_story(
    *, by: Viewer, root: Post, parts: Sequence[Part], verdicts: Sequence[Verdict]
) -> list[Post]:
    """Returns the further posts, each an answer to the one before it. Their ids are made here, after that of the root
    and in order, which is that of the story. Raises `PartRefused` for one that is too large."""
    posts = [root]
    for number, (part, verdict) in enumerate(zip(parts, verdicts, strict=True), 2):
        post_id = ids.new_id()
        above, path = posts[-1], keys.path_of_part(post_id)
        post = Post.new(
            post_id=post_id,
            author_id=root.author_id,
            content=part.content,
            mentions=find_mentioned(part.content),
            like_shards=SHARDS if by.is_widely_followed else None,
            audience=root.audience or "",
            circle=root.circle or "",
            withheld=verdict.withheld,
            flagged=verdict.flagged,
            warning=part.warning,
            lang=root.lang or "",
            story=Story.PART,
            answer=Answer(root.post_id, root.author_id, above.post_id, above.author_id, path),
        )
        must_fit_as_part(number, post)
        posts.append(post)
    return posts[1:]


def must_fit_as_part(number: int, post: Post) -> None:
    """Raises `PartRefused` if a further post is too large."""
    try:
        must_fit(post)
    except Refused as refusal:
        raise PartRefused(number, refusal) from refusal


SUBMISSION_DAYS = 1  # how long a form that is sent twice finds its first post


class AlreadySubmitted(AlreadyExists):
    """This form was sent before."""


class SubmittedAndDeleted(AlreadyExists):
    """This form was sent before, and its post deleted since."""


@access_pattern
def publish_post(
    *,
    by: Viewer,
    content: str,
    nonce: str,
    audience: str = Audience.EVERYONE,
    circle: str = "",
    replies: str = Replies.EVERYONE,
    warning: str = "",
    lang: str = "",
    poll: PollWish | None = None,
    expires_in: str = "",
    photos: Sequence[str] = (),
    verdict: Verdict | None = None,
    parts: Sequence[Part] = (),
    quoted: Quoted | None = None,
    also: Sequence[WriteAction] = (),
) -> str:
    """Publishes a post, or a story with its further posts (`parts`), and returns the id of the first. Sending the same
    form (`nonce`) again, with the same texts for the same readers, returns the first id.

    `circle` is the id of one of the author's circles, if `audience` is a circle. `replies` says who may answer.
    `warning` is what readers see before they open it, `lang` the language of the text
    (`socialsite/web/preferences.py`). `poll` is what it asks them.

    `expires_in` is how long it stays (`feed/posts/writes.py`: `LASTS`), empty for good.

    `quoted` is the post that it quotes, which `quote` checks.

    `verdict` is the result of `judge_post`, if the caller already has it. The actions in `also` happen in the same
    transaction, and raise what they raise.

    `photos` are the ids of at most four own photos, which no other post shows. Each of the `parts` can have as many.

    Raises `SubmittedAndDeleted`, `Frozen`, `RefusedByRules`, `TooLarge`, `PartRefused`, `CannotAttach`,
    `TooManyEnding`, `StoryStays`.

    One BatchGetItem of the people whom the post mentions, if any. For photos a consistent one, and what `give_photos`
    writes, 2 write units each and 2 more. Then one TransactWriteItems puts Post, LikeCount (0), own TimelineEntry and
    Submission and adds to the post count, 10 write units; a held post is not counted, 8 write units. The end of a poll
    is planned with it, 2 more. Each further post of a story is written there too, with its place in the thread, for 6
    write units; whom it mentions is asked as of the first. A post that ends by itself takes one consistent GetItem of
    the counts more, and 4 write units for the gate of its thread and its planned end. In all 10 write units; 8 if it is
    held, 2 more with a poll, 6 more for each further post, 4 more and 1 read unit if it ends by itself; 3 more and 1
    read unit for each photo, and 2 for any. Later the stream worker fans the posts out (`fan_out_post`,
    `fan_out_to_friends`), lists public ones (`list_in_public`), and opens a case for a held or flagged one
    (`moderation/reports/stream.py`).
    """
    by.must_have_voice()
    if parts and expires_in:
        raise StoryStays
    ends = f"\n{expires_in}" if expires_in else ""  # no warning has a line break
    said = [warning, poll.words if poll else "", ends, *photos, *(part.said for part in parts)]
    where = ("quote", quoted.quote_of) if quoted else (audience, circle)
    once = once_for(nonce, content, *where, *filter(None, said))
    try:
        own = read_photos(by, [*photos, *(one for part in parts for one in part.photos)])
    except CannotAttach as refusal:  # gone, maybe with the post that the same form made
        return submitted_or_refused(by, once, refusal)
    described = {photo.photo_id: photo.alt or "" for photo in own}
    texts = [*(described[one] for one in photos), *(poll.options if poll else ())]
    verdict = verdict or judge_post(
        by=by, content=content, warning=warning, audience=audience, others=texts
    )
    verdict, *others = judge_story(
        by=by, first=verdict, parts=parts, audience=audience, descriptions=described
    )
    post_id = ids.new_id()
    post = Post.new(
        post_id=post_id,
        author_id=by.user_id,
        content=content,
        mentions=find_mentioned(content),
        like_shards=SHARDS if by.is_widely_followed else None,
        audience=audience,
        circle=circle,
        withheld=verdict.withheld,
        flagged=verdict.flagged,
        replies=replies,
        warning=warning,
        lang=lang,
        poll=poll.begun_at(ids.time_of(post_id)) if poll else None,
        ttl=end_of(post_id, expires_in),
        story=Story.FIRST if parts else "",
        quoted=quoted,
    )
    story = posts_of_story(by=by, root=post, parts=parts, verdicts=others)
    wanted = (photos, *(part.photos for part in parts))
    try:
        with told_which(list(described)):
            given = _give_photos(by, (post, *story), wanted, own)
            also = [*given, *close_later(post), *also]
            return write_post(by, post, once=once, verdict=verdict, also=also, story=story)
    except CannotAttach as refusal:  # taken since, maybe by the same form
        return submitted_or_refused(by, once, refusal)


def _give_photos(
    by: Viewer, posts: Sequence[Post], wanted: Sequence[Sequence[str]], own: Sequence[Photo]
) -> Iterator[WriteAction]:
    """Gives each post of a story its photos. Raises `PartRefused` where they leave a further post too large."""
    there = {photo.photo_id: photo for photo in own}
    for number, (post, photo_ids) in enumerate(zip(posts, wanted, strict=True), 1):
        yield from give_photos(by, post, [there[one] for one in photo_ids])
        if number > 1:
            must_fit_as_part(number, post)


def write_post(
    by: Viewer,
    post: Post,
    *,
    once: str,
    verdict: Verdict,
    also: Sequence[WriteAction] = (),
    story: Sequence[Post] = (),
) -> str:
    """Writes a new post with all that belongs to it and the further posts of its story, in one transaction with the
    actions in `also`. Returns its id, or the id of the post that the same form (`once`) made before. Raises `TooLarge`,
    `LevelReached`, `SubmittedAndDeleted`, and what `also` raises. If the author's level limits its links or photos, 2
    write units more for each of the two that it has."""
    must_fit(post)
    created = ids.time_of(post.post_id)
    end = created + timedelta(days=SUBMISSION_DAYS)
    submission = Submission.new(user_id=by.user_id, nonce=once, post_id=post.post_id, ttl=end)

    hits = level_hits(by, (post, *story))

    def attempt() -> None:
        transact(
            Create(submission, otherwise=AlreadySubmitted, over_expired=True),
            *_items(post),
            *chain.from_iterable(_items(part) for part in story),
            *(Create(Reply.new(part)) for part in story),
            *_consequences(by, verdict, post, 1 + len(story)),
            *also,
            *hits,
        )

    try:
        with told_of_level(by):
            write_optimistically(attempt)
    except AlreadySubmitted:
        key = keys.submission(by.user_id, once)
        return _submitted_post(by, key)
    return post.post_id


def _items(post: Post) -> Iterator[WriteAction]:
    yield Create(post)
    yield Create(LikeCount.new(post_id=post.post_id, ttl=post.ttl))
    if post.story != Story.PART:
        yield Create(entry_of(pointer_of_post(post), post.author_id, ends=post.ttl))
    if post.quote_of:
        yield Create(Quote.new(post))


def _consequences(by: Viewer, verdict: Verdict, post: Post, posts: int) -> Iterator[WriteAction]:
    """Yields the counting of the posts, unless nobody else sees them yet. Of a post that ends by itself also its
    planned end and the gate that will stand in its place."""
    if post.ttl:
        yield count_ending(post)
        yield end_later(post)
        yield Create(ThreadGate.new(post, beside=True))
    elif not verdict.withheld:
        yield from count_posts(by.user_id, {post.audience or Audience.EVERYONE: posts})


def _submitted_post(by: Viewer, key: Key) -> str:
    post_id = get(Submission, key, consistent=True).post_id
    try:
        get(Post, keys.post(by.user_id, post_id), consistent=True)
    except NotFound as error:
        raise SubmittedAndDeleted(post_id) from error
    return post_id


def submitted_or_refused(by: Viewer, once: str, refusal: CannotAttach) -> str:
    """Returns the id of the post that the same form made before, or raises the refusal."""
    try:
        return _submitted_post(by, keys.submission(by.user_id, once))
    except NotFound:
        raise refusal from None


def once_for(nonce: str, content: str, *where: str) -> str:
    """Returns the key of a submission: the form with this text in this place (its audience and circle, or the post that
    it answers). An old form with another text, or for another place, is another post."""
    submitted = "\0".join((nonce, *where, content))
    return hashlib.sha256(submitted.encode()).hexdigest()[:32]


@access_pattern
def delete_post(*, by: Viewer, post_id: str) -> None:
    """Deletes one of the signed-in person's own posts; safe to repeat.

    One consistent GetItem, then one TransactWriteItems: deletes Post and LikeCount, subtracts from the post count, and
    keeps the audience of the thread in a gate, 8 write units. A reply's place in its thread loses the text instead, 8
    write units. In all 8 write units and 1 read unit. A withheld post was not counted, 2 less. The keys use the
    signed-in person's id, so nobody can delete someone else's post.
    """
    key = keys.post(by.user_id, post_id)

    def attempt() -> None:
        post = reading.get(Post, key, consistent=True)
        count = PostCount(by.user_id)
        count.take(post)
        transact(*deletion_of(post), *count.writes())

    with suppress(NotFound):  # it is deleted already
        write_optimistically(attempt)


def deletion_of(post: Post) -> list[WriteAction]:
    """Returns what deletes a post, at most 3 actions, on condition that it counts as when it was read. The post count
    (`PostCount`) changes in the same transaction."""
    withheld = Post.withheld
    as_read = withheld == post.withheld if post.withheld else withheld.does_not_exist()
    return [
        Delete(keys.post(post.author_id, post.post_id), as_read & has_audience(post), Moved),
        Delete(keys.like_count(post.post_id), otherwise=Moved),
        *_thread(post),
    ]


def _thread(post: Post) -> list[WriteAction]:
    """Returns what stays for the answers: the gate of a thread, or the emptied place of a reply."""
    if post.root_id:
        return empty_copy(post)
    return [Put(ThreadGate.new(post))]
