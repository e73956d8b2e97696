"""Keys of waves, one decision about many cases at once, and of hints, what several new accounts posted alike."""

from socialsite.table.keys.key import Key


def waves() -> str:
    return "waves"


def wave(wave_id: str) -> Key:
    return Key(waves(), wave_id)


def wave_targets(wave_id: str) -> str:
    return f"wave#{wave_id}"


def wave_target(wave_id: str, kind: str, subject_id: str) -> Key:
    return Key(wave_targets(wave_id), f"t#{kind}#{subject_id}")


def hints() -> str:
    return "hints"


def hint(hint_id: str) -> Key:
    """Returns the key of a hint. Its id begins with the day or the hour that it is about, so the newest come last."""
    return Key(hints(), hint_id)


def same_posts(hint_id: str) -> str:
    """Returns the partition of what is posted alike, one item for each author, whether or not it is a hint yet."""
    return f"same#{hint_id}"


def same_post(hint_id: str, author_id: str) -> Key:
    return Key(same_posts(hint_id), f"u#{author_id}")
