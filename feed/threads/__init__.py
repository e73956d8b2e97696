"""Replies in their threads. A thread is one partition, in which the sort key of a reply is the path to it.

copies.py   the copy of a reply in its thread, changed with its post
policy.py   whether someone may answer
reading.py  the page of a post: what it answers, and what was answered
"""
