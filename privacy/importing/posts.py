"""What becomes of posts in an archive: each is written as it was, at the moment at which it was published, and marked.
It is judged as any other, and nobody is told of it (`goes_out`, feed/posts/reads.py)."""

from collections import Counter
from collections.abc import Sequence

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
from socialsite.clock import utc_now_iso
from socialsite.table import (
    IS_ABSENT,
    Check,
    Create,
    Moved,
    WriteAction,
    access_pattern,
    fetch,
    keys,
)
from socialsite.web.limits import Limit, hit, hits_so_far

MASTODON = "mastodon"  # in `Post.imported`
# Posts a day that a word filter has moderators look at: an archive of thousands would be all that their queue holds.
FOR_MODERATORS = Limit("brought-for-moderators", 50, 86_400)
AUDIENCES = {"": Audience.EVERYONE, "followers": Audience.FOLLOWERS}


@access_pattern
def bring_posts(by: Viewer, lines: Sequence[Line]) -> tuple[list[Line], list[WriteAction]]:
    """Returns what becomes of each line, and the actions that write its post, for one transaction. Where a post is
    there by then, they raise `Moved`.

    A consistent BatchGetItem of each post and of what a deleted one leaves, 2 read units each, and of the links of the
    day where the author's level limits them, and of the posts that moderators are to look at. A post takes 3 actions,
    6 write units.
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
    looked_at, room = 0, None
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
            if post and (post.withheld or post.flagged):
                if room is None:
                    room = FOR_MODERATORS.hits - hits_so_far(FOR_MODERATORS, by.user_id)
                if looked_at < room:
                    looked_at += 1
                else:
                    post, outcome = None, Outcome.FULL
            if post:
                linked += links
                posts.append(post)
            done.append(line.became(outcome, post_id=post.post_id if post else ""))
    counted = [*hit_links(by, linked, otherwise=Moved)]
    if looked_at:
        counted.append(hit(FOR_MODERATORS, by.user_id, otherwise=Moved, times=looked_at))
    return done, [*_written(by, posts), *counted]


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
