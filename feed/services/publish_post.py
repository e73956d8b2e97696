"""Publishing a post: at once into the author's partition and timeline, and through the stream to followers."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import chain

from accounts.mentions import find_mentioned
from accounts.viewer import Viewer
from feed.expiring.counting import StoryStays, count_ending
from feed.expiring.ending import end_later
from feed.expiring.moments import end_of
from feed.like_shards import SHARDS
from feed.models import (
    Audience,
    LikeCount,
    Post,
    Quote,
    Quoted,
    Replies,
    Reply,
    Story,
    Submission,
    ThreadGate,
)
from feed.photos.attaching import CannotAttach, give_photos, read_photos, told_which
from feed.pointers import entry_of, pointer_of_post
from feed.polls.closing import close_later
from feed.polls.wish import PollWish
from feed.post_count import count_posts
from feed.services.story import Part, judge_story, must_fit_as_part, posts_of_story
from feed.verdicts import Verdict, judge_post, must_fit
from photos.models import Photo
from socialsite.table import ids, keys
from socialsite.table.actions import Create, WriteAction
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact

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
    `warning` is what readers see before they open it, `lang` the language of the text (`socialsite/web/languages.py`).
    `poll` is what it asks them.

    `expires_in` is how long it stays (`feed/expiring/moments.py`: `LASTS`), empty for good.

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
    the counts more, and 4 write units for the gate of its thread and its planned end. Later the stream worker fans the
    posts out (`fan_out_post`, `fan_out_to_friends`), lists public ones (`list_in_public`), and opens a case for a held
    or flagged one (`moderation/stream_handlers/open_case.py`).
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
    `SubmittedAndDeleted`, and what `also` raises."""
    must_fit(post)
    created = ids.time_of(post.post_id)
    end = created + timedelta(days=SUBMISSION_DAYS)
    submission = Submission.new(user_id=by.user_id, nonce=once, post_id=post.post_id, ttl=end)

    def attempt() -> None:
        transact(
            Create(submission, otherwise=AlreadySubmitted, over_expired=True),
            *_items(post),
            *chain.from_iterable(_items(part) for part in story),
            *(Create(Reply.new(part)) for part in story),
            *_consequences(by, verdict, post, 1 + len(story)),
            *also,
        )

    try:
        write_as_read(attempt)
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
