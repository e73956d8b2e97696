"""Gives replies the audience of their thread, as they are counted and listed by.

Who can see a reply is asked of its root at each read. Its own `audience` decides what was worked out before: how its
author's posts are counted, and, for the parts of a story, into which timelines and under which tags they come.
"""

from collections.abc import Sequence
from functools import partial

from pynamodb.expressions.condition import Condition

from feed.models import Post
from feed.pointers import Pointer
from feed.post_count import PostCount, has_audience
from socialsite.table import keys
from socialsite.table.actions import Change, Check
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.keys import Key
from socialsite.table.reading import as_model, fetch
from socialsite.table.row import row
from socialsite.table.writing import transact

AT_ONCE = 20  # replies in one transaction, each with the count of its author


def bring_in_line(root: Pointer, replies: Sequence[Key]) -> None:
    """Gives these replies the audience that the root of their thread has now, or had when it was deleted, and counts
    them accordingly. Safe to repeat, and at the same time as any other change of these posts.

    For each 20 replies one consistent BatchGetItem, 1 read unit each, and if some differ one TransactWriteItems: 2
    write units a reply, 2 more for its author's count, 2 for the check of the root.
    """
    for start in range(0, len(replies), AT_ONCE):
        write_as_read(partial(_bring, root, replies[start : start + AT_ONCE]))


def _bring(root: Pointer, replies: Sequence[Key]) -> None:
    heads = [keys.post(root.author_id, root.post_id), keys.thread_gate(root.post_id)]
    found = fetch([*heads, *replies], consistent=True)
    head = next((key for key in heads if key in found), None)
    if head is None:  # the thread is gone, with all its replies
        return
    thread = row(Post, found[head])
    audience, circle = thread.audience, thread.circle
    posts = [as_model(Post, found[key]) for key in replies if key in found]
    differing = [
        one for one in posts if (one.audience or "", one.circle or "") != (audience, circle)
    ]
    if not differing:
        return
    actions = [
        Post.audience.set(audience) if audience else Post.audience.remove(),
        Post.circle.set(circle) if circle else Post.circle.remove(),
    ]
    counts = {post.author_id: PostCount(post.author_id) for post in differing}
    for post in differing:
        counts[post.author_id].take(post)
        counts[post.author_id].add(post, audience=audience, withheld=post.withheld or "")
    transact(
        Check(head, Post.pk.exists() & has_audience(thread), Moved),
        *(Change(Post, post.key, actions, _as_read(post), Moved) for post in differing),
        *(write for count in counts.values() for write in count.writes()),
    )


def _as_read(post: Post) -> Condition:
    withheld = Post.withheld
    still = withheld == post.withheld if post.withheld else withheld.does_not_exist()
    return still & has_audience(post)
