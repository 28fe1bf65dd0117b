"""The scopes of tokens, with the names of the public API."""

PREFERENCE_READ = "preference:read"
PREFERENCE_WRITE = "preference:write"
EMAIL_READ = "email:read"
CHALLENGE_READ = "challenge:read"
CHALLENGE_WRITE = "challenge:write"
CHALLENGE_BULK = "challenge:bulk"
FOLLOW_READ = "follow:read"
FOLLOW_WRITE = "follow:write"
MESSAGE_WRITE = "msg:write"
PUZZLE_READ = "puzzle:read"
PUZZLE_WRITE = "puzzle:write"
RACER_WRITE = "racer:write"
STUDY_READ = "study:read"
STUDY_WRITE = "study:write"
TEAM_READ = "team:read"
TEAM_WRITE = "team:write"
TEAM_LEAD = "team:lead"
TOURNAMENT_WRITE = "tournament:write"
BOARD_PLAY = "board:play"
BOT_PLAY = "bot:play"

ALL = (
    PREFERENCE_READ,
    PREFERENCE_WRITE,
    EMAIL_READ,
    CHALLENGE_READ,
    CHALLENGE_WRITE,
    CHALLENGE_BULK,
    FOLLOW_READ,
    FOLLOW_WRITE,
    MESSAGE_WRITE,
    PUZZLE_READ,
    PUZZLE_WRITE,
    RACER_WRITE,
    STUDY_READ,
    STUDY_WRITE,
    TEAM_READ,
    TEAM_WRITE,
    TEAM_LEAD,
    TOURNAMENT_WRITE,
    BOARD_PLAY,
    BOT_PLAY,
)
"""All scopes. The first token of an account and those made by signing in have them."""

GUEST = (CHALLENGE_READ, CHALLENGE_WRITE, BOARD_PLAY)
"""The scopes of a guest's token."""
