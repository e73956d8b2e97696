"""What the site shows, in the words of Mastodon. Each file makes one kind of entity of the cards that pages show, so
nothing is in an answer that its reader may not see. The table of words is in docs/api.md."""
