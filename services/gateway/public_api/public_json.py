"""Games as objects of the public API: `gameFull`, `gameState`, entries of `nowPlaying`, games in events.

Pure: the current time is an argument. docs/http-api.md describes the objects.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from services.domain.clock import both_have_moved
from services.domain.colour import Colour
from services.domain.rating import perf_key
from services.domain.time_control import (
    MOVES_ESTIMATED,
    ClockControl,
    Correspondence,
    PerMove,
    Speed,
    Unlimited,
    speed_of,
)
from services.domain.variant import Variant
from services.gateway.answers.answer import if_any
from services.gateway.answers.games import (
    Compat,
    Expiration,
    GameClock,
    GameFull,
    HintLine,
    Moved,
    NamedUser,
    NamedVariant,
    Opponent,
    OpponentGone,
    OwnGame,
    PerfName,
    ShownClock,
    ShownSide,
    Side,
    Status,
    StatusName,
)
from services.gateway.protocol.absence import Absence
from services.gateway.protocol.server_frames import Pause
from services.pb.flagfall.v1 import common_pb2, events_pb2
from services.pb.flagfall.v1.game_pb2 import PlayedMove
from services.runtime.wire import colour_from_pb, rule_set_from_pb, time_control_from_pb

NO_CLOCK_MS = 2_147_483_647
"""The remaining time that the public API shows for a game without a clock."""
START = "startpos"
COMPAT = Compat(bot=True, board=True)

_STATUS_IDS: Mapping[StatusName, int] = {
    "created": 10,
    "started": 20,
    "aborted": 25,
    "mate": 30,
    "resign": 31,
    "stalemate": 32,
    "timeout": 33,
    "draw": 34,
    "outoftime": 35,
    "unknownFinish": 38,
    "variantEnd": 60,
}
_WON: Mapping[int, StatusName] = {
    common_pb2.END_REASON_CHECKMATE: "mate",
    common_pb2.END_REASON_RESIGNATION: "resign",
    common_pb2.END_REASON_FLAG: "outoftime",
    common_pb2.END_REASON_EXPIRY: "outoftime",
    common_pb2.END_REASON_ABSENCE: "timeout",
    common_pb2.END_REASON_UNKNOWN: "unknownFinish",
    common_pb2.END_REASON_UNSPECIFIED: "unknownFinish",
}
"""The status of a game with a winner, by the reason of its end; `variantEnd` for others."""
_NOT_WON: Mapping[int, StatusName] = {
    common_pb2.END_REASON_STALEMATE: "stalemate",
    common_pb2.END_REASON_FLAG: "outoftime",
    common_pb2.END_REASON_EXPIRY: "outoftime",
    common_pb2.END_REASON_ABSENCE: "timeout",
    common_pb2.END_REASON_ABORT: "aborted",
    common_pb2.END_REASON_ABANDONED: "aborted",
    common_pb2.END_REASON_NO_FIRST_MOVE: "aborted",
}
"""The status of a game without a winner, by the reason of its end; `draw` for others."""
_VARIANTS = {str(each): (each.label, each.short) for each in Variant} | {"fromPosition": ("From Position", "FEN")}
_SOURCES = {"open": "friend", "rematch": "friend", "party": "friend"}
"""The public API's word for a game's source, where it differs from ours."""


def status(state: events_pb2.GameState) -> StatusName:
    """The name of a game's status; `started` while it is running."""
    if state.status == events_pb2.GAME_STATUS_STARTED or not state.HasField("outcome"):
        return "started"
    if state.outcome.winner:
        return _WON.get(state.outcome.reason, "variantEnd")
    return _NOT_WON.get(state.outcome.reason, "draw")


def status_object(state: events_pb2.GameState) -> Status:
    """A game's status: its number and its name."""
    name = status(state)
    return Status(id=_STATUS_IDS[name], name=name)


