"""How Flagfall is run: `deploy.laptop` is everything on one machine."""
