"""Finding posts by their words, in the lists that belong to the viewer. People and tags are found by their beginnings
(`relations/directory.py`, `relations/tag_index.py`), saved posts in `feed/shelf/search_saved.py`.

words.py     which words a search has, and whether texts have all of them
looking.py   looks through a list, so far and no further
own_posts.py the viewer's own posts
liked.py     the posts that the viewer likes
texts.py     what the posts say at which a list points
marking.py    marks the words in what is shown
"""
