"""Votes of the whole site: staff ask, everyone answers once, and a hundred thousand votes a minute are counted in
shards that are drawn by chance and added up by the clock.

models.py           a ballot, and a counter
writes.py           opening and ending a vote, voting
reads.py            the votes and their sums as pages show them
stream_handlers.py  adding up every minute, and the end
"""
