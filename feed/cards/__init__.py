"""Posts as templates show them.

post_card.py  a frozen card with every string prebuilt
words.py      what it says in words
addresses.py  the addresses of a post, and of what can be done with it
"""

from feed.cards.addresses import post_url as post_url
from feed.cards.post_card import PostCard as PostCard
