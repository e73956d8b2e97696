"""How large an uploaded picture may be. All that takes, says or checks a size has it from here; the nginx file is
checked against it by `tests/operations/serving/test_gunicorn_and_nginx.py`.

Cameras of phones make JPEGs of 50 megapixels and up to 20 MB. A JPEG is decoded at the size that is needed; of other
kinds every pixel has to be held (`child.py` has the memory for it).
"""

MEGABYTES = 20
MOST_BYTES = MEGABYTES * 1024 * 1024
MEGAPIXELS = 40
MEGAPIXELS_OF_A_JPEG = 64
LONGEST_SHAPE = 20  # of a photo: times as wide as tall, or as tall as wide
