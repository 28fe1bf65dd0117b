"""Commands as they come in, parsed once. What cannot be read is a refusal that names the field."""

import re
from hashlib import blake2b

from services.domain.level import LEVELS
from services.domain.refusal import Refusal, RefusalCode
from services.game.play.command import (
    Abort,
    Action,
    ClaimDraw,
    ClaimWin,
    CloseDraw,
    CloseTakeback,
    Command,
    Flag,
    GiveTime,
    GoOn,
    Move,
    OfferDraw,
    OfferTakeback,
    Resign,
    ReturnSeat,
    SetLevel,
    StartClocks,
    TakeHint,
    TakeSeat,
    Undo,
)
from services.game.play.person import is_player_id
from services.game.play.refusals import NO_GAME
from services.game.settings import GameSettings
from services.game.wire.fields import is_game_id
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime import tracing
from services.runtime.wire import colour_from_pb

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
        message.game_id,
        message.player_id,
        message.command_id,
        action,
        _digest(message, kind or ""),
        received_ms,
        _trace(message),
    )


def _action(message: pb.Command, kind: str | None, settings: GameSettings) -> Action | Refusal:
    match kind:
        case "move":
            text = message.move.text
            if not _is_move(text, settings):
                return _no_move(settings)
            ply = message.move.ply if message.move.HasField("ply") else None
            takebacks = message.move.takebacks if message.move.HasField("takebacks") else None
            return Move(text, ply, message.move.offer_draw, takebacks)
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
        case "offer_takeback":
            return OfferTakeback()
        case "close_takeback":
            return CloseTakeback()
        case "undo":
            return Undo()
        case "claim_win":
            return ClaimWin(message.claim_win.draw)
        case "go_on":
            return GoOn()
        case "give_time":
            ms = message.give_time.ms
            if ms % 1000 or not settings.given_ms_min <= ms <= settings.given_ms_most:
                return malformed(
                    f"Time is given in whole seconds, {settings.given_ms_min // 1000} to "
                    f"{settings.given_ms_most // 1000}.",
                    "ms",
                )
            return GiveTime(ms)
        case "start_clocks":
            return StartClocks()
        case "set_level":
            level = message.set_level.level
            return SetLevel(level) if level in LEVELS else malformed("The computer has levels 1 to 10.", "level")
        case "take_seat":
            side = colour_from_pb(message.take_seat.side)
            return malformed("A seat is White's or Black's.", "side") if side is None else TakeSeat(side)
        case "return_seat":
            return ReturnSeat()
        case "take_hint":
            return TakeHint()
        case "flag":
            return Flag(message.flag.version)
        case _:
            return malformed("A command says what to do.", "action")


def _is_move(text: str, settings: GameSettings) -> bool:
    return 2 <= len(text) <= settings.move_chars_max


def _no_move(settings: GameSettings) -> Refusal:
    return malformed(f"A move has 2 to {settings.move_chars_max} characters.", "move")


def _trace(message: pb.Command) -> str:
    """Its traceparent, where this process traces and it is one."""
    if not tracing.on or not tracing.TRACEPARENT.fullmatch(message.traceparent):
        return ""
    return message.traceparent


def _digest(message: pb.Command, kind: str) -> bytes:
    """Eight bytes that tell whether two commands with the same id are the same command."""
    content = getattr(message, kind).SerializeToString(deterministic=True)
    return blake2b(kind.encode() + b":" + content, digest_size=8).digest()
