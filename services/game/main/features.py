"""The features that a commit brings along, as `commit.ports` asks for them."""

from services.game.commit.ports import Features
from services.game.computer import progress
from services.game.correspondence import conditional, vacation
from services.game.ratings import ratings

FEATURES = Features(ratings, progress, conditional, vacation)