def winner(state: events_pb2.GameState) -> Colour | None:
    """The winner's colour; None for a draw, an aborted game or a running one."""
    return colour_from_pb(state.outcome.winner) if state.HasField("outcome") else None


def variant_key(key: str, initial_fen: str) -> str:
    """The variant's key. A standard game from a given position has its own key: clients set up the board by it."""
    return "fromPosition" if key == "standard" and initial_fen else key


def variant(key: str, initial_fen: str) -> NamedVariant:
    """The variant; `name` is spelled as chess libraries know it."""
    key = variant_key(key, initial_fen)
    name, short = _VARIANTS.get(key, (key, key))
    return NamedVariant(key=key, name=name, short=short)


def pace(control: common_pb2.TimeControl) -> Speed:
    """The speed: ultraBullet, bullet, blitz, rapid, classical or correspondence."""
    return speed_of(time_control_from_pb(control))


def perf(variant_key: str, control: common_pb2.TimeControl) -> str:
    """The key of a game's rating: the speed for standard chess (from any position), else the variant."""
    return perf_key(variant_key, speed_of(time_control_from_pb(control)))


def perf_name(key: str) -> str:
    """The name of such a key for people."""
    name, _ = _VARIANTS.get(key, (key[:1].upper() + key[1:], ""))
    return name


def has_clock(control: common_pb2.TimeControl, state: events_pb2.GameState) -> bool:
    """Whether there is a time limit. Some games have none, and some continue without their clock."""
    return not control.HasField("unlimited") and not state.without_clock


def clocks(control: common_pb2.TimeControl, state: events_pb2.GameState, now_ms: int) -> tuple[int, int]:
    """White's and Black's time at `now_ms`, in ms: for the game or the turn; `NO_CLOCK_MS` without a limit."""
    if not has_clock(control, state):
        return NO_CLOCK_MS, NO_CLOCK_MS
    white_ms, black_ms = state.white_ms, state.black_ms
    if state.running:
        spent_ms = max(0, now_ms - state.at_ms)
        if state.turn == common_pb2.COLOR_WHITE:
            white_ms = max(0, white_ms - spent_ms)
        else:
            black_ms = max(0, black_ms - spent_ms)
    return min(white_ms, NO_CLOCK_MS), min(black_ms, NO_CLOCK_MS)


def increment_ms(control: common_pb2.TimeControl) -> int:
    """The increment in ms; 0 without a clock."""
    return control.clock.increment_ms if control.HasField("clock") else 0


def game_state(
    info: events_pb2.GameInfo, state: events_pb2.GameState, moves: str, turn_began_ms: int, now_ms: int
) -> Moved:
    """A `gameState`. `moves` are all moves in UCI; `turn_began_ms` is when the current turn began (Unix time)."""
    white_ms, black_ms = clocks(info.time_control, state, now_ms)
    added_ms = 0 if state.without_clock else increment_ms(info.time_control)
    name = status(state)
    expiration: Expiration | UnsetType = UNSET
    if state.deadline_kind == events_pb2.DEADLINE_KIND_FIRST_MOVE and name == "started":
        expiration = Expiration(
            idle_millis=max(0, now_ms - turn_began_ms), millis_to_move=max(0, state.deadline_ms - turn_began_ms)
        )
    return Moved(
        moves=moves,
        wtime=white_ms,
        btime=black_ms,
        winc=added_ms,
        binc=added_ms,
        status=name,
        winner=if_any(winner(state)),
        wdraw=state.draw_offer == common_pb2.COLOR_WHITE or UNSET,
        bdraw=state.draw_offer == common_pb2.COLOR_BLACK or UNSET,
        wtakeback=state.takeback_offer == common_pb2.COLOR_WHITE or UNSET,
        btakeback=state.takeback_offer == common_pb2.COLOR_BLACK or UNSET,
        paused=_pause(state.pause) if state.HasField("pause") else UNSET,
        expiration=expiration,
    )


