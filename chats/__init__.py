"""Private messages between two people, or a few: sealed with the author's key, gone after seven days.

models.py           a conversation, a message, each member's entry, a message that was kept
standing.py         what is between the people, and who may write to whom
reads.py            the list of conversations, one of them, what is new in it
writes.py           sending, reading, accepting, deleting
stream_handlers.py  what the worker does for the others: their entries, their badges
"""
