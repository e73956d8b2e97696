"""What people have written and not published yet: drafts and scheduled posts, on their shelf.

composition.py    everything that an author composed, and how it is sealed
drafts.py         reading drafts
continuing.py     the composer with what a draft or a scheduled post holds
scheduled.py      reading scheduled posts
moments.py        a time of day in a zone, there and back
publishing.py     publishing a scheduled post, when its time comes or at once
refusing.py       why a scheduled post could not be published
"""