def _pause(message: events_pb2.Pause) -> Pause:
    return Pause(
        flagged=Colour.BLACK if message.flagged == common_pb2.COLOR_BLACK else Colour.WHITE,
        since=message.since_ms,
        going_on_offered=message.going_on_offered,
        winner=colour_from_pb(message.outcome.winner),
    )


def rated(info: events_pb2.GameInfo, state: events_pb2.GameState) -> bool:
    """Whether a game is rated: it started as rated, and nothing has made it unrated since."""
    return info.rated and not state.unrated


class Standing(NamedTuple):
    """A player's rating at the start and its change by the game; nothing is set without a rating."""

    rating: int | UnsetType = UNSET
    provisional: bool | UnsetType = UNSET
    difference: int | UnsetType = UNSET


def standing(player: events_pb2.Player, difference: int | None = None) -> Standing:
    """The rating of a player, which a game has changed by `difference`."""
    if not player.rating:
        return Standing()
    return Standing(player.rating, player.provisional, if_any(difference))


def differences(state: events_pb2.GameState) -> tuple[int | None, int | None]:
    """The change of White's and of Black's rating; None for an unrated or running game."""
    return (
        state.white_rating_diff if state.HasField("white_rating_diff") else None,
        state.black_rating_diff if state.HasField("black_rating_diff") else None,
    )


