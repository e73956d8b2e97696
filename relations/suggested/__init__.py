"""Whom a person may know, and what stands between them and others.

discovery.py             people worth following, two steps away
people_you_may_know.py   what was found, kept for a while, as pages show it
own_relations.py         the viewer's own blocks, mutes and requests, in one Query
"""
