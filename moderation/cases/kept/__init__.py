"""What a case keeps of what was reported, as it was then.

posts.py     the posts
profiles.py  the profile
sayings.py   what a reporter said before they reported again
resets.py    removing parts of a profile, and putting them back from what is kept
"""
