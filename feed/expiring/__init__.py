"""Posts that end by themselves, at a moment that their author chose.

moments.py   how long, until when, and the conditions that a post is still there or gone
words.py     in how long, as cards say it
ending.py    the planned end, at which the clock deletes the post
counting.py  the end of a new post in its author's counts, which then need nobody to count it off
"""
