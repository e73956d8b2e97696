"""Posts as templates show them.

post_card.py   a frozen card
words.py       what it says in words
addresses.py   the addresses of a post, and of what can be done with it
drawing.py     what every card shows, as strings that are ready for HTML
page_words.py  the words that all cards say
runs.py        fills ready strings into a template quickly
unseen.py      stands for a post that may not be seen now, in its owner's lists
"""

from feed.cards.addresses import post_url as post_url
from feed.cards.post_card import PostCard as PostCard
