"""What may happen to a game, drawn at random: its terms, who asks for what, and at which steered moment."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from services.domain.clock import Outages
from services.domain.colour import Colour
from services.domain.rule_set import PRESETS, AbsentPlayer, FallenFlag, RuleSet, Takeback
from services.domain.time_control import ClockControl, Correspondence, PerMove, TimeControl, Unlimited
from services.domain.variant import Variant
from services.game.play.game import COMPUTER_ID, Both, Game, Limits, Seat, computer_seat
from services.game.play.moment import UNKNOWN, closes, due
from services.pb.flagfall.v1 import game_pb2 as pb
from services.runtime.wire import colour_to_pb
from tests.integration.races.race_replicas import ANNA, BERT

CONTROLS: tuple[TimeControl, ...] = (
    Unlimited(),
    ClockControl(60_000, 0),
    ClockControl(15_000, 2_000),
    ClockControl(180_000, 5_000),
    PerMove(30_000),
    PerMove(60_000),
    Correspondence(1),
    Correspondence(3),
)
VARIANTS = (*[Variant.STANDARD.value] * 8, *(variant.value for variant in Variant))
FENS = (
    "8/8/4k3/8/8/3K4/7R/8 w - - 96 90",
    "8/8/4k3/8/8/3K4/7R/8 b - - 91 90",
    "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 b - - 0 1",
    "k7/8/8/8/8/8/8/K1B4N b - - 0 1",
    "8/8/8/8/8/2k5/2p5/2K5 b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
)
"""Positions of Standard in which something ends, or may be claimed, within a few moves."""
AWAY_MS = (None, None, 4_999, 5_000, 19_999, 20_000, 60_000, 600_000)
GIFTS_MS = (5_000, 15_000, 60_000, 4_999, 61_000)


@dataclass(frozen=True)
class LifeTerms:
    """What a game is begun with."""

    control: TimeControl
    rule_set: RuleSet
    variant: str
    fen: str
    rated: bool
    white: Seat
    black: Seat
    shuffling: bool
    """Its players like to move to and fro, so that positions repeat."""


def draw_terms(chance: random.Random) -> LifeTerms:
    """Any control, preset and variant; one game in four is played against the computer."""
    rules = PRESETS[chance.choice(sorted(PRESETS))]
    if chance.random() < 0.5:
        rules = replace(rules, takeback=Takeback.BY_CONSENT)
    if chance.random() < 0.4:
        rules = replace(rules, absent_player=chance.choice(list(AbsentPlayer)))
    if chance.random() < 0.2:
        rules = replace(rules, fallen_flag=FallenFlag.OPPONENT_DECIDES)
    variant = chance.choice(VARIANTS)
    fen = chance.choice(FENS) if variant == Variant.STANDARD and chance.random() < 0.3 else ""
    white, black = chance.choice([(ANNA, BERT), (BERT, ANNA)])
    computer = chance.random() < 0.25
    if computer:
        level = chance.randint(1, 10)
        white, black = chance.choice([(ANNA, computer_seat(level)), (computer_seat(level), ANNA)])
    rated = not computer and chance.random() < 0.5
    return LifeTerms(chance.choice(CONTROLS), rules, variant, fen, rated, white, black, chance.random() < 0.4)


@dataclass
class Absences:
    """Who is away, as the test says; see `Presence`."""

    known: dict[str, Both[int | None]] = field(default_factory=dict)

    async def away_ms(self, games: Sequence[Game]) -> Mapping[str, Both[int | None]]:
        """For how long each side has been away."""
        return {game.terms.id: self.known.get(game.terms.id, UNKNOWN) for game in games}

    def draw(self, game_id: str, kind: str, chance: random.Random) -> None:
        """Somebody comes or goes; often far away where that matters."""
        choices = AWAY_MS[-3:] if kind in ("take_seat", "claim_win") and chance.random() < 0.6 else AWAY_MS
        one, other = chance.choice(choices), chance.choice(AWAY_MS)
        self.known[game_id] = chance.choice((Both(one, other), Both(other, one)))


def draw_moment(game: Game, kind: str, now_ms: int, limits: Limits, chance: random.Random) -> int:
    """A moment at which something is received: soon, late, or beside one that decides."""
    near = [moment for moment in (due(game, limits, Outages()), closes(game, limits, Outages())) if moment is not None]
    near += [game.clock.turn_started_ms + limits.idle_days * limits.day_ms]
    if game.ended_ms is not None:
        near.append(game.ended_ms + limits.undo_ms)
    roll = chance.random()
    if roll < {"flag": 0.5, "claim_win": 0.4}.get(kind, 0.08):
        beside = (-1, 0, 1, limits.flag_grace_ms - 1, limits.flag_grace_ms, limits.flag_grace_ms + 1)
        return chance.choice(near) + chance.choice(beside)
    roll = chance.random()
    if roll < 0.07:
        return now_ms - chance.randint(0, 3_000)
    return now_ms + (chance.randint(0, 12_000) if roll < 0.12 else chance.randint(0, 900))


ACTIONS = {
    "move": 50,
    "flag": 9,
    "offer_draw": 6,
    "close_draw": 3,
    "claim_draw": 5,
    "offer_takeback": 7,
    "close_takeback": 2,
    "undo": 3,
    "claim_win": 5,
    "go_on": 2,
    "give_time": 5,
    "set_level": 2,
    "take_seat": 5,
    "return_seat": 3,
    "take_hint": 2,
    "resign": 1,
    "abort": 1,
}
"""Every kind of command but beats and the starting of clocks, with how often it is drawn."""


def draw_command(game: Game, line: Sequence[str], shuffling: bool, chance: random.Random) -> pb.Command:
    """Any command by anybody; moves mostly by the side to move."""
    weights: dict[str, float] = dict(ACTIONS)
    if game.terms.against_computer:
        weights |= {"undo": 40 if game.outcome is not None else 7, "set_level": 5, "take_hint": 5}
    elif game.outcome is None:
        weights |= {"resign": 0.5, "abort": 0.5}
    if game.extra.pause is not None:
        weights |= {"go_on": 40, "claim_win": 8, "move": 10}
    (kind,) = chance.choices(list(weights), list(weights.values()))
    command = pb.Command(game_id=game.terms.id, player_id=_who(game, kind, chance))
    if command.player_id and chance.random() < 0.5:  # an id is a player's: the clock has none
        command.command_id = f"c{chance.randrange(10**9)}"
    getattr(command, kind).SetInParent()
    match kind:
        case "move":
            command.move.CopyFrom(_move(game, line, shuffling, chance))
        case "claim_draw" if chance.random() < 0.5:
            command.claim_draw.move = _move(game, line, True, chance).text
        case "claim_win":
            command.claim_win.draw = chance.random() < 0.3
        case "give_time":
            command.give_time.ms = chance.choice(GIFTS_MS)
        case "set_level":
            command.set_level.level = chance.randint(0, 11)
        case "take_seat":
            command.take_seat.side = colour_to_pb(chance.choice(list(Colour)))
        case "flag":
            command.flag.version = game.version if chance.random() < 0.85 else game.version + chance.choice((-1, 1))
        case _:
            pass
    return command


def _who(game: Game, kind: str, chance: random.Random) -> str:
    if kind == "flag":
        return "" if chance.random() < 0.95 else "anna"
    mover, other = game.terms.seat(game.turn).player_id, game.terms.seat(game.turn.other).player_id
    if kind == "move" and chance.random() < 0.8:
        return COMPUTER_ID if game.extra.held.of(game.turn) and chance.random() < 0.6 else mover
    if game.terms.against_computer and chance.random() < 0.7:
        return "anna"
    return chance.choices((mover, other, COMPUTER_ID, "w1", ""), (44, 44, 6, 4, 2))[0]


def _move(game: Game, line: Sequence[str], shuffling: bool, chance: random.Random) -> pb.Move:
    legal = game.standing.legal.split()
    text = (
        chance.choice(legal) if legal and chance.random() < 0.95 else chance.choice(("e2e4", "O-O", "Nf3", "zz", "x"))
    )
    if shuffling and len(line) >= 2 and chance.random() < 0.8:
        back = line[-2][2:4] + line[-2][:2]
        text = back if back in legal else text
    move = pb.Move(text=text, offer_draw=chance.random() < 0.02)
    if chance.random() < 0.3:
        move.ply = game.ply if chance.random() < 0.9 else game.ply + chance.choice((-1, 1))
    if chance.random() < 0.3:
        move.takebacks = game.extra.takebacks if chance.random() < 0.9 else game.extra.takebacks + 1
    return move
