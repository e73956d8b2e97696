"""What the person did with others' posts, found by the traces."""

from feed.models import LikeTrace, Post
from feed.services.like_post import unlike_post
from privacy.erasure.leaver import Handled, Leaver, first_of
from relations.models import FollowedTag
from relations.services.follow_tag import unfollow_tag
from socialsite.table import keys
from socialsite.table.reading import fetch, key_of
from socialsite.table.row import row
from socialsite.table.writing import write_batch

AT_ONCE = 50


def erase_likes(leaver: Leaver) -> Handled:
    """Takes the next likes and votes back. The worker counts them off. One Query and one BatchGetItem of the posts, for
    the places of their likes; 4 write units each as `unlike_post`, 1 for a vote, and 1 for the trace."""
    found = first_of(keys.traces(leaver.user_id), AT_ONCE, between=keys.like_trace_bounds())
    traces = [row(LikeTrace, raw) for raw in found]
    posts = fetch(keys.post(trace.author_id, trace.post_id) for trace in traces)
    for trace in traces:
        post = row(Post, posts.get(keys.post(trace.author_id, trace.post_id), {}))
        unlike_post(by=leaver.viewer, post_id=trace.post_id, shards=int(post.like_shards))
    # Votes before the traces that lead to them.
    write_batch(deletes=[keys.vote(one.post_id, one.user_id) for one in traces if one.choices])
    write_batch(deletes=map(key_of, found))
    return Handled(likes=len(found))


def erase_followed_tags(leaver: Leaver) -> Handled:
    """Unfollows the next tags. One Query; 4 write units each as `unfollow_tag`, and 1."""
    found = first_of(keys.followed_tags(leaver.user_id), AT_ONCE)
    for raw in found:
        unfollow_tag(by=leaver.viewer, tag=row(FollowedTag, raw).tag)
    write_batch(deletes=map(key_of, found))
    return Handled(tags=len(found))
