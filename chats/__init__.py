"""Private messages between two people, or a few: sealed with the author's key, gone after seven days.

models.py           a conversation, a message, each member's entry, a message that was kept
standing.py         what is between the people, and who may write to whom
reads.py            the list of conversations, one of them, what is new in it
writes.py           sending, reading, accepting, deleting
kept.py             keeping the words of one for good
photos/             the photos of messages
badges.py           entries and badges of the others, as the worker writes them
stream_handlers.py  when it does that
erasure.py          what goes with an account
export.py           what people take along
checks.py           what must hold, and how it is put right
seed.py             the conversations of the demo
"""
