"""The addresses of a post, and of what can be done with it."""


class Addresses:
    """A card says its `url`; the others begin with it."""

    __slots__ = ()
    url: str

    @property
    def like_url(self) -> str:
        return f"{self.url}/like"

    @property
    def vote_url(self) -> str:
        return f"{self.url}/vote"

    @property
    def leave_url(self) -> str:
        return f"{self.url}/leave"

    @property
    def replies_url(self) -> str:
        return f"{self.url}/replies"

    @property
    def audience_url(self) -> str:
        return f"{self.url}/audience"

    @property
    def descriptions_url(self) -> str:
        return f"{self.url}/descriptions"

    @property
    def reply_url(self) -> str:
        return f"{self.url}/reply"

    @property
    def quote_url(self) -> str:
        return f"{self.url}/quote"

    @property
    def quotes_url(self) -> str:
        return f"{self.url}/quotes"

    @property
    def repost_url(self) -> str:
        return f"{self.url}/repost"

    @property
    def reposters_url(self) -> str:
        return f"{self.url}/reposters"

    @property
    def likers_url(self) -> str:
        return f"{self.url}/likers"

    @property
    def history_url(self) -> str:
        return f"{self.url}/history"

    @property
    def pin_url(self) -> str:
        return f"{self.url}/pin"

    @property
    def delete_url(self) -> str:
        return f"{self.url}/delete"

    @property
    def save_url(self) -> str:
        return f"{self.url}/save"

    @property
    def report_url(self) -> str:
        return f"{self.url}/report"


def post_url(handle: str, post_id: str) -> str:
    return f"/@{handle}/posts/{post_id}"
