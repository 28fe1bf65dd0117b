"""The schemas of answers in the OpenAPI description: one for each name that handlers refer to."""

from services.gateway.rest.described import Schema
from services.gateway.rest.openapi import (
    ANY,
    COLOUR,
    DAY,
    FRAME,
    MS,
    NUMBER,
    TEXT,
    WHOLE,
    YES,
    fields,
    many,
    maybe_null,
    ref,
)

_VARIANT = fields({"key": TEXT, "name": TEXT, "short": TEXT})
_STATUS = fields({"id": WHOLE, "name": TEXT})
_SIDE = fields(
    {
        "id": maybe_null(TEXT),
        "name": TEXT,
        "title": maybe_null(TEXT),
        "rating?": WHOLE,
        "provisional?": YES,
        "aiLevel?": WHOLE,
        "online?": YES,
        "guest?": YES,
    }
)
_PERFS: Schema = {
    "type": "object",
    "description": "by speed, and by variant other than standard",
    "additionalProperties": fields({"games": WHOLE, "rating": WHOLE, "rd": WHOLE, "prog": WHOLE, "prov": YES}),
}

_SAID = {"name": TEXT, "text": TEXT, "article": maybe_null(TEXT), "sources": many(TEXT)}
_VALUE = fields({"value": TEXT, "text": TEXT, "source": maybe_null(TEXT)})
_RULES_PAGE = fields(
    {
        "key": TEXT,
        "kind": {"type": "string", "enum": ["variant", "ruleSets"]},
        "name": TEXT,
        "language": TEXT,
        "updated": DAY,
        "summary": TEXT,
        "builtOn": maybe_null(TEXT),
        "reconstruction": YES,
        "idea": many(TEXT),
        "start": maybe_null(
            fields(
                {
                    "fen": TEXT,
                    "text": many(TEXT),
                    "others": many(fields({"fen": TEXT, "when": ANY, "text": TEXT})),
                }
            )
        ),
        "men": many(
            fields(
                {
                    "letter": TEXT,
                    "name": TEXT,
                    "also": many(TEXT),
                    "value": maybe_null({"type": "number"}),
                    "moves": TEXT,
                }
            )
        ),
        "moves": many(fields(_SAID)),
        "wins": many(fields({**_SAID, "reasons": many(TEXT)})),
        "draws": many(fields({**_SAID, "reasons": many(TEXT)})),
        "material": many(fields(_SAID)),
        "time": many(fields(_SAID)),
        "decisions": many(fields(_SAID)),
        "options": many(
            fields({"field": TEXT, "question": TEXT, "default": TEXT, "values": many(_VALUE), "evidence": TEXT})
        ),
        "presets": many(fields({"key": TEXT, "title": TEXT, "text": TEXT, "values": ANY})),
        "rules": many(
            fields(
                {
                    "field": TEXT,
                    "name": TEXT,
                    "text": TEXT,
                    "article": maybe_null(TEXT),
                    "law": many(TEXT),
                    "values": many(_VALUE),
                }
            )
        ),
        "departures": many(fields({"field": TEXT, "article": TEXT, "law": TEXT, "keeps": many(TEXT), "departs": ANY})),
        "duration": fields({"minutes": maybe_null(WHOLE), "text": TEXT}),
        "glossary": many(fields({"term": TEXT, "text": TEXT})),
        "faq": many(fields({"question": TEXT, "answer": TEXT})),
        "sources": many(fields(dict.fromkeys(("id", "title", "author", "edition", "language", "settles"), TEXT))),
    }
)