def opponent_gone(absence: Absence) -> OpponentGone:
    """The line `opponentGone`. With the seconds until a claim is possible, if the rule set allows claims."""
    claim_in_s = UNSET if absence.claim_in_ms is None else -(-absence.claim_in_ms // 1000)
    return OpponentGone(gone=absence.gone, claim_win_in_seconds=claim_in_s)


def side(player: events_pb2.Player, difference: int | None = None) -> Side:
    """A player of a running game."""
    if player.computer_level:
        return Side(id=None, name=player.name, title=None, ai_level=player.computer_level)
    if not player.id:  # in an imported game
        return Side(id=None, name=player.name, title=player.title or None)
    rating, provisional, change = standing(player, difference)
    return Side(
        id=player.id,
        name=player.name,
        title=player.title or None,
        rating=rating,
        provisional=provisional,
        rating_diff=change,
    )


def shown_side(player: events_pb2.Player, difference: int | None = None) -> ShownSide:
    """A player of a game that is exported or watched."""
    if player.computer_level:
        return ShownSide(ai_level=player.computer_level)
    if not player.id:  # in an imported game
        return ShownSide(name=player.name)
    user = NamedUser(id=player.id, name=player.name, title=player.title or UNSET)
    rating, provisional, change = standing(player, difference)
    return ShownSide(user=user, rating=rating, provisional=provisional, rating_diff=change)


class ShownTime(NamedTuple):
    """The time of a game that is exported or listed: at most one of these is set."""

    clock: ShownClock | UnsetType = UNSET
    seconds_per_turn: int | UnsetType = UNSET
    days_per_turn: int | UnsetType = UNSET


def shown_time(control: common_pb2.TimeControl) -> ShownTime:
    """The time of such a game, in seconds or days. `totalTime` estimates one side's total time."""
    match time_control_from_pb(control):
        case ClockControl(initial_ms, added_ms):
            initial, increment = initial_ms // 1000, added_ms // 1000
            total = initial + MOVES_ESTIMATED * increment
            return ShownTime(clock=ShownClock(initial=initial, increment=increment, total_time=total))
        case PerMove(turn_ms):
            return ShownTime(seconds_per_turn=turn_ms // 1000)
        case Correspondence(days):
            return ShownTime(days_per_turn=days)
        case Unlimited():
            return ShownTime()


def source(info: events_pb2.GameInfo) -> str:
    """The public API's word for a game's source."""
    return _SOURCES.get(info.source, info.source)


def game_full(
    info: events_pb2.GameInfo, state: events_pb2.GameState, moves: str, turn_began_ms: int, now_ms: int
) -> GameFull:
    """A `gameFull` with its first `gameState`."""
    of_white, of_black = differences(state)
    control = info.time_control
    clock: GameClock | UnsetType = UNSET
    if control.HasField("clock"):
        clock = GameClock(initial=control.clock.initial_ms, increment=control.clock.increment_ms)
    _, seconds_per_turn, days_per_turn = shown_time(control)
    return GameFull(
        id=info.id,
        variant=variant(info.variant, info.initial_fen),
        speed=pace(control),
        perf=PerfName(name=perf_name(perf(info.variant, control))),
        rated=rated(info, state),
        created_at=info.created_ms,
        white=side(info.white, of_white),
        black=side(info.black, of_black),
        initial_fen=info.initial_fen or START,
        rule_set=rule_set_from_pb(info.rule_set).name,
        state=game_state(info, state, moves, turn_began_ms, now_ms),
        clock=clock,
        seconds_per_turn=seconds_per_turn,
        days_per_turn=days_per_turn,
    )


def hint(message: events_pb2.Hint) -> HintLine:
    """A hint as a line of the player's own stream. The public API has no such line, so only players who ask get one."""
    return HintLine(ply=message.ply, uci=message.uci, san=message.san)


def turn_began_ms(info: events_pb2.GameInfo, moves: Sequence[PlayedMove]) -> int:
    """When the current turn began, as Unix time in ms."""
    return moves[-1].at_ms if moves else info.created_ms


def colour_of(info: events_pb2.GameInfo, player_id: str) -> common_pb2.Color:
    """The side that a player has in a game; UNSPECIFIED for others."""
    if player_id and player_id == info.white.id:
        return common_pb2.COLOR_WHITE
    if player_id and player_id == info.black.id:
        return common_pb2.COLOR_BLACK
    return common_pb2.COLOR_UNSPECIFIED


def game_info(summary: events_pb2.GameSummary, player_id: str, now_ms: int) -> OwnGame:
    """A game as its player `player_id` sees it, in `nowPlaying`, `gameStart` and `gameFinish`."""
    info, state = summary.info, summary.state
    white = info.white.id == player_id
    me, opponent = (info.white, info.black) if white else (info.black, info.white)
    mine = common_pb2.COLOR_WHITE if white else common_pb2.COLOR_BLACK
    own_difference, other_difference = differences(state) if white else reversed(differences(state))
    going_on = state.status == events_pb2.GAME_STATUS_STARTED
    seconds_left: int | UnsetType = UNSET
    if has_clock(info.time_control, state):
        seconds_left = clocks(info.time_control, state, now_ms)[0 if white else 1] // 1000
    return OwnGame(
        id=info.id,
        game_id=info.id,
        full_id=info.id,
        color=Colour.WHITE if white else Colour.BLACK,
        fen=state.fen,
        has_moved=_has_moved(state, mine),
        is_my_turn=going_on and state.turn == mine,
        last_move=state.last_uci,
        opponent=_opponent(opponent, other_difference),
        perf=perf(info.variant, info.time_control),
        rated=rated(info, state),
        source=source(info),
        status=status_object(state),
        speed=pace(info.time_control),
        variant=variant(info.variant, info.initial_fen),
        rule_set=rule_set_from_pb(info.rule_set).name,
        compat=COMPAT,
        rating=me.rating or UNSET,
        rating_diff=if_any(own_difference),
        seconds_left=seconds_left,
        winner=if_any(winner(state)),
    )


def _opponent(player: events_pb2.Player, difference: int | None) -> Opponent:
    if player.computer_level:
        return Opponent(id=None, username=player.name, ai=player.computer_level)
    rating, _, change = standing(player, difference)
    return Opponent(id=player.id, username=player.name, rating=rating, rating_diff=change, title=player.title or UNSET)


def _has_moved(state: events_pb2.GameState, colour: common_pb2.Color) -> bool:
    """Whether a side has moved, whichever side began. After one ply, the side that is not to move has moved."""
    return both_have_moved(state.ply) or (state.ply == 1 and state.turn != colour)
