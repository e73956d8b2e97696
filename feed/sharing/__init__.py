"""Sharing posts of others.

A repost is a pointer among the posts of the person who reposted, which goes into timelines as posts do. A quote is a
post that carries another one as a card, as long as the quoted author lets it.
"""
