"""What posts are about: tags, the posts under each, and who follows one.

What in a text is a tag is decided by `socialsite/texts.py`, who follows which by
`relations/own_choices/writes.py`, and under which tags a post stands by `listed_tags` in `feed/posts/reads.py`.
"""
