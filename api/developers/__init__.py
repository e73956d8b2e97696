"""What the API says of itself: an OpenAPI description that is made from the code, and the page for developers."""
