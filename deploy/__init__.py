"""How Flagfall is deployed; `deploy.laptop` runs everything on one machine."""
