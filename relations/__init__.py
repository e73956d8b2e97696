"""How people relate: follows and requests, friends and circles, favourites, blocks, mutes, the directory, discovery.

relation.py            typed relations: conditions and actions that the services put together
relation_lists.py      lists of relations, and what two people are to each other
own_lists.py           the lists on a person's own pages
profiles.py            a person as a viewer may see them
directory.py           finding people by name and handle
suggested/             people worth following, two steps away, and what was found, kept for a while
"""
