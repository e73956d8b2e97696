"""The posts of widely followed authors, which are not fanned out.

recent.py    the short list of each author's newest posts, which the worker keeps
news.py      what came into the lists since a reader's timeline was merged with them
"""
