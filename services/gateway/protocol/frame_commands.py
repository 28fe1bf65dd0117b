"""Turns frames that are commands into commands of the game service."""

from typing import assert_never

from msgspec import UNSET

from services.gateway.protocol import frames
from services.pb.flagfall.v1 import game_pb2


def command_of(frame: frames.GameFrame, player_id: str, command_id: str) -> game_pb2.Command:
    """The game service's command for a frame."""
    command = game_pb2.Command(game_id=frame.game, player_id=player_id, command_id=command_id)
    match frame:
        case frames.Move(_, _, move, ply, draw):
            command.move.text, command.move.ply, command.move.offer_draw = move, ply, draw
        case frames.Resign():
            command.resign.SetInParent()
        case frames.Abort():
            command.abort.SetInParent()
        case frames.Draw():
            command.offer_draw.SetInParent()
        case frames.Claim(_, _, move):
            command.claim_draw.move = "" if move is UNSET else move
        case frames.NoDraw():
            command.close_draw.SetInParent()
        case frames.Takeback():
            command.offer_takeback.SetInParent()
        case frames.NoTakeback():
            command.close_takeback.SetInParent()
        case frames.Undo():
            command.undo.SetInParent()
        case frames.Win(_, _, draw):
            command.claim_win.draw = draw
        case frames.GoOn():
            command.go_on.SetInParent()
        case frames.GiveTime(_, _, seconds):
            command.give_time.ms = seconds * 1000
        case frames.Level(_, _, level):
            command.set_level.level = level
        case frames.ReturnSeat():
            command.return_seat.SetInParent()
        case _:
            assert_never(frame)
    return command
