"""What posts are about: tags, the posts under each, and who follows one.

listed.py           a post under its tags (which ones: feed/post_tags.py)
models.py           a post under a tag
access_patterns.py  the page of a tag
complete.py         what a composer suggests for @ and #
outside.py          the Atom feed of a tag
reconcile.py        what lost stream records left wrong
invariants.py       what must always hold

What in a text is a tag is decided by `socialsite/texts/hashtags.py`, who follows which by `relations/followed_tags.py`.
"""
