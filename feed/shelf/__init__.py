"""What a person keeps for themselves, in `u#<id>#shelf`: saved posts, in folders, with private notes.

folders.py        the folders' names
saved_posts.py    lists of saved posts, and where one is
search_saved.py   finding saved posts by their words
forms.py          saving a post, naming a folder
"""
