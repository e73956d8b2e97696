"""The photos of posts. The photos themselves, with their files, are in the room `photos/`.

attaching.py  gives a person's photos to a new post
fitting.py    how much of the descriptions fits into the post
describing.py  what is said of the photos of a post, after it was published
taking.py     what a form that was sent brings: uploads become photos, so that they outlive a refusal
tiles.py      a person's photos as the composer shows them
arranging.py  their order in the composer, without script
keeping.py    the photos of drafts and scheduled posts
showing.py    whether everyone may see them, and the change of their copy for everyone
places.py     the places of photos in a post, as an update names them
reading.py    whole descriptions, and a person's posts with photos
"""
