"""Keys of replies: the place of each in its thread.

A thread is one partition. The sort key of a reply is its path, the ids of the replies that lead to it and its own, so
that an answer stands right behind what it answers, and a branch is a range of keys. The parts of the author's own
story stand before all others, without depth.
"""

from socialsite.table.keys.key import Key

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
    ids = path.removeprefix(STORY).split("#")[:-1]
    return ["#".join(ids[: number + 1]) for number in range(len(ids))]


def top_below(path: str, above: str) -> str:
    """Returns the path of the answer to the reply at `above`, or to the root if that is empty, to whose branch a path
    belongs."""
    if path.startswith(STORY):
        return path
    depth = len(above.removeprefix(STORY).split("#")) if above else 0
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
