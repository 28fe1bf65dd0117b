"""Commands as they come in, parsed once. What cannot be read is a refusal that names the field."""

import re
from hashlib import blake2b

from services.domain.refusal import Refusal, RefusalCode
from services.game.command import Abort, Action, ClaimDraw, CloseDraw, Command, Flag, Move, OfferDraw, Resign
from services.game.people_parsing import NO_GAME, is_game_id
from services.game.person import is_player_id
from services.game.settings import GameSettings
from services.pb.flagfall.v1 import game_pb2 as pb

_COMMAND_ID = re.compile(r"[!-~]*")


def malformed(message: str, at: str) -> Refusal:
    """Input that cannot be read."""
    return Refusal(RefusalCode.MALFORMED, message, at)


def command_of(message: pb.Command, received_ms: int, settings: GameSettings) -> Command | Refusal:
    """The command of a message that is not a beat."""
    kind = message.WhichOneof("action")
    if not is_game_id(message.game_id):
        return NO_GAME
    if len(message.command_id) > settings.command_id_chars_max:
        return malformed(f"A command id has at most {settings.command_id_chars_max} characters.", "command_id")
    if _COMMAND_ID.fullmatch(message.command_id) is None:
        return malformed("A command id has visible characters of ASCII only.", "command_id")
    if (kind == "flag") != (message.player_id == ""):
        return malformed("A player's command names its player, and a flag names none.", "player_id")
    if message.player_id and not is_player_id(message.player_id):
        return malformed("Nobody could have this id.", "player_id")
    action = _action(message, kind, settings)
    if isinstance(action, Refusal):
        return action
    return Command(
        message.game_id, message.player_id, message.command_id, action, _digest(message, kind or ""), received_ms
    )


def _action(message: pb.Command, kind: str | None, settings: GameSettings) -> Action | Refusal:
    match kind:
        case "move":
            text = message.move.text
            if not _is_move(text, settings):
                return _no_move(settings)
            ply = message.move.ply if message.move.HasField("ply") else None
            return Move(text, ply, message.move.offer_draw)
        case "resign":
            return Resign()
        case "abort":
            return Abort()
        case "offer_draw":
            return OfferDraw()
        case "close_draw":
            return CloseDraw()
        case "claim_draw":
            text = message.claim_draw.move
            return ClaimDraw(text) if not text or _is_move(text, settings) else _no_move(settings)
        case "flag":
            return Flag(message.flag.version)
        case _:
            return malformed("A command says what to do.", "action")


def _is_move(text: str, settings: GameSettings) -> bool:
    return 2 <= len(text) <= settings.move_chars_max


def _no_move(settings: GameSettings) -> Refusal:
    return malformed(f"A move has 2 to {settings.move_chars_max} characters.", "move")


def _digest(message: pb.Command, kind: str) -> bytes:
    """Eight bytes that tell whether two commands with the same id are the same command."""
    content = getattr(message, kind).SerializeToString(deterministic=True)
    return blake2b(kind.encode() + b":" + content, digest_size=8).digest()
