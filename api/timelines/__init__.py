"""Lists of posts: home, everyone's, those with a tag, liked and saved ones."""
