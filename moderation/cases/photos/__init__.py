"""The photos of reported posts and the pictures of reported profiles, which stay for moderators whatever becomes of
those.

reported.py   what a report writes of the photos of a post
pictures.py   the same of the pictures of a profile, and how those come back
copying.py    the copies, which the stream worker makes
addresses.py  who can open a copy
sweeping.py   copies that nothing names, and those that a crash left behind
invariants.py what must hold
"""
