"""The social network that AWS publishes as a model, read as a site. Nothing else imports this folder.

| Published                                   | Here                                                                  |
|---------------------------------------------|-----------------------------------------------------------------------|
| sort keys `"info"` and `"count"`, quoted    | without the quotation marks                                           |
| items without a type, ids in the keys alone | the type that exactly one pattern of keys gives, and its ids          |
| ids such as `12345`                         | ids of the same moment, the same for the same file (`ids_of.py`)       |
| Follower or Following                       | both sides of it                                                      |
| a Like, which does not name the author      | the author by the posts and timelines of the file, and the trace      |
| `etc` of a like count, a text               | the number; `etc` of a person is left out                             |
| `imageUrl` `s3://bucket/key`                | the key; dots alone are left out                                      |
| a `ttl` that has passed                     | 30 days from now                                                      |
| people and posts that are only named        | stubs that say so                                                     |

Whatever fits no rule stops the import before anything is written. Reading tolerantly instead would put quotation marks
and missing ids into every page, against the rule that ids are never read back out of a key.
"""
