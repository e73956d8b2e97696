"""How people relate: follows and requests, friends and circles, favourites, blocks, mutes, the directory, discovery."""
