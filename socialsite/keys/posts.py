"""Keys of what people say: posts, threads, and what is kept for oneself (saved posts, drafts, scheduled posts)."""

import zlib
from datetime import UTC, date, datetime

from socialsite.keys.key import Key, bounds


def posts(user_id: str) -> str:
    return f"u#{user_id}#post"


def post(user_id: str, post_id: str) -> Key:
    return Key(posts(user_id), f"p#{post_id}")


def posts_until(post_id: str) -> tuple[str, str]:
    """Returns the bounds of the sort keys of a person's posts and reposts up to this one."""
    return "p#", f"p#{post_id}"


def media(user_id: str) -> str:
    """Returns the partition of the pointers to a person's posts with photos."""
    return f"u#{user_id}#media"


def media_entry(user_id: str, post_id: str) -> Key:
    return Key(media(user_id), f"p#{post_id}")


def old_posts_wish(user_id: str) -> Key:
    return Key(f"u#{user_id}#wish", "old-posts")


def history(post_id: str) -> str:
    """Returns the partition of the texts that a post had before its edits."""
    return f"p#{post_id}#history"


def post_version(post_id: str, version: int) -> Key:
    return Key(history(post_id), f"v#{version:04}")


def submission(user_id: str, nonce: str) -> Key:
    return Key(f"u#{user_id}#submission", f"n#{nonce}")


def timeline(user_id: str) -> str:
    return f"u#{user_id}#timeline"


def is_in_timeline(key: Key) -> bool:
    return key.pk.endswith("#timeline")


def recent_posts(user_id: str) -> Key:
    """Returns the key of the list of a widely followed author's newest posts."""
    return Key(f"u#{user_id}#recent", "list")


def pointer(post_id: str, author_id: str) -> str:
    """Returns the sort key of a pointer to a post, in lists of posts by several authors."""
    return f"p#{post_id}#u#{author_id}"


def post_of_pointer(pointer: str) -> str:
    """Returns the sort key of the post behind a pointer: the pointer's first part."""
    return "#".join(pointer.split("#")[:2])


def timeline_entry(user_id: str, post_id: str, author_id: str) -> Key:
    return Key(timeline(user_id), pointer(post_id, author_id))


def public_day(day: date, shard: int) -> str:
    return f"public#{day.isoformat()}#{shard}"


def public_entry(day: date, shard: int, post_id: str, author_id: str) -> Key:
    return Key(public_day(day, shard), pointer(post_id, author_id))


def explored() -> str:
    """Returns the partition of what Explore shows to everyone: one list for each language of posts, and the topics."""
    return "explore"


def explored_posts(language: str) -> Key:
    return Key(explored(), f"posts#{language}")


def explored_topics() -> Key:
    return Key(explored(), "topics")


def likes(post_id: str, shard: int | None = None) -> str:
    """Returns the partition of a post's likes, or of one shard of them if they are spread."""
    return f"p#{post_id}#likelist" if shard is None else f"p#{post_id}#likelist#{shard}"


def like(post_id: str, liker_id: str, shard: int | None = None) -> Key:
    return Key(likes(post_id, shard), f"u#{liker_id}")


VOTE_SHARDS = 16


def votes(post_id: str, shard: int) -> str:
    """Returns the partition of one shard of the votes in a poll."""
    return f"p#{post_id}#vote#{shard}"


def vote(post_id: str, voter_id: str) -> Key:
    """Returns the key of a person's vote: they have one in each poll."""
    shard = zlib.crc32(voter_id.encode()) % VOTE_SHARDS
    return Key(votes(post_id, shard), f"u#{voter_id}")


def like_count(post_id: str) -> Key:
    return Key(f"p#{post_id}#likecount", "count")


def reposters(post_id: str) -> str:
    return f"p#{post_id}#repostlist"


def reposter(post_id: str, user_id: str) -> Key:
    return Key(reposters(post_id), f"u#{user_id}")


def quotes(post_id: str) -> str:
    return f"p#{post_id}#quotelist"


def quote(post_id: str, quoting_id: str) -> Key:
    return Key(quotes(post_id), f"p#{quoting_id}")


def quote_refusal(author_id: str, post_id: str, user_id: str) -> Key:
    """Returns the key that says that a person may not quote an author's post again."""
    return Key(traces(author_id), f"refused#p#{post_id}#u#{user_id}")


def traces(user_id: str) -> str:
    return f"u#{user_id}#trace"


def like_trace_bounds() -> tuple[str, str]:
    """Returns the bounds of the sort keys of a person's likes, among the traces of what they did."""
    return "like#p#", "like#p#\U0010ffff"


def like_trace(user_id: str, post_id: str) -> Key:
    return Key(traces(user_id), f"like#p#{post_id}")


