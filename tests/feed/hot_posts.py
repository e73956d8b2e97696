"""Over how many shards a post's likes are spread, looked up and set by hand."""

from accounts.people.viewer import Viewer
from feed.posts.models import Post
from socialsite.table import change, get, keys


def shards_of(post_id: str, author: Viewer) -> int:
    return int(get(Post, keys.post(author.user_id, post_id), consistent=True).like_shards or 0)


def raise_to(shards: int | None, post_id: str, author: Viewer) -> None:
    raised = Post.like_shards.set(shards) if shards else Post.like_shards.remove()
    change(Post, keys.post(author.user_id, post_id), [raised])
