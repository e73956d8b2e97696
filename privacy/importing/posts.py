"""What becomes of posts in an archive: each is written as it was, at the moment at which it was published, and marked.
It is judged as any other, and nobody is told of it (`goes_out`, feed/posts/reads.py)."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

from accounts.people.viewer import Viewer
from feed.likes.reads import SHARDS
from feed.posts.content_checks import (
    Refused,
    RefusedByRules,
    Verdict,
    is_newcomer,
    judge_words,
    must_fit,
)
from feed.posts.models import Audience, LikeCount, Post
from feed.posts.writes import count_posts
from feed.publishing.forms import WordsForm
from feed.publishing.levels import hit_links, links_in, links_left
from privacy.importing.lines import Line
from privacy.importing.outcomes import Outcome
from socialsite.clock import utc_now, utc_now_iso
from socialsite.table import (
    IS_ABSENT,
    Check,
    Create,
    Moved,
    Upsert,
    WriteAction,
    access_pattern,
    fetch,
    ids,
    keys,
)
from socialsite.web.limits import Limit, hit, hits_so_far

MASTODON = "mastodon"  # in `Post.imported`
# Posts a day that a word filter has moderators look at: an archive of thousands would be all that their queue holds.
FOR_MODERATORS = Limit("brought-for-moderators", 50, 86_400)
# And of those that are younger than a week: they would stand before all others in searches and under tags.
YOUNG = Limit("brought-young", 200, 86_400)
WEEK = timedelta(days=7)
AUDIENCES = {"": Audience.EVERYONE, "followers": Audience.FOLLOWERS}


@access_pattern
def bring_posts(by: Viewer, lines: Sequence[Line]) -> tuple[list[Line], list[WriteAction]]:
    """Returns what becomes of each line, and the actions that write its post, for one transaction. Where a post is
    there by then, they raise `Moved`.

    A consistent BatchGetItem of each post and of what a deleted one leaves, 2 read units each, and of the links of the
    day where the author's level limits them, of young posts, and of those that moderators are to look at. A post takes
    3 actions, 6 write units, and such a one shares 2 more for each limit.
    """
    wanted = [line for line in lines if line.task]
    there = fetch(
        [
            key
            for line in wanted
            for key in (_post_key(by, line), keys.thread_gate(line.task["post_id"]))
        ],
        consistent=True,
    )
    if wanted and is_newcomer(by):
        return [one.became(Outcome.FIRST_POSTS) if one.task else one for one in lines], []
    done, posts = list[Line](), list[Post]()
    left, linked = links_left(by), 0
    young, looked_at = _Room(YOUNG, by), _Room(FOR_MODERATORS, by)
    for line in lines:
        if not line.task:
            done.append(line)
        elif _post_key(by, line) in there:
            done.append(line.became(Outcome.ALREADY, post_id=line.task["post_id"]))
        elif keys.thread_gate(line.task["post_id"]) in there:
            done.append(line.became(Outcome.DELETED))
        else:
            post, outcome = _post(by, line)
            links = links_in(post.content) if post else 0
            if post and left is not None and linked + links > left:
                post, outcome = None, Outcome.LINKS
            if post and not _Room.of_all_for(
                *([young] if ids.time_of(post.post_id) > utc_now() - WEEK else []),
                *([looked_at] if post.withheld or post.flagged else []),
            ):
                post, outcome = None, Outcome.FULL
            if post:
                linked += links
                posts.append(post)
            done.append(line.became(outcome, post_id=post.post_id if post else ""))
    counted = [*hit_links(by, linked, otherwise=Moved), *young.hits(), *looked_at.hits()]
    return done, [*_written(by, posts), *counted]


class _Room:
    """How many more posts a limit leaves today, asked when the first of its kind comes."""

    def __init__(self, limit: Limit, by: Viewer) -> None:
        self.limit, self.by, self.taken = limit, by, 0
        self._left: int | None = None

    @staticmethod
    def of_all_for(*rooms: "_Room") -> bool:
        """Takes a place in each, and returns whether there was one; else in none."""
        has_room = all(one._has_room() for one in rooms)
        for one in rooms:
            one.taken += has_room
        return has_room

    def hits(self) -> list[Upsert]:
        """Returns what counts the places that were taken."""
        if not self.taken:
            return []
        return [hit(self.limit, self.by.user_id, otherwise=Moved, times=self.taken)]

    def _has_room(self) -> bool:
        if self._left is None:
            self._left = self.limit.hits - hits_so_far(self.limit, self.by.user_id)
        return self.taken < self._left


def _post_key(by: Viewer, line: Line) -> keys.Key:
    return keys.post(by.user_id, line.task["post_id"])


def _post(by: Viewer, line: Line) -> tuple[Post | None, Outcome]:
    """Returns the post of a line, None if it cannot be one here, and what becomes of the line."""
    task = line.task
    form = WordsForm(
        {"content": task["text"], "warning": task["warning"], "language": task["lang"]}
    )
    if not form.is_valid():
        is_long = form.has_error("content", "too_long") or form.has_error("content", "bytes")
        return None, Outcome.TOO_LONG if is_long else Outcome.NOT_READ
    words = form.cleaned_data
    try:
        verdict = judge_words(by, words["content"], words["warning"])
        post = _new(by, task["post_id"], words, AUDIENCES[task["audience"]], verdict)
        must_fit(post)
    except RefusedByRules:
        return None, Outcome.REFUSED
    except Refused:
        return None, Outcome.TOO_LONG
    return post, Outcome.HELD if verdict.withheld else Outcome.POSTED


def _new(
    by: Viewer, post_id: str, words: dict[str, str], audience: Audience, verdict: Verdict
) -> Post:
    post = Post.new(
        post_id=post_id,
        author_id=by.user_id,
        content=words["content"],
        mentions={},  # handles of another site mean nobody here
        like_shards=SHARDS if by.is_widely_followed else None,
        audience=audience,
        withheld=verdict.withheld,
        flagged=verdict.flagged,
        warning=words["warning"],
        lang=words["lang"],
        imported=MASTODON,
    )
    post.imported_at = utc_now_iso()
    return post


def _written(by: Viewer, posts: Sequence[Post]) -> list[WriteAction]:
    shown = [post for post in posts if not post.withheld]
    audiences = Counter(post.audience or "" for post in shown)
    return [
        *(Create(post, otherwise=Moved) for post in posts),
        *(Create(LikeCount.new(post_id=post.post_id), otherwise=Moved) for post in posts),
        *(Check(keys.thread_gate(one.post_id), IS_ABSENT, otherwise=Moved) for one in posts),
        *count_posts(by.user_id, audiences, imported=len(shown)),
    ]