SCHEMAS: dict[str, Schema] = {
    "Ok": fields({"ok": YES}),
    "User": fields(
        {
            "id": TEXT,
            "username": TEXT,
            "perfs": _PERFS,
            "createdAt": MS,
            "seenAt": MS,
            "playTime": ANY,
            "url": TEXT,
            "count": fields(dict.fromkeys(("all", "rated", "win", "loss", "draw", "playing"), WHOLE)),
            "online": YES,
            "followable": YES,
            "following": YES,
            "blocking": YES,
            "title?": TEXT,
            "guest?": YES,
        }
    ),
    "RatingHistory": many(fields({"name": TEXT, "points": many(many(WHOLE))})),
    "Ratings": fields(
        {
            "id": TEXT,
            "ratings": many(
                fields(
                    {
                        "variant": TEXT,
                        "speed": TEXT,
                        "rating": NUMBER,
                        "deviation": NUMBER,
                        "volatility": NUMBER,
                        "games": WHOLE,
                        "provisional": YES,
                        "progress": WHOLE,
                    }
                )
            ),
            "history": many(
                fields(
                    {
                        "variant": TEXT,
                        "speed": TEXT,
                        "rating": NUMBER,
                        "deviation": NUMBER,
                        "game": TEXT,
                        "at": MS,
                    }
                )
            ),
        }
    ),
    "UserStatus": fields({"id": TEXT, "name": TEXT, "title?": TEXT, "online?": YES, "playing?": YES}),
    "GameInfo": fields(
        {
            "id": TEXT,
            "gameId": TEXT,
            "fullId": TEXT,
            "color": COLOUR,
            "fen": TEXT,
            "hasMoved": YES,
            "isMyTurn": YES,
            "lastMove": TEXT,
            "opponent": ANY,
            "perf": TEXT,
            "rated": YES,
            "source": TEXT,
            "status": _STATUS,
            "speed": TEXT,
            "variant": _VARIANT,
            "ruleSet": TEXT,
            "compat": fields({"bot": YES, "board": YES}),
            "rating?": WHOLE,
            "ratingDiff?": WHOLE,
            "secondsLeft?": WHOLE,
            "winner?": COLOUR,
        }
    ),
    "Playing": fields({"nowPlaying": many(ref("GameInfo")), "nbMyTurn": WHOLE}),
    "Challenge": fields(
        {
            "id": TEXT,
            "url": TEXT,
            "status": {"type": "string", "enum": ["created", "accepted", "declined", "canceled", "offline"]},
            "challenger": maybe_null(_SIDE),
            "destUser": maybe_null(_SIDE),
            "variant": _VARIANT,
            "rated": YES,
            "speed": TEXT,
            "timeControl": ANY,
            "color": {"type": "string", "enum": ["white", "black", "random"]},
            "finalColor": COLOUR,
            "perf": fields({"icon": TEXT, "name": TEXT}),
            "ruleSet": TEXT,
            "ruleSetFields?": ANY,
            "createdAt": MS,
            "expiresAt": MS,
            "direction?": {"type": "string", "enum": ["in", "out"]},
            "initialFen?": TEXT,
            "rematchOf?": TEXT,
            "counterTo?": TEXT,
            "declineReason?": TEXT,
            "declineReasonKey?": TEXT,
            "open?": ANY,
            "urlWhite?": TEXT,
            "urlBlack?": TEXT,
            "name?": TEXT,
        }
    ),
    "Progress": fields(
        {
            "beaten": many(
                fields({"variant": TEXT, "level": WHOLE, "wins": WHOLE, "winsWithoutHelp": WHOLE, "first": WHOLE})
            ),
            "badges": many(fields({"key": TEXT, "name": TEXT, "description": TEXT, "earned": maybe_null(WHOLE)})),
        }
    ),
    "ConditionalMoves": fields({"ply": WHOLE, "lines": many(many(TEXT))}),
    "Vacation": fields({"until": maybe_null(WHOLE)}),
    "Party": fields(
        {
            "id": TEXT,
            "v": WHOLE,
            "host": TEXT,
            "settings": fields(
                {
                    "turnLimit": {"type": "integer", "enum": [0, 30, 60]},
                    "legalMarks": YES,
                    "swapColors": YES,
                    "variant": TEXT,
                    "ruleSet": TEXT,
                    "rules?": ANY,
                }
            ),
            "members": many(
                fields(
                    {
                        "id": TEXT,
                        "name": TEXT,
                        "guest": YES,
                        "title?": TEXT,
                        "spectator": YES,
                        "joinedAt": MS,
                    }
                )
            ),
            "next": many(TEXT),
            "game": maybe_null(TEXT),
            "createdAt": MS,
            "closed": YES,
        }
    ),
    "Challenges": fields({"in": many(ref("Challenge")), "out": many(ref("Challenge"))}),
    "Rematch": fields({"challenge": maybe_null(ref("Challenge")), "game": maybe_null(ref("GameInfo"))}),
    "Seeking": fields({"id": TEXT, "game?": TEXT}),
    "SeekLine": {
        "type": "object",
        "description": "never sent: all lines are empty, and the stream ends when a game has begun",
    },
    "Seeks": fields({"seeks": many(ref("Seek"))}),
    "Seek": fields(
        {
            "id": TEXT,
            "player": fields({"id": TEXT, "name": TEXT, "title": maybe_null(TEXT), "rating?": WHOLE, "guest?": YES}),
            "variant": _VARIANT,
            "rated": YES,
            "speed": TEXT,
            "perf": TEXT,
            "timeControl": ANY,
            "color": {"type": "string", "enum": ["white", "black", "random"]},
            "ratingRange": maybe_null(TEXT),
            "ruleSet": TEXT,
            "ruleSetFields?": ANY,
            "createdAt": MS,
            "mine": YES,
        }
    ),
    "ChallengeLine": {"type": "object", "description": "the challenge, then {done}"},
    "ComputerGame": fields(
        {
            "id": TEXT,
            "fullId": TEXT,
            "variant": _VARIANT,
            "speed": TEXT,
            "perf": TEXT,
            "rated": YES,
            "fen": TEXT,
            "turns": WHOLE,
            "source": TEXT,
            "status": _STATUS,
            "createdAt": MS,
            "player": COLOUR,
            "color": COLOUR,
        }
    ),
    "PlayedGame": fields(
        {
            "id": TEXT,
            "rated": YES,
            "variant": TEXT,
            "ruleSet": TEXT,
            "speed": TEXT,
            "perf": TEXT,
            "createdAt": MS,
            "lastMoveAt": MS,
            "status": TEXT,
            "source": TEXT,
            "players": fields({"white": ANY, "black": ANY}),
            "winner?": COLOUR,
            "initialFen?": TEXT,
            "moves?": TEXT,
            "clock?": fields({"initial": WHOLE, "increment": WHOLE, "totalTime": WHOLE}),
            "clocks?": many(WHOLE),
            "secondsPerTurn?": WHOLE,
            "daysPerTurn?": WHOLE,
            "pgn?": TEXT,
        }
    ),
    "WatchedGame": {"type": "object", "description": "the game, then positions {fen, lm, wc, bc}, then the game again"},
    "AmongGame": fields(
        {
            "id": TEXT,
            "rated": YES,
            "variant": TEXT,
            "speed": TEXT,
            "perf": TEXT,
            "createdAt": MS,
            "status": WHOLE,
            "statusName": TEXT,
            "players": fields({"white": ANY, "black": ANY}),
            "initialFen?": TEXT,
            "clock?": fields({"initial": WHOLE, "increment": WHOLE, "totalTime": WHOLE}),
            "secondsPerTurn?": WHOLE,
            "daysPerTurn?": WHOLE,
            "winner?": COLOUR,
        }
    ),
    "GamesFound": fields(
        {"games": many(fields({"id": TEXT, "v": WHOLE, "info": FRAME, "state": FRAME})), "next": maybe_null(TEXT)}
    ),
    "PlayerPage": fields(
        {
            "id": TEXT,
            "name": TEXT,
            "guest": YES,
            "title?": TEXT,
            "online": YES,
            "createdAt": MS,
            "seenAt": MS,
            "record": fields(dict.fromkeys(("games", "won", "lost", "drawn", "playing"), WHOLE)),
            "ratings": many(
                fields(
                    {
                        "variant": TEXT,
                        "speed": TEXT,
                        "rating": WHOLE,
                        "deviation": WHOLE,
                        "games": WHOLE,
                        "provisional": YES,
                        "progress": WHOLE,
                    }
                )
            ),
            "vacationUntil": maybe_null(MS),
        }
    ),
    "Chat": fields(
        {
            "room": {"type": "string", "enum": ["player", "spectator"]},
            "lines": many(fields({"by": fields({"id": TEXT, "name": TEXT}), "text": TEXT, "at": MS})),
        }
    ),
    "Imported": fields({"id": TEXT, "url": TEXT}),
    "PlayerEvent": fields({"type": TEXT, "game?": ref("GameInfo"), "challenge?": ref("Challenge"), "compat?": ANY}),
    "GameEvent": fields({"type": {"type": "string", "enum": ["gameFull", "gameState", "chatLine", "hint"]}}),
    "ChatLine": fields({"text": TEXT, "user": TEXT}),
    "HeldTokens": {
        "type": "object",
        "description": "by token",
        "additionalProperties": maybe_null(fields({"userId": TEXT, "scopes": TEXT, "expires": maybe_null(WHOLE)})),
    },
    "RulesIndex": fields(
        {
            "updated": DAY,
            "pages": many(
                fields(
                    {"key": TEXT, "kind": TEXT, "name": TEXT, "summary": TEXT, "reconstruction": YES, "updated": DAY}
                )
            ),
        }
    ),
    "RulesPage": _RULES_PAGE,
    "Credential": fields({"id": TEXT, "username": TEXT, "guest": YES, "token": TEXT}),
    "PersonalToken": fields({"token": TEXT, "scopes": many(TEXT)}),
    "PersonalData": fields({"kind": TEXT}),
    "Snapshot": fields(
        {"game": TEXT, "v": WHOLE, "info": FRAME, "state": FRAME, "moves": many(FRAME), "you": maybe_null(COLOUR)}
    ),
    "Accepted": fields({"version": WHOLE, "state": FRAME, "repeated?": YES}),
    "Health": fields({"ready": YES, "redis": {"type": "string", "enum": ["answers", "away"]}}),
}
