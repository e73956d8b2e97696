"""The client API of Mastodon (4.3), for the apps that people already have: the same reads and writes as the pages, as
JSON. What is there and what is not: docs/api.md. Clients call `/api/…` and `/oauth/…`; there is no federation."""
