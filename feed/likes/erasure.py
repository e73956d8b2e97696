"""The likes and votes of a person go with their account."""

from accounts.erasing import Handled, Leaver, erases, first_of
from feed.likes.writes import unlike_post
from feed.posts.models import LikeTrace, Post
from socialsite.table import fetch, key_of, keys, row, write_batch

LIKES_AT_ONCE = 50


@erases("likes")
def erase_likes(leaver: Leaver) -> Handled:
    """Takes the next likes and votes back. The worker counts them off. One Query and one BatchGetItem of the posts, for
    the places of their likes; 4 write units each as `unlike_post`, 1 for a vote, and 1 for the trace."""
    found = first_of(keys.traces(leaver.user_id), LIKES_AT_ONCE, between=keys.like_trace_bounds())
    traces = [row(LikeTrace, raw) for raw in found]
    posts = fetch(keys.post(trace.author_id, trace.post_id) for trace in traces)
    for trace in traces:
        post = row(Post, posts.get(keys.post(trace.author_id, trace.post_id), {}))
        unlike_post(by=leaver.viewer, post_id=trace.post_id, shards=int(post.like_shards))
    # Votes before the traces that lead to them.
    write_batch(deletes=[keys.vote(one.post_id, one.user_id) for one in traces if one.choices])
    write_batch(deletes=map(key_of, found))
    return Handled(likes=len(found))
