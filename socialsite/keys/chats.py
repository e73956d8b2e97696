"""Keys of private messages: a conversation, its messages, each member's own entry, and messages that were kept."""

from socialsite.keys.key import Key, bounds

PAIR = "."  # stands between the two people of a conversation of two
MESSAGE = "m#"


def pair(one_id: str, other_id: str) -> str:
    """Returns the id of the conversation of two people. Both come to the same one, so there is never a second, and
    nothing has to be looked up."""
    return PAIR.join(sorted((one_id, other_id)))


def is_pair(chat_id: str) -> bool:
    """Whether a conversation is one of two; else it is a group, whose id is a ULID."""
    return PAIR in chat_id


def other_of_pair(chat_id: str, user_id: str) -> str:
    """Returns the other one of the two people."""
    low, high = chat_id.split(PAIR)
    return high if user_id == low else low


def tells_who_writes(partition: str) -> bool:
    """Whether a partition's keys tell who writes to whom: a conversation, and what people have of theirs."""
    return partition.startswith("c#") or (
        partition.startswith("u#") and partition.endswith(("#chat", "#kept"))
    )


def is_of_chatter(partition: str, user_id: str) -> bool:
    """Whether a partition is a conversation of two, and the person is one of them. Of a group the key does not say."""
    chat_id = partition.removeprefix("c#").removesuffix("#message")
    return partition.startswith("c#") and is_pair(chat_id) and user_id in chat_id.split(PAIR)


def chat(chat_id: str) -> Key:
    return Key(f"c#{chat_id}", "info")


def messages(chat_id: str) -> str:
    return f"c#{chat_id}#message"


def message(chat_id: str, message_id: str) -> Key:
    return Key(messages(chat_id), f"{MESSAGE}{message_id}")


def messages_after(message_id: str) -> tuple[str, str]:
    """Returns the sort keys between which the messages behind one lie; all for an empty id."""
    first, last = bounds(MESSAGE)
    return f"{MESSAGE}{message_id}~" if message_id else first, last


def chat_entries(user_id: str) -> str:
    return f"u#{user_id}#chat"


def chat_entry(user_id: str, chat_id: str) -> Key:
    return Key(chat_entries(user_id), f"c#{chat_id}")


def kept_messages(user_id: str) -> str:
    return f"u#{user_id}#kept"


def kept_message(user_id: str, message_id: str) -> Key:
    return Key(kept_messages(user_id), f"{MESSAGE}{message_id}")
