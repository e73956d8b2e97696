"""Polls: a question with two to six choices, open for some time. The poll itself is part of its post
(`feed/posts/models.py`), and so are its counts; as a viewer may see it, it is in `feed/cards/post_card.py`."""
