"""The photos of reported posts, which stay for moderators whatever becomes of the post.

reported.py   what a report writes of them
copying.py    the copies, which the stream worker makes
addresses.py  who can open a copy
sweeping.py   copies that nothing names, and those that a crash left behind
invariants.py what must hold
"""
