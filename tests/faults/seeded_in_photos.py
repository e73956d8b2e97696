"""Known bugs of photos and of the posts that show them."""

from tests.faults.seeded import CRASH, bug

PUBLISHING = "tests/feed/photos/test_publish_photos.py"
CLOSED = "tests/feed/photos/test_files_of_closed_posts.py"
UPLOAD = "tests/photos/test_upload_photo.py"

PHOTOS = [
    bug(
        "a photo of a post goes after a day",
        "photos/writes.py",
        ("Photo.held_by.remove(), Photo.ttl.remove()]", "Photo.held_by.remove()]"),
        tests=PUBLISHING,
        only="stays_and_one_of_none",
    ),
    bug(
        "two posts show the same photo",
        "photos/writes.py",
        (
            "(Photo.state == READY) & Photo.post_id.does_not_exist()\n    return",
            "Photo.state == READY\n    return",
        ),
        tests="tests/feed/photos/test_photos_at_once.py",
        only="at_the_moment_of_writing",
    ),
    bug(
        "a photo that has expired is shown",
        "photos/writes.py",
        ("LIVES | (Photo.ttl > utc_now())", "Photo.pk.exists()"),
        tests="tests/feed/photos/test_photos_at_once.py",
    ),
    bug(
        "everyone keeps the copies of a post that is closed",
        "feed/publishing/stream.py",
        (
            "    if post.photos and (old.audience, old.withheld) != (post.audience, post.withheld):\n",
            "    if post.photos and old.withheld != post.withheld:\n",
        ),
        tests=CLOSED,
        only="closed_by_audience",
    ),
    bug(
        "a copy that is taken back keeps its files",
        "photos/stream_handlers.py",
        ('@on(Photo, "REMOVE", "MODIFY")', '@on(Photo, "REMOVE")'),
        tests=CLOSED,
        only="closed_by_audience",
    ),
    bug(
        "the post forgets the copy for everyone, and the photo does not",
        "feed/publishing/photos.py",
        (
            "        transact(*(_changes(post, removed) if removed else ()), *taken)\n",
            "        transact(*_changes(post, removed))\n",
        ),
        tests=CLOSED,
        only="closed_by_audience",
    ),
    bug(
        "a private photo opens for whoever knows its address",
        "photos/reads.py",
        ("constant_time_compare(_signature(name, hour, viewer_id, key), signature)", "signature"),
        tests=CLOSED,
        only="only_they_can_use",
    ),
    bug(
        "the files are there before their item",
        "photos/writes.py",
        (
            "    try:\n        transact(Create(photo), plan_sweep(by.user_id))\n",
            "    save_files(private_place(photo), made.files)\n"
            "    try:\n        transact(Create(photo), plan_sweep(by.user_id))\n",
        ),
        tests=CRASH,
        only="sent_twice and worker",
    ),
    bug(
        "another file takes the place of a photo",
        "photos/writes.py",
        ("    if earlier is not None and earlier.state == READY:\n        return earlier\n", ""),
        ("        if earlier.sha256 != photo.sha256:\n", "        if False:\n"),
        (
            "        if earlier.state == READY:\n            return earlier\n        photo",
            "        photo",
        ),
        tests=UPLOAD,
        only="never_takes_the_place",
    ),
    bug(
        "photos outlive the post that ends by itself",
        "feed/publishing/photos.py",
        ("    if post.ttl is None:\n", "    if True:\n"),
        tests=PUBLISHING,
        only="end_with_it",
    ),
    bug(
        "the audit misses photos where a post has ended and the table has not let go of it",
        "feed/publishing/checks.py",
        (
            "            case Post(ttl=ttl) if ttl and ttl <= utc_now():\n",
            "            case Post(ttl=0):\n",
        ),
        tests=PUBLISHING,
        only="audit_knows",
    ),
    bug(
        "a deleted post leaves its photos",
        "feed/publishing/stream.py",
        (
            "    _clear(post.author_id, post.post_id, [photo.photo_id for photo in post.photos])\n",
            "    _clear(post.author_id, post.post_id, [])\n",
        ),
        tests=PUBLISHING,
        only="takes_its_photos",
    ),
    bug(
        "a closed post keeps its copy for everyone after stream records were lost",
        "operations/reconcile.py",
        ("        mend_photos(raw)\n", ""),
        tests="tests/operations/commands/test_reconcile_photos.py",
        only="closed_post",
    ),
]
