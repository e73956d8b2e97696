"""Cases: what staff decide about, what they know of it, and what comes of it. Their pages are in `case_pages/`."""
