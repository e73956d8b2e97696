"""Reposts: a pointer among the posts of the person who reposted, which goes into timelines as posts do.

joining.py   the reposts of a page as cards: each post once, with the people who reposted it
clearing.py  reposts of posts that are gone
reading.py   the people who reposted a post
"""
