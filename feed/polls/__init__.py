"""Polls: a question with two to six choices, open for some time.

wish.py     what an author asks for
card.py     a poll as a viewer may see it
words.py    what it says in words
said.py     what the post says with it, for moderators and searches
counting.py what a vote adds to the counts of its post
clearing.py votes of posts that are gone
closing.py  the end of a poll, which is planned when it is published
"""
