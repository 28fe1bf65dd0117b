"""Builds the images of the services with buildah: `python -m deploy.images` (docs/images-and-compose.md)."""
