"""Games as rows of the table `game`."""

import logging
from functools import lru_cache

from google.protobuf.message import DecodeError
from sqlalchemy import RowMapping

from services.domain.clock import ChessClock
from services.domain.outcome import Claim
from services.domain.rule_set import RuleSet
from services.domain.time_control import TimeControl, Unlimited
from services.game.play.game import Game, Limits, Seat, Standing, Terms, computer_seat
from services.game.wire.extra_bytes import extra_from_bytes, extra_to_bytes
from services.game.wire.messages import DEADLINE_KINDS
from services.pb.flagfall.v1 import common_pb2 as pb
from services.runtime.wire import (
    colour_from_pb,
    colour_to_pb,
    outcome_from_pb,
    outcome_to_pb,
    rule_set_from_pb,
    rule_set_to_pb,
    time_control_from_pb,
    time_control_to_pb,
)

log = logging.getLogger(__name__)

CLAIM_BITS = {Claim.THREEFOLD: 1, Claim.FIFTY: 2}

CHANGING: dict[str, str] = {
    "version": "int4",
    "end_reason": "int2",
    "winner": "int2",
    "fen": "text",
    "keys": "bytea",
    "ply": "int4",
    "turn": "int2",
    "in_check": "bool",
    "legal": "text",
    "claims": "int2",
    "white_ms": "int8",
    "black_ms": "int8",
    "turn_started_ms": "int8",
    "deadline_ms": "int8",
    "deadline_kind": "int2",
    "draw_offer": "int2",
    "last_uci": "text",
    "last_san": "text",
    "computer_turn_level": "int2",
    "ended_ms": "int8",
    "look_ms": "int8",
    "extra": "bytea",
}
"""The columns that change with a version, with their PostgreSQL types, in the order of `changing_values`."""


def changing_values(game: Game, limits: Limits) -> tuple[object, ...]:
    """The values of the columns in `CHANGING`, in that order."""
    standing, clock = game.standing, game.clock
    outcome = None if game.outcome is None else outcome_to_pb(game.outcome)
    deadline = game.deadline(limits)
    return (
        game.version,
        0 if outcome is None else int(outcome.reason),
        0 if outcome is None else int(outcome.winner),
        standing.fen,
        standing.keys,
        game.ply,
        int(colour_to_pb(standing.turn)),
        standing.check,
        standing.legal,
        sum(CLAIM_BITS[claim] for claim in standing.claims),
        clock.white_ms,
        clock.black_ms,
        clock.turn_started_ms,
        None if deadline is None else deadline.at_ms,
        0 if deadline is None else int(DEADLINE_KINDS[deadline.kind]),
        int(colour_to_pb(game.draw_offer)),
        game.last_uci,
        game.last_san,
        game.computer_turn_level,
        game.ended_ms,
        game.look_ms,
        extra_to_bytes(game.extra),
    )


def fixed_values(terms: Terms) -> dict[str, object]:
    """The values of the columns that never change, by column name."""
    values: dict[str, object] = {
        "id": terms.id,
        "variant": terms.variant,
        "rule_set": rule_set_to_pb(terms.rule_set).SerializeToString(deterministic=True),
        "time_control": time_control_to_pb(terms.control).SerializeToString(deterministic=True),
        "rated": terms.rated,
        "source": terms.source,
        "initial_fen": terms.initial_fen,
        "created_ms": terms.created_ms,
        "rematch_of": terms.rematch_of,
        "party_id": terms.party_id,
    }
    for side, seat in (("white", terms.white), ("black", terms.black)):
        values |= {
            f"{side}_id": seat.player_id,
            f"{side}_name": seat.name,
            f"{side}_title": seat.title,
            f"{side}_guest": seat.guest,
            f"{side}_level": seat.computer_level,
            f"{side}_rating": seat.rating,
            f"{side}_provisional": seat.provisional,
        }
    return values


def readable(row: RowMapping) -> Game | None:
    """The game of a complete row; None if the row is damaged or a newer replica wrote it.

    So one unreadable row does not fail a whole batch or list.
    """
    try:
        return game_of(row)
    except (ValueError, DecodeError) as error:
        log.error("the row of game %s cannot be read: %s", row["id"], error)
        return None


def game_of(row: RowMapping) -> Game:
    """The game of a complete row. Raises ValueError or DecodeError if it cannot be read."""
    control = control_of(row["time_control"])
    extra = extra_from_bytes(row["extra"])
    terms = Terms(
        row["id"],
        row["variant"],
        rule_set_of(row["rule_set"]),
        control,
        _seat(row, "white", extra.level),
        _seat(row, "black", extra.level),
        row["rated"],
        row["source"],
        row["initial_fen"],
        row["created_ms"],
        row["rematch_of"],
        row["party_id"],
    )
    turn = colour_from_pb(row["turn"])
    if turn is None:
        raise ValueError(f"game {terms.id}: nobody is to move")
    over = row["end_reason"] != 0
    outcome = outcome_from_pb(pb.Outcome(winner=row["winner"], reason=row["end_reason"])) if over else None
    bits = row["claims"]
    claims = frozenset(claim for claim, bit in CLAIM_BITS.items() if bits & bit)
    return Game(
        terms,
        row["version"],
        # The outcome of the position is stored once, as the outcome of the game.
        Standing(row["fen"], bytes(row["keys"]), turn, row["in_check"], row["legal"], claims, None),
        ChessClock(
            Unlimited() if extra.without_clock else control,
            row["white_ms"],
            row["black_ms"],
            turn,
            row["ply"],
            row["turn_started_ms"],
            extra.clocks_started,
        ),
        outcome,
        row["ended_ms"],
        colour_from_pb(row["draw_offer"]),
        row["last_uci"],
        row["last_san"],
        row["look_ms"],
        extra,
    )


def _seat(row: RowMapping, side: str, level: int) -> Seat:
    """A seat; `level` is the computer's level if the player changed it, otherwise 0."""
    seat = Seat(
        row[f"{side}_id"],
        row[f"{side}_name"],
        row[f"{side}_title"],
        row[f"{side}_guest"],
        row[f"{side}_level"],
        row[f"{side}_rating"],
        row[f"{side}_provisional"],
    )
    return computer_seat(level) if level and seat.computer_level else seat


@lru_cache(maxsize=1024)
def rule_set_of(message: bytes) -> RuleSet:
    """The rule set of stored protobuf bytes."""
    return rule_set_from_pb(pb.RuleSet.FromString(message))


@lru_cache(maxsize=1024)
def control_of(message: bytes) -> TimeControl:
    """The time control of stored protobuf bytes."""
    return time_control_from_pb(pb.TimeControl.FromString(message))
