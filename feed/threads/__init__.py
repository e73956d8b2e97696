"""Replies in their threads. A thread is one partition, in which the sort key of a reply is the path to it.

branches.py  the replies of a page, nested where a post has several answers
copies.py    the copy of a reply in its thread, changed with its post
in_line.py   the audience by which replies are counted and listed
pages.py     which replies are on a page, read onwards or back
places.py    what stands around a post: above it, before it, its direct answers
policy.py    whether someone may answer
reading.py   the page of a post: what it answers, and what was answered
"""
