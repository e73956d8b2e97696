"""The stream's effects on moderation, one file for each. Only the stream worker calls them."""

from moderation.stream_handlers import (  # noqa: F401 - importing registers them
    carry_out_wave,
    clear_desk,
    copy_photos,
    count_day,
    count_waiting,
    count_word_hits,
    list_among_people,
    note_newcomers,
    note_same_posts,
    notify_of_appeal,
    notify_of_decision,
    notify_of_passed,
    notify_of_waiting,
    open_case,
    take_wave_back,
)
