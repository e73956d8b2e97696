"""What the person said: posts, replies and reposts. The stream worker clears what belongs to them, as for every
deleted post: likes with the likers' traces, reposts of them, lists of quotes, earlier texts, entries under tags."""

from feed.models import Post, Repost
from feed.services.delete_post import delete_post
from feed.services.repost import take_repost_back
from moderation.cases.cases import CaseId
from moderation.cases.services.end_for_erasure import let_case_end
from moderation.models import CaseKind
from privacy.erasure.leaver import Handled, Leaver, first_of
from socialsite.table import keys
from socialsite.table.actions import Erase
from socialsite.table.as_read import Moved
from socialsite.table.reading import RawItem, is_expired, key_of
from socialsite.table.row import row
from socialsite.table.writing import transact

AT_ONCE = 25


def erase_posts(leaver: Leaver) -> Handled:
    """Deletes the next posts, replies and reposts. One Query; 8 write units and 1 read unit for a post as
    `delete_post`, 6 and 1 for a repost as `take_repost_back`."""
    handled = Handled()
    for raw in first_of(keys.posts(leaver.user_id), AT_ONCE):
        if raw["type"]["S"] == Post.__name__:
            _erase_post(leaver, raw)
            handled["posts"] += 1
        else:
            take_repost_back(by=leaver.viewer, post_id=row(Repost, raw).repost_of)
            transact(Erase(key_of(raw)))  # one whose post is gone has no trace
            handled["reposts"] += 1
    return handled


def _erase_post(leaver: Leaver, raw: RawItem) -> None:
    post = row(Post, raw)
    try:
        delete_post(by=leaver.viewer, post_id=post.post_id)
        is_stuck = is_expired(raw)  # it ended by itself, and DynamoDB has yet to delete it
    except Moved:  # without its counts, or without its place in the thread
        is_stuck = True
    if is_stuck:
        transact(Erase(key_of(raw)), Erase(keys.like_count(post.post_id)))
    if post.withheld:
        let_case_end(CaseId(CaseKind.POST, post.post_id), until=leaver.evidence_until)
