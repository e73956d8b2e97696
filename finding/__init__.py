"""Finding public posts by their words, people and tags by their beginnings.

The words of posts are in an inverted index in the table (`models.py`), which the stream worker keeps
(`stream_handlers.py`). `search_posts` in `reads.py` is the one question to it, so that another engine could stand
behind. Searching one's own posts, likes and saved posts is in `feed/searching.py`: those lists are read as they are.
"""