# Keys of replies: the place of each in its thread.
#
# A thread is one partition. The sort key of a reply is its path, the ids of the replies that lead to it and its
# own, so that an answer stands right behind what it answers, and a branch is a range of keys. The parts of the
# author's own story stand before all others, without depth.

DEEPEST = 37  # ids of a path: a sort key takes 1,024 bytes
STORY = "-"  # sorts before every id
GATE = "!"  # sorts before the story


def thread(root_id: str) -> str:
    return f"p#{root_id}#reply"


def reply_place(root_id: str, path: str) -> Key:
    return Key(thread(root_id), path)


def path_of_answer(parent_path: str, reply_id: str) -> str:
    """Returns the path of an answer to the reply with this path, or to the root if it is empty. At the greatest depth
    answers stand beside what they answer."""
    if not parent_path:
        return reply_id
    ids = parent_path.removeprefix(STORY).split("#")
    return "#".join([*ids[: DEEPEST - 1], reply_id])


def path_of_part(reply_id: str) -> str:
    """Returns the path of a part of a story: the root's author goes on in their own thread."""
    return f"{STORY}{reply_id}"


def is_of_story(path: str) -> bool:
    """Whether this is the path of a part of the story, or of the root itself."""
    return not path or path.startswith(STORY)


def paths_above(path: str) -> list[str]:
    """Returns the paths of the replies that lead to this one, the uppermost first."""
    ids = path.split("#")[:-1]
    return ["#".join(ids[: number + 1]) for number in range(len(ids))]


def top_below(path: str, above: str) -> str:
    """Returns the path of the answer to the reply at `above`, or to the root if that is empty, to whose branch a path
    belongs."""
    if path.startswith(STORY):
        return path
    depth = len(above.split("#")) if above else 0
    return "#".join(path.split("#")[: depth + 1])


def depth_of(path: str) -> int:
    """Returns how many replies lead to this one, 0 for an answer to the root and for a part of the story."""
    return path.count("#")


def branch_bounds(path: str) -> tuple[str, str]:
    """Returns the bounds of the sort keys of all answers below a reply, however deep. Without a path: the whole thread
    without its gate."""
    if not path:
        return STORY, "\U0010ffff"
    beginning = f"{path.removeprefix(STORY)}#"
    return beginning, f"{beginning}\U0010ffff"


def end_of_branch(path: str) -> str:
    """Returns a place behind a reply and everything below it."""
    return branch_bounds(path)[1]


def story_bounds(path: str = "") -> tuple[str, str]:
    """Returns the bounds of the parts of a story: all of them, or up to the one with this path."""
    return STORY, path or f"{STORY}\U0010ffff"


def left_thread(user_id: str, root_id: str) -> Key:
    return Key(f"u#{user_id}#trace", f"left#p#{root_id}")


def thread_gate(root_id: str) -> Key:
    return Key(thread(root_id), GATE)


# Keys of what a person keeps for themselves, all in one partition. Its sort keys begin with what it is, so that
# each page reads its own part alone.


def shelf(user_id: str) -> str:
    return f"u#{user_id}#shelf"


def draft(user_id: str, draft_id: str) -> Key:
    return Key(shelf(user_id), f"DRAFT#{draft_id}")


def draft_bounds() -> tuple[str, str]:
    return bounds("DRAFT#")


def scheduled(user_id: str, publish_at: datetime, scheduled_id: str) -> Key:
    """Returns the key of a scheduled post. They sort by the time at which they are published."""
    moment = publish_at.astimezone(UTC).isoformat(timespec="seconds")
    return Key(shelf(user_id), f"SCHEDULED#{moment}#{scheduled_id}")


def scheduled_bounds() -> tuple[str, str]:
    return bounds("SCHEDULED#")


def saved_post(user_id: str, post_id: str, folder_id: str = "") -> Key:
    """Returns the key of a saved post among all of them, or among those in a folder."""
    return Key(shelf(user_id), f"{_saved(folder_id)}{post_id}")


def saved_bounds(folder_id: str = "") -> tuple[str, str]:
    return bounds(_saved(folder_id))


def _saved(folder_id: str) -> str:
    return f"SAVED#{folder_id or 'all'}#"


# Keys of the inverted index: under each word the posts that have it, in the order of their time.


def word_entries(word: str) -> str:
    return f"word#{word}"


def word_entry(word: str, post_id: str, author_id: str) -> Key:
    return Key(word_entries(word), pointer(post_id, author_id))


def word_use(word: str) -> Key:
    """Returns the key of what says that a word is in very many posts. It sorts before them."""
    return Key(word_entries(word), "!")


def pointers_between(after: str = "", before: str = "") -> tuple[str, str]:
    """Returns the sort keys between which pointers to posts lie: all of them, or from one id to another."""
    return f"p#{after}", f"p#{before or chr(0x10FFFF)}"
