"""The features that run within a commit, as `commit.ports` defines them."""

from services.game.commit.ports import Features
from services.game.computer import progress
from services.game.correspondence import conditional, vacation
from services.game.ratings import ratings

FEATURES = Features(ratings, progress, conditional, vacation)
