from services.pb.flagfall.v1 import common_pb2 as _common_pb2
from services.pb.flagfall.v1 import events_pb2 as _events_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_RESULT_UNSPECIFIED: _ClassVar[GameResult]
    GAME_RESULT_WON: _ClassVar[GameResult]
    GAME_RESULT_LOST: _ClassVar[GameResult]
    GAME_RESULT_DRAWN: _ClassVar[GameResult]

class ChallengeAnswer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHALLENGE_ANSWER_UNSPECIFIED: _ClassVar[ChallengeAnswer]
    CHALLENGE_ANSWER_ACCEPT: _ClassVar[ChallengeAnswer]
    CHALLENGE_ANSWER_DECLINE: _ClassVar[ChallengeAnswer]
    CHALLENGE_ANSWER_CANCEL: _ClassVar[ChallengeAnswer]
GAME_RESULT_UNSPECIFIED: GameResult
GAME_RESULT_WON: GameResult
GAME_RESULT_LOST: GameResult
GAME_RESULT_DRAWN: GameResult
CHALLENGE_ANSWER_UNSPECIFIED: ChallengeAnswer
CHALLENGE_ANSWER_ACCEPT: ChallengeAnswer
CHALLENGE_ANSWER_DECLINE: ChallengeAnswer
CHALLENGE_ANSWER_CANCEL: ChallengeAnswer

class Command(_message.Message):
    __slots__ = ("game_id", "player_id", "command_id", "move", "resign", "abort", "offer_draw", "close_draw", "flag", "beat", "claim_draw", "offer_takeback", "close_takeback", "undo", "claim_win", "go_on", "give_time", "set_level", "take_seat", "return_seat", "take_hint", "start_clocks", "traceparent")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    RESIGN_FIELD_NUMBER: _ClassVar[int]
    ABORT_FIELD_NUMBER: _ClassVar[int]
    OFFER_DRAW_FIELD_NUMBER: _ClassVar[int]
    CLOSE_DRAW_FIELD_NUMBER: _ClassVar[int]
    FLAG_FIELD_NUMBER: _ClassVar[int]
    BEAT_FIELD_NUMBER: _ClassVar[int]
    CLAIM_DRAW_FIELD_NUMBER: _ClassVar[int]
    OFFER_TAKEBACK_FIELD_NUMBER: _ClassVar[int]
    CLOSE_TAKEBACK_FIELD_NUMBER: _ClassVar[int]
    UNDO_FIELD_NUMBER: _ClassVar[int]
    CLAIM_WIN_FIELD_NUMBER: _ClassVar[int]
    GO_ON_FIELD_NUMBER: _ClassVar[int]
    GIVE_TIME_FIELD_NUMBER: _ClassVar[int]
    SET_LEVEL_FIELD_NUMBER: _ClassVar[int]
    TAKE_SEAT_FIELD_NUMBER: _ClassVar[int]
    RETURN_SEAT_FIELD_NUMBER: _ClassVar[int]
    TAKE_HINT_FIELD_NUMBER: _ClassVar[int]
    START_CLOCKS_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    player_id: str
    command_id: str
    move: Move
    resign: Resign
    abort: Abort
    offer_draw: OfferDraw
    close_draw: CloseDraw
    flag: Flag
    beat: Beat
    claim_draw: ClaimDraw
    offer_takeback: OfferTakeback
    close_takeback: CloseTakeback
    undo: Undo
    claim_win: ClaimWin
    go_on: GoOn
    give_time: GiveTime
    set_level: SetLevel
    take_seat: TakeSeat
    return_seat: ReturnSeat
    take_hint: TakeHint
    start_clocks: StartClocks
    traceparent: str
    def __init__(self, game_id: _Optional[str] = ..., player_id: _Optional[str] = ..., command_id: _Optional[str] = ..., move: _Optional[_Union[Move, _Mapping]] = ..., resign: _Optional[_Union[Resign, _Mapping]] = ..., abort: _Optional[_Union[Abort, _Mapping]] = ..., offer_draw: _Optional[_Union[OfferDraw, _Mapping]] = ..., close_draw: _Optional[_Union[CloseDraw, _Mapping]] = ..., flag: _Optional[_Union[Flag, _Mapping]] = ..., beat: _Optional[_Union[Beat, _Mapping]] = ..., claim_draw: _Optional[_Union[ClaimDraw, _Mapping]] = ..., offer_takeback: _Optional[_Union[OfferTakeback, _Mapping]] = ..., close_takeback: _Optional[_Union[CloseTakeback, _Mapping]] = ..., undo: _Optional[_Union[Undo, _Mapping]] = ..., claim_win: _Optional[_Union[ClaimWin, _Mapping]] = ..., go_on: _Optional[_Union[GoOn, _Mapping]] = ..., give_time: _Optional[_Union[GiveTime, _Mapping]] = ..., set_level: _Optional[_Union[SetLevel, _Mapping]] = ..., take_seat: _Optional[_Union[TakeSeat, _Mapping]] = ..., return_seat: _Optional[_Union[ReturnSeat, _Mapping]] = ..., take_hint: _Optional[_Union[TakeHint, _Mapping]] = ..., start_clocks: _Optional[_Union[StartClocks, _Mapping]] = ..., traceparent: _Optional[str] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("text", "ply", "offer_draw", "takebacks", "thought_ms")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    OFFER_DRAW_FIELD_NUMBER: _ClassVar[int]
    TAKEBACKS_FIELD_NUMBER: _ClassVar[int]
    THOUGHT_MS_FIELD_NUMBER: _ClassVar[int]
    text: str
    ply: int
    offer_draw: bool
    takebacks: int
    thought_ms: int
    def __init__(self, text: _Optional[str] = ..., ply: _Optional[int] = ..., offer_draw: _Optional[bool] = ..., takebacks: _Optional[int] = ..., thought_ms: _Optional[int] = ...) -> None: ...

class Resign(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Abort(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class OfferDraw(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CloseDraw(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ClaimDraw(_message.Message):
    __slots__ = ("move",)
    MOVE_FIELD_NUMBER: _ClassVar[int]
    move: str
    def __init__(self, move: _Optional[str] = ...) -> None: ...

class OfferTakeback(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CloseTakeback(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Undo(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ClaimWin(_message.Message):
    __slots__ = ("draw",)
    DRAW_FIELD_NUMBER: _ClassVar[int]
    draw: bool
    def __init__(self, draw: _Optional[bool] = ...) -> None: ...

class GoOn(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GiveTime(_message.Message):
    __slots__ = ("ms",)
    MS_FIELD_NUMBER: _ClassVar[int]
    ms: int
    def __init__(self, ms: _Optional[int] = ...) -> None: ...

class SetLevel(_message.Message):
    __slots__ = ("level",)
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    level: int
    def __init__(self, level: _Optional[int] = ...) -> None: ...

class TakeSeat(_message.Message):
    __slots__ = ("side",)
    SIDE_FIELD_NUMBER: _ClassVar[int]
    side: _common_pb2.Color
    def __init__(self, side: _Optional[_Union[_common_pb2.Color, str]] = ...) -> None: ...

class ReturnSeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StartClocks(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TakeHint(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Flag(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: int
    def __init__(self, version: _Optional[int] = ...) -> None: ...

class Beat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SubmitRequest(_message.Message):
    __slots__ = ("commands",)
    COMMANDS_FIELD_NUMBER: _ClassVar[int]
    commands: _containers.RepeatedCompositeFieldContainer[Command]
    def __init__(self, commands: _Optional[_Iterable[_Union[Command, _Mapping]]] = ...) -> None: ...

class SubmitResponse(_message.Message):
    __slots__ = ("replies",)
    REPLIES_FIELD_NUMBER: _ClassVar[int]
    replies: _containers.RepeatedCompositeFieldContainer[Reply]
    def __init__(self, replies: _Optional[_Iterable[_Union[Reply, _Mapping]]] = ...) -> None: ...

class Reply(_message.Message):
    __slots__ = ("accepted", "refusal", "searching")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    SEARCHING_FIELD_NUMBER: _ClassVar[int]
    accepted: Accepted
    refusal: _common_pb2.Refusal
    searching: bool
    def __init__(self, accepted: _Optional[_Union[Accepted, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ..., searching: _Optional[bool] = ...) -> None: ...

class Accepted(_message.Message):
    __slots__ = ("version", "state", "repeated", "event", "mode")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REPEATED_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    version: int
    state: _events_pb2.GameState
    repeated: bool
    event: _events_pb2.GameEvent
    mode: str
    def __init__(self, version: _Optional[int] = ..., state: _Optional[_Union[_events_pb2.GameState, _Mapping]] = ..., repeated: _Optional[bool] = ..., event: _Optional[_Union[_events_pb2.GameEvent, _Mapping]] = ..., mode: _Optional[str] = ...) -> None: ...

class FetchRequest(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[FetchItem]
    def __init__(self, items: _Optional[_Iterable[_Union[FetchItem, _Mapping]]] = ...) -> None: ...

class FetchItem(_message.Message):
    __slots__ = ("game_id", "since_version")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_VERSION_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    since_version: int
    def __init__(self, game_id: _Optional[str] = ..., since_version: _Optional[int] = ...) -> None: ...

class FetchLateRequest(_message.Message):
    __slots__ = ("items", "late_ms")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    LATE_MS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[FetchItem]
    late_ms: int
    def __init__(self, items: _Optional[_Iterable[_Union[FetchItem, _Mapping]]] = ..., late_ms: _Optional[int] = ...) -> None: ...

class FetchResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[Fetched]
    def __init__(self, results: _Optional[_Iterable[_Union[Fetched, _Mapping]]] = ...) -> None: ...

class FetchLateResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[Fetched]
    def __init__(self, results: _Optional[_Iterable[_Union[Fetched, _Mapping]]] = ...) -> None: ...

class Fetched(_message.Message):
    __slots__ = ("up_to_date", "events", "snapshot", "refusal")
    UP_TO_DATE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    up_to_date: UpToDate
    events: Events
    snapshot: Snapshot
    refusal: _common_pb2.Refusal
    def __init__(self, up_to_date: _Optional[_Union[UpToDate, _Mapping]] = ..., events: _Optional[_Union[Events, _Mapping]] = ..., snapshot: _Optional[_Union[Snapshot, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class UpToDate(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: int
    def __init__(self, version: _Optional[int] = ...) -> None: ...

class Events(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_events_pb2.GameEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[_events_pb2.GameEvent, _Mapping]]] = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ("info", "state", "moves", "rematch_id")
    INFO_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    REMATCH_ID_FIELD_NUMBER: _ClassVar[int]
    info: _events_pb2.GameInfo
    state: _events_pb2.GameState
    moves: _containers.RepeatedCompositeFieldContainer[PlayedMove]
    rematch_id: str
    def __init__(self, info: _Optional[_Union[_events_pb2.GameInfo, _Mapping]] = ..., state: _Optional[_Union[_events_pb2.GameState, _Mapping]] = ..., moves: _Optional[_Iterable[_Union[PlayedMove, _Mapping]]] = ..., rematch_id: _Optional[str] = ...) -> None: ...

class PlayedMove(_message.Message):
    __slots__ = ("uci", "san", "clock_ms", "at_ms", "by_computer")
    UCI_FIELD_NUMBER: _ClassVar[int]
    SAN_FIELD_NUMBER: _ClassVar[int]
    CLOCK_MS_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    BY_COMPUTER_FIELD_NUMBER: _ClassVar[int]
    uci: str
    san: str
    clock_ms: int
    at_ms: int
    by_computer: bool
    def __init__(self, uci: _Optional[str] = ..., san: _Optional[str] = ..., clock_ms: _Optional[int] = ..., at_ms: _Optional[int] = ..., by_computer: _Optional[bool] = ...) -> None: ...

class CreateComputerGameRequest(_message.Message):
    __slots__ = ("player_id", "level", "color", "variant", "rule_set", "time_control", "initial_fen")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    INITIAL_FEN_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    level: int
    color: _common_pb2.Color
    variant: str
    rule_set: _common_pb2.RuleSet
    time_control: _common_pb2.TimeControl
    initial_fen: str
    def __init__(self, player_id: _Optional[str] = ..., level: _Optional[int] = ..., color: _Optional[_Union[_common_pb2.Color, str]] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[_common_pb2.TimeControl, _Mapping]] = ..., initial_fen: _Optional[str] = ...) -> None: ...

class CreateComputerGameResponse(_message.Message):
    __slots__ = ("game", "refusal")
    GAME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    game: _events_pb2.GameSummary
    refusal: _common_pb2.Refusal
    def __init__(self, game: _Optional[_Union[_events_pb2.GameSummary, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ImportGameRequest(_message.Message):
    __slots__ = ("player_id", "pgn")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    PGN_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    pgn: bytes
    def __init__(self, player_id: _Optional[str] = ..., pgn: _Optional[bytes] = ...) -> None: ...

class ImportGameResponse(_message.Message):
    __slots__ = ("game", "refusal")
    GAME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    game: _events_pb2.GameSummary
    refusal: _common_pb2.Refusal
    def __init__(self, game: _Optional[_Union[_events_pb2.GameSummary, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ListGamesRequest(_message.Message):
    __slots__ = ("player_id", "ongoing", "limit")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    ONGOING_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    ongoing: bool
    limit: int
    def __init__(self, player_id: _Optional[str] = ..., ongoing: _Optional[bool] = ..., limit: _Optional[int] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[_events_pb2.GameSummary]
    def __init__(self, games: _Optional[_Iterable[_Union[_events_pb2.GameSummary, _Mapping]]] = ...) -> None: ...

class SearchGamesRequest(_message.Message):
    __slots__ = ("player_id", "opponent_id", "variant", "result", "rated", "from_ms", "until_ms", "after_game_id", "limit", "ended", "color", "oldest_first")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    FROM_MS_FIELD_NUMBER: _ClassVar[int]
    UNTIL_MS_FIELD_NUMBER: _ClassVar[int]
    AFTER_GAME_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    OLDEST_FIRST_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    opponent_id: str
    variant: str
    result: GameResult
    rated: bool
    from_ms: int
    until_ms: int
    after_game_id: str
    limit: int
    ended: bool
    color: _common_pb2.Color
    oldest_first: bool
    def __init__(self, player_id: _Optional[str] = ..., opponent_id: _Optional[str] = ..., variant: _Optional[str] = ..., result: _Optional[_Union[GameResult, str]] = ..., rated: _Optional[bool] = ..., from_ms: _Optional[int] = ..., until_ms: _Optional[int] = ..., after_game_id: _Optional[str] = ..., limit: _Optional[int] = ..., ended: _Optional[bool] = ..., color: _Optional[_Union[_common_pb2.Color, str]] = ..., oldest_first: _Optional[bool] = ...) -> None: ...

class SearchGamesResponse(_message.Message):
    __slots__ = ("games", "refusal")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    games: GameSummaries
    refusal: _common_pb2.Refusal
    def __init__(self, games: _Optional[_Union[GameSummaries, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class GameSummaries(_message.Message):
    __slots__ = ("games", "more")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[_events_pb2.GameSummary]
    more: bool
    def __init__(self, games: _Optional[_Iterable[_Union[_events_pb2.GameSummary, _Mapping]]] = ..., more: _Optional[bool] = ...) -> None: ...

class AskHintRequest(_message.Message):
    __slots__ = ("game_id", "player_id", "command_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    COMMAND_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    player_id: str
    command_id: str
    def __init__(self, game_id: _Optional[str] = ..., player_id: _Optional[str] = ..., command_id: _Optional[str] = ...) -> None: ...

class AskHintResponse(_message.Message):
    __slots__ = ("accepted", "refusal")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    accepted: Accepted
    refusal: _common_pb2.Refusal
    def __init__(self, accepted: _Optional[_Union[Accepted, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class GiveHintRequest(_message.Message):
    __slots__ = ("game_id", "ply", "takebacks", "uci")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    TAKEBACKS_FIELD_NUMBER: _ClassVar[int]
    UCI_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    ply: int
    takebacks: int
    uci: str
    def __init__(self, game_id: _Optional[str] = ..., ply: _Optional[int] = ..., takebacks: _Optional[int] = ..., uci: _Optional[str] = ...) -> None: ...

class GiveHintResponse(_message.Message):
    __slots__ = ("refusal",)
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    refusal: _common_pb2.Refusal
    def __init__(self, refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class SetConditionalMovesRequest(_message.Message):
    __slots__ = ("game_id", "player_id", "lines")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    player_id: str
    lines: _containers.RepeatedCompositeFieldContainer[ConditionalLine]
    def __init__(self, game_id: _Optional[str] = ..., player_id: _Optional[str] = ..., lines: _Optional[_Iterable[_Union[ConditionalLine, _Mapping]]] = ...) -> None: ...

class ConditionalLine(_message.Message):
    __slots__ = ("moves",)
    MOVES_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, moves: _Optional[_Iterable[str]] = ...) -> None: ...

class SetConditionalMovesResponse(_message.Message):
    __slots__ = ("lines", "refusal")
    LINES_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    lines: ConditionalLines
    refusal: _common_pb2.Refusal
    def __init__(self, lines: _Optional[_Union[ConditionalLines, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ConditionalLines(_message.Message):
    __slots__ = ("lines", "ply")
    LINES_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[ConditionalLine]
    ply: int
    def __init__(self, lines: _Optional[_Iterable[_Union[ConditionalLine, _Mapping]]] = ..., ply: _Optional[int] = ...) -> None: ...

class GetConditionalMovesRequest(_message.Message):
    __slots__ = ("game_id", "player_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    player_id: str
    def __init__(self, game_id: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class GetConditionalMovesResponse(_message.Message):
    __slots__ = ("lines", "refusal")
    LINES_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    lines: ConditionalLines
    refusal: _common_pb2.Refusal
    def __init__(self, lines: _Optional[_Union[ConditionalLines, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class PostChatRequest(_message.Message):
    __slots__ = ("game_id", "player_id", "room", "text")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    ROOM_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    player_id: str
    room: _events_pb2.ChatRoom
    text: str
    def __init__(self, game_id: _Optional[str] = ..., player_id: _Optional[str] = ..., room: _Optional[_Union[_events_pb2.ChatRoom, str]] = ..., text: _Optional[str] = ...) -> None: ...

class PostChatResponse(_message.Message):
    __slots__ = ("line", "refusal")
    LINE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    line: _events_pb2.ChatLine
    refusal: _common_pb2.Refusal
    def __init__(self, line: _Optional[_Union[_events_pb2.ChatLine, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ListChatRequest(_message.Message):
    __slots__ = ("game_id", "room")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ROOM_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    room: _events_pb2.ChatRoom
    def __init__(self, game_id: _Optional[str] = ..., room: _Optional[_Union[_events_pb2.ChatRoom, str]] = ...) -> None: ...

class ListChatResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedCompositeFieldContainer[_events_pb2.ChatLine]
    def __init__(self, lines: _Optional[_Iterable[_Union[_events_pb2.ChatLine, _Mapping]]] = ...) -> None: ...

class CreateChallengeRequest(_message.Message):
    __slots__ = ("challenger_id", "dest_id", "variant", "rule_set", "time_control", "rated", "color", "initial_fen", "name", "keep_alive", "open", "counter_to", "user_ids", "expires_ms")
    CHALLENGER_ID_FIELD_NUMBER: _ClassVar[int]
    DEST_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    INITIAL_FEN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    KEEP_ALIVE_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    COUNTER_TO_FIELD_NUMBER: _ClassVar[int]
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_MS_FIELD_NUMBER: _ClassVar[int]
    challenger_id: str
    dest_id: str
    variant: str
    rule_set: _common_pb2.RuleSet
    time_control: _common_pb2.TimeControl
    rated: bool
    color: _common_pb2.Color
    initial_fen: str
    name: str
    keep_alive: bool
    open: bool
    counter_to: str
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    expires_ms: int
    def __init__(self, challenger_id: _Optional[str] = ..., dest_id: _Optional[str] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[_common_pb2.TimeControl, _Mapping]] = ..., rated: _Optional[bool] = ..., color: _Optional[_Union[_common_pb2.Color, str]] = ..., initial_fen: _Optional[str] = ..., name: _Optional[str] = ..., keep_alive: _Optional[bool] = ..., open: _Optional[bool] = ..., counter_to: _Optional[str] = ..., user_ids: _Optional[_Iterable[str]] = ..., expires_ms: _Optional[int] = ...) -> None: ...

class CreateChallengeResponse(_message.Message):
    __slots__ = ("challenge", "refusal")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    challenge: _events_pb2.Challenge
    refusal: _common_pb2.Refusal
    def __init__(self, challenge: _Optional[_Union[_events_pb2.Challenge, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class AnswerChallengeRequest(_message.Message):
    __slots__ = ("id", "player_id", "answer", "color", "reason")
    ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    id: str
    player_id: str
    answer: ChallengeAnswer
    color: _common_pb2.Color
    reason: str
    def __init__(self, id: _Optional[str] = ..., player_id: _Optional[str] = ..., answer: _Optional[_Union[ChallengeAnswer, str]] = ..., color: _Optional[_Union[_common_pb2.Color, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class AnswerChallengeResponse(_message.Message):
    __slots__ = ("challenge", "refusal", "game")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    challenge: _events_pb2.Challenge
    refusal: _common_pb2.Refusal
    game: _events_pb2.GameSummary
    def __init__(self, challenge: _Optional[_Union[_events_pb2.Challenge, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ..., game: _Optional[_Union[_events_pb2.GameSummary, _Mapping]] = ...) -> None: ...

class GetChallengeRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetChallengeResponse(_message.Message):
    __slots__ = ("challenge", "refusal")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    challenge: _events_pb2.Challenge
    refusal: _common_pb2.Refusal
    def __init__(self, challenge: _Optional[_Union[_events_pb2.Challenge, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ListChallengesRequest(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class ListChallengesResponse(_message.Message):
    __slots__ = ("incoming", "outgoing")
    INCOMING_FIELD_NUMBER: _ClassVar[int]
    OUTGOING_FIELD_NUMBER: _ClassVar[int]
    incoming: _containers.RepeatedCompositeFieldContainer[_events_pb2.Challenge]
    outgoing: _containers.RepeatedCompositeFieldContainer[_events_pb2.Challenge]
    def __init__(self, incoming: _Optional[_Iterable[_Union[_events_pb2.Challenge, _Mapping]]] = ..., outgoing: _Optional[_Iterable[_Union[_events_pb2.Challenge, _Mapping]]] = ...) -> None: ...

class OfferRematchRequest(_message.Message):
    __slots__ = ("game_id", "player_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    player_id: str
    def __init__(self, game_id: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class OfferRematchResponse(_message.Message):
    __slots__ = ("challenge", "refusal", "game")
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    challenge: _events_pb2.Challenge
    refusal: _common_pb2.Refusal
    game: _events_pb2.GameSummary
    def __init__(self, challenge: _Optional[_Union[_events_pb2.Challenge, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ..., game: _Optional[_Union[_events_pb2.GameSummary, _Mapping]] = ...) -> None: ...

class CreateSeekRequest(_message.Message):
    __slots__ = ("player_id", "variant", "rule_set", "time_control", "rated", "color", "rating_min", "rating_max")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    RATING_MIN_FIELD_NUMBER: _ClassVar[int]
    RATING_MAX_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    variant: str
    rule_set: _common_pb2.RuleSet
    time_control: _common_pb2.TimeControl
    rated: bool
    color: _common_pb2.Color
    rating_min: int
    rating_max: int
    def __init__(self, player_id: _Optional[str] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[_common_pb2.TimeControl, _Mapping]] = ..., rated: _Optional[bool] = ..., color: _Optional[_Union[_common_pb2.Color, str]] = ..., rating_min: _Optional[int] = ..., rating_max: _Optional[int] = ...) -> None: ...

class CreateSeekResponse(_message.Message):
    __slots__ = ("seek", "game", "refusal")
    SEEK_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    seek: _events_pb2.Seek
    game: _events_pb2.GameSummary
    refusal: _common_pb2.Refusal
    def __init__(self, seek: _Optional[_Union[_events_pb2.Seek, _Mapping]] = ..., game: _Optional[_Union[_events_pb2.GameSummary, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class CancelSeekRequest(_message.Message):
    __slots__ = ("id", "player_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    player_id: str
    def __init__(self, id: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class CancelSeekResponse(_message.Message):
    __slots__ = ("refusal",)
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    refusal: _common_pb2.Refusal
    def __init__(self, refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class AcceptSeekRequest(_message.Message):
    __slots__ = ("id", "player_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    player_id: str
    def __init__(self, id: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class AcceptSeekResponse(_message.Message):
    __slots__ = ("game", "refusal")
    GAME_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    game: _events_pb2.GameSummary
    refusal: _common_pb2.Refusal
    def __init__(self, game: _Optional[_Union[_events_pb2.GameSummary, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ListSeeksRequest(_message.Message):
    __slots__ = ("player_id", "limit")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    limit: int
    def __init__(self, player_id: _Optional[str] = ..., limit: _Optional[int] = ...) -> None: ...

class ListSeeksResponse(_message.Message):
    __slots__ = ("seeks",)
    SEEKS_FIELD_NUMBER: _ClassVar[int]
    seeks: _containers.RepeatedCompositeFieldContainer[_events_pb2.Seek]
    def __init__(self, seeks: _Optional[_Iterable[_Union[_events_pb2.Seek, _Mapping]]] = ...) -> None: ...

class KeepAliveRequest(_message.Message):
    __slots__ = ("seek_ids", "player_ids")
    SEEK_IDS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_IDS_FIELD_NUMBER: _ClassVar[int]
    seek_ids: _containers.RepeatedScalarFieldContainer[str]
    player_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seek_ids: _Optional[_Iterable[str]] = ..., player_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class KeepAliveResponse(_message.Message):
    __slots__ = ("gone_seek_ids",)
    GONE_SEEK_IDS_FIELD_NUMBER: _ClassVar[int]
    gone_seek_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, gone_seek_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class CreatePartyRequest(_message.Message):
    __slots__ = ("host_id", "settings")
    HOST_ID_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    host_id: str
    settings: _events_pb2.PartySettings
    def __init__(self, host_id: _Optional[str] = ..., settings: _Optional[_Union[_events_pb2.PartySettings, _Mapping]] = ...) -> None: ...

class CreatePartyResponse(_message.Message):
    __slots__ = ("party", "refusal")
    PARTY_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    party: _events_pb2.Party
    refusal: _common_pb2.Refusal
    def __init__(self, party: _Optional[_Union[_events_pb2.Party, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class GetPartyRequest(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class GetPartyResponse(_message.Message):
    __slots__ = ("party", "refusal")
    PARTY_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    party: _events_pb2.Party
    refusal: _common_pb2.Refusal
    def __init__(self, party: _Optional[_Union[_events_pb2.Party, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ChangePartyRequest(_message.Message):
    __slots__ = ("id", "player_id", "join", "leave", "settings", "start", "host", "close")
    ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    JOIN_FIELD_NUMBER: _ClassVar[int]
    LEAVE_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    CLOSE_FIELD_NUMBER: _ClassVar[int]
    id: str
    player_id: str
    join: PartyJoin
    leave: PartyLeave
    settings: _events_pb2.PartySettings
    start: PartyStart
    host: PartyHost
    close: PartyClose
    def __init__(self, id: _Optional[str] = ..., player_id: _Optional[str] = ..., join: _Optional[_Union[PartyJoin, _Mapping]] = ..., leave: _Optional[_Union[PartyLeave, _Mapping]] = ..., settings: _Optional[_Union[_events_pb2.PartySettings, _Mapping]] = ..., start: _Optional[_Union[PartyStart, _Mapping]] = ..., host: _Optional[_Union[PartyHost, _Mapping]] = ..., close: _Optional[_Union[PartyClose, _Mapping]] = ...) -> None: ...

class PartyJoin(_message.Message):
    __slots__ = ("spectator",)
    SPECTATOR_FIELD_NUMBER: _ClassVar[int]
    spectator: bool
    def __init__(self, spectator: _Optional[bool] = ...) -> None: ...

class PartyLeave(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class PartyStart(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PartyHost(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class PartyClose(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ChangePartyResponse(_message.Message):
    __slots__ = ("party", "refusal", "game")
    PARTY_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    party: _events_pb2.Party
    refusal: _common_pb2.Refusal
    game: _events_pb2.GameSummary
    def __init__(self, party: _Optional[_Union[_events_pb2.Party, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ..., game: _Optional[_Union[_events_pb2.GameSummary, _Mapping]] = ...) -> None: ...

class ListPlayerEventsRequest(_message.Message):
    __slots__ = ("player_id", "since_seq")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SINCE_SEQ_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    since_seq: int
    def __init__(self, player_id: _Optional[str] = ..., since_seq: _Optional[int] = ...) -> None: ...

class ListPlayerEventsResponse(_message.Message):
    __slots__ = ("events", "last_seq")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQ_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_events_pb2.PlayerEvent]
    last_seq: int
    def __init__(self, events: _Optional[_Iterable[_Union[_events_pb2.PlayerEvent, _Mapping]]] = ..., last_seq: _Optional[int] = ...) -> None: ...

class ListEventsOfPlayersRequest(_message.Message):
    __slots__ = ("players",)
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    players: _containers.RepeatedCompositeFieldContainer[ListPlayerEventsRequest]
    def __init__(self, players: _Optional[_Iterable[_Union[ListPlayerEventsRequest, _Mapping]]] = ...) -> None: ...

class ListEventsOfPlayersResponse(_message.Message):
    __slots__ = ("results",)
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[ListPlayerEventsResponse]
    def __init__(self, results: _Optional[_Iterable[_Union[ListPlayerEventsResponse, _Mapping]]] = ...) -> None: ...

class Account(_message.Message):
    __slots__ = ("player", "created_ms", "seen_ms", "games", "wins", "losses", "draws", "playing", "perfs", "vacation_until_ms")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    SEEN_MS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    PERFS_FIELD_NUMBER: _ClassVar[int]
    VACATION_UNTIL_MS_FIELD_NUMBER: _ClassVar[int]
    player: _events_pb2.Player
    created_ms: int
    seen_ms: int
    games: int
    wins: int
    losses: int
    draws: int
    playing: int
    perfs: _containers.RepeatedCompositeFieldContainer[Perf]
    vacation_until_ms: int
    def __init__(self, player: _Optional[_Union[_events_pb2.Player, _Mapping]] = ..., created_ms: _Optional[int] = ..., seen_ms: _Optional[int] = ..., games: _Optional[int] = ..., wins: _Optional[int] = ..., losses: _Optional[int] = ..., draws: _Optional[int] = ..., playing: _Optional[int] = ..., perfs: _Optional[_Iterable[_Union[Perf, _Mapping]]] = ..., vacation_until_ms: _Optional[int] = ...) -> None: ...

class Perf(_message.Message):
    __slots__ = ("variant", "speed", "rating", "deviation", "volatility", "games", "provisional", "progress")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    SPEED_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    DEVIATION_FIELD_NUMBER: _ClassVar[int]
    VOLATILITY_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    variant: str
    speed: str
    rating: float
    deviation: float
    volatility: float
    games: int
    provisional: bool
    progress: int
    def __init__(self, variant: _Optional[str] = ..., speed: _Optional[str] = ..., rating: _Optional[float] = ..., deviation: _Optional[float] = ..., volatility: _Optional[float] = ..., games: _Optional[int] = ..., provisional: _Optional[bool] = ..., progress: _Optional[int] = ...) -> None: ...

class GetRatingHistoryRequest(_message.Message):
    __slots__ = ("player_id", "variant", "speed", "daily", "before_ms", "limit")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    SPEED_FIELD_NUMBER: _ClassVar[int]
    DAILY_FIELD_NUMBER: _ClassVar[int]
    BEFORE_MS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    variant: str
    speed: str
    daily: bool
    before_ms: int
    limit: int
    def __init__(self, player_id: _Optional[str] = ..., variant: _Optional[str] = ..., speed: _Optional[str] = ..., daily: _Optional[bool] = ..., before_ms: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class GetRatingHistoryResponse(_message.Message):
    __slots__ = ("history", "refusal")
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    history: RatingHistory
    refusal: _common_pb2.Refusal
    def __init__(self, history: _Optional[_Union[RatingHistory, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class RatingHistory(_message.Message):
    __slots__ = ("points",)
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedCompositeFieldContainer[RatingPoint]
    def __init__(self, points: _Optional[_Iterable[_Union[RatingPoint, _Mapping]]] = ...) -> None: ...

class RatingPoint(_message.Message):
    __slots__ = ("variant", "speed", "at_ms", "rating", "deviation", "game_id")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    SPEED_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    DEVIATION_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    variant: str
    speed: str
    at_ms: int
    rating: float
    deviation: float
    game_id: str
    def __init__(self, variant: _Optional[str] = ..., speed: _Optional[str] = ..., at_ms: _Optional[int] = ..., rating: _Optional[float] = ..., deviation: _Optional[float] = ..., game_id: _Optional[str] = ...) -> None: ...

class GetProgressRequest(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class GetProgressResponse(_message.Message):
    __slots__ = ("progress", "refusal")
    PROGRESS_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    progress: Progress
    refusal: _common_pb2.Refusal
    def __init__(self, progress: _Optional[_Union[Progress, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class Progress(_message.Message):
    __slots__ = ("beaten", "badges")
    BEATEN_FIELD_NUMBER: _ClassVar[int]
    BADGES_FIELD_NUMBER: _ClassVar[int]
    beaten: _containers.RepeatedCompositeFieldContainer[LevelBeaten]
    badges: _containers.RepeatedCompositeFieldContainer[Badge]
    def __init__(self, beaten: _Optional[_Iterable[_Union[LevelBeaten, _Mapping]]] = ..., badges: _Optional[_Iterable[_Union[Badge, _Mapping]]] = ...) -> None: ...

class LevelBeaten(_message.Message):
    __slots__ = ("variant", "level", "wins", "wins_without_help", "first_ms")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    WINS_WITHOUT_HELP_FIELD_NUMBER: _ClassVar[int]
    FIRST_MS_FIELD_NUMBER: _ClassVar[int]
    variant: str
    level: int
    wins: int
    wins_without_help: int
    first_ms: int
    def __init__(self, variant: _Optional[str] = ..., level: _Optional[int] = ..., wins: _Optional[int] = ..., wins_without_help: _Optional[int] = ..., first_ms: _Optional[int] = ...) -> None: ...

class Badge(_message.Message):
    __slots__ = ("key", "name", "description", "earned_ms")
    KEY_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    EARNED_MS_FIELD_NUMBER: _ClassVar[int]
    key: str
    name: str
    description: str
    earned_ms: int
    def __init__(self, key: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., earned_ms: _Optional[int] = ...) -> None: ...

class SetVacationRequest(_message.Message):
    __slots__ = ("player_id", "days")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    days: int
    def __init__(self, player_id: _Optional[str] = ..., days: _Optional[int] = ...) -> None: ...

class SetVacationResponse(_message.Message):
    __slots__ = ("until_ms", "refusal")
    UNTIL_MS_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    until_ms: int
    refusal: _common_pb2.Refusal
    def __init__(self, until_ms: _Optional[int] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class CreateAccountRequest(_message.Message):
    __slots__ = ("username", "password")
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    username: str
    password: str
    def __init__(self, username: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class CreateAccountResponse(_message.Message):
    __slots__ = ("credential", "refusal")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    credential: Credential
    refusal: _common_pb2.Refusal
    def __init__(self, credential: _Optional[_Union[Credential, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class LogInRequest(_message.Message):
    __slots__ = ("username", "password")
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    username: str
    password: str
    def __init__(self, username: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class LogInResponse(_message.Message):
    __slots__ = ("credential", "refusal")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    credential: Credential
    refusal: _common_pb2.Refusal
    def __init__(self, credential: _Optional[_Union[Credential, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class CreateGuestRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CreateGuestResponse(_message.Message):
    __slots__ = ("credential",)
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    credential: Credential
    def __init__(self, credential: _Optional[_Union[Credential, _Mapping]] = ...) -> None: ...

class Credential(_message.Message):
    __slots__ = ("player", "token", "scopes")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    player: _events_pb2.Player
    token: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, player: _Optional[_Union[_events_pb2.Player, _Mapping]] = ..., token: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ...) -> None: ...

class ResolveTokensRequest(_message.Message):
    __slots__ = ("tokens",)
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, tokens: _Optional[_Iterable[str]] = ...) -> None: ...

class ResolveTokensResponse(_message.Message):
    __slots__ = ("holders",)
    HOLDERS_FIELD_NUMBER: _ClassVar[int]
    holders: _containers.RepeatedCompositeFieldContainer[TokenHolder]
    def __init__(self, holders: _Optional[_Iterable[_Union[TokenHolder, _Mapping]]] = ...) -> None: ...

class TokenHolder(_message.Message):
    __slots__ = ("player", "scopes", "created_ms")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    player: _events_pb2.Player
    scopes: _containers.RepeatedScalarFieldContainer[str]
    created_ms: int
    def __init__(self, player: _Optional[_Union[_events_pb2.Player, _Mapping]] = ..., scopes: _Optional[_Iterable[str]] = ..., created_ms: _Optional[int] = ...) -> None: ...

class CreateTokenRequest(_message.Message):
    __slots__ = ("player_id", "description", "scopes")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    description: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, player_id: _Optional[str] = ..., description: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ...) -> None: ...

class CreateTokenResponse(_message.Message):
    __slots__ = ("credential", "refusal")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    credential: Credential
    refusal: _common_pb2.Refusal
    def __init__(self, credential: _Optional[_Union[Credential, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class RevokeTokenRequest(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: str
    def __init__(self, token: _Optional[str] = ...) -> None: ...

class RevokeTokenResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SetPasswordRequest(_message.Message):
    __slots__ = ("player_id", "old_password", "new_password", "by_operator")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    OLD_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    NEW_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    old_password: str
    new_password: str
    by_operator: bool
    def __init__(self, player_id: _Optional[str] = ..., old_password: _Optional[str] = ..., new_password: _Optional[str] = ..., by_operator: _Optional[bool] = ...) -> None: ...

class SetPasswordResponse(_message.Message):
    __slots__ = ("credential", "refusal")
    CREDENTIAL_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    credential: Credential
    refusal: _common_pb2.Refusal
    def __init__(self, credential: _Optional[_Union[Credential, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class CloseAccountRequest(_message.Message):
    __slots__ = ("player_id", "password", "by_operator")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    BY_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    password: str
    by_operator: bool
    def __init__(self, player_id: _Optional[str] = ..., password: _Optional[str] = ..., by_operator: _Optional[bool] = ...) -> None: ...

class CloseAccountResponse(_message.Message):
    __slots__ = ("refusal",)
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    refusal: _common_pb2.Refusal
    def __init__(self, refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ListPersonalDataRequest(_message.Message):
    __slots__ = ("player_id", "after_chat_id")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_CHAT_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    after_chat_id: int
    def __init__(self, player_id: _Optional[str] = ..., after_chat_id: _Optional[int] = ...) -> None: ...

class ListPersonalDataResponse(_message.Message):
    __slots__ = ("tokens", "vacations", "conditional_moves", "chat", "next_chat_id")
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    VACATIONS_FIELD_NUMBER: _ClassVar[int]
    CONDITIONAL_MOVES_FIELD_NUMBER: _ClassVar[int]
    CHAT_FIELD_NUMBER: _ClassVar[int]
    NEXT_CHAT_ID_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[TokenInfo]
    vacations: _containers.RepeatedCompositeFieldContainer[VacationSpan]
    conditional_moves: _containers.RepeatedCompositeFieldContainer[ConditionalMovesOf]
    chat: _containers.RepeatedCompositeFieldContainer[_events_pb2.ChatLine]
    next_chat_id: int
    def __init__(self, tokens: _Optional[_Iterable[_Union[TokenInfo, _Mapping]]] = ..., vacations: _Optional[_Iterable[_Union[VacationSpan, _Mapping]]] = ..., conditional_moves: _Optional[_Iterable[_Union[ConditionalMovesOf, _Mapping]]] = ..., chat: _Optional[_Iterable[_Union[_events_pb2.ChatLine, _Mapping]]] = ..., next_chat_id: _Optional[int] = ...) -> None: ...

class TokenInfo(_message.Message):
    __slots__ = ("description", "scopes", "sign_in", "created_ms")
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    SIGN_IN_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    description: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    sign_in: bool
    created_ms: int
    def __init__(self, description: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., sign_in: _Optional[bool] = ..., created_ms: _Optional[int] = ...) -> None: ...

class VacationSpan(_message.Message):
    __slots__ = ("start_ms", "end_ms")
    START_MS_FIELD_NUMBER: _ClassVar[int]
    END_MS_FIELD_NUMBER: _ClassVar[int]
    start_ms: int
    end_ms: int
    def __init__(self, start_ms: _Optional[int] = ..., end_ms: _Optional[int] = ...) -> None: ...

class ConditionalMovesOf(_message.Message):
    __slots__ = ("game_id", "ply", "lines")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    ply: int
    lines: int
    def __init__(self, game_id: _Optional[str] = ..., ply: _Optional[int] = ..., lines: _Optional[int] = ...) -> None: ...

class GetPlayersRequest(_message.Message):
    __slots__ = ("ids", "bots")
    IDS_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    ids: _containers.RepeatedScalarFieldContainer[str]
    bots: int
    def __init__(self, ids: _Optional[_Iterable[str]] = ..., bots: _Optional[int] = ...) -> None: ...

class GetPlayersResponse(_message.Message):
    __slots__ = ("accounts",)
    ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    accounts: _containers.RepeatedCompositeFieldContainer[Account]
    def __init__(self, accounts: _Optional[_Iterable[_Union[Account, _Mapping]]] = ...) -> None: ...

class UpgradeToBotRequest(_message.Message):
    __slots__ = ("player_id",)
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    def __init__(self, player_id: _Optional[str] = ...) -> None: ...

class UpgradeToBotResponse(_message.Message):
    __slots__ = ("player", "refusal")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    player: _events_pb2.Player
    refusal: _common_pb2.Refusal
    def __init__(self, player: _Optional[_Union[_events_pb2.Player, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class ListDeadlinesRequest(_message.Message):
    __slots__ = ("after_game_id", "limit", "overdue_only")
    AFTER_GAME_ID_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    OVERDUE_ONLY_FIELD_NUMBER: _ClassVar[int]
    after_game_id: str
    limit: int
    overdue_only: bool
    def __init__(self, after_game_id: _Optional[str] = ..., limit: _Optional[int] = ..., overdue_only: _Optional[bool] = ...) -> None: ...

class ListDeadlinesResponse(_message.Message):
    __slots__ = ("deadlines", "now_ms")
    DEADLINES_FIELD_NUMBER: _ClassVar[int]
    NOW_MS_FIELD_NUMBER: _ClassVar[int]
    deadlines: _containers.RepeatedCompositeFieldContainer[Deadline]
    now_ms: int
    def __init__(self, deadlines: _Optional[_Iterable[_Union[Deadline, _Mapping]]] = ..., now_ms: _Optional[int] = ...) -> None: ...

class Deadline(_message.Message):
    __slots__ = ("game_id", "version", "deadline_ms", "kind")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    version: int
    deadline_ms: int
    kind: _events_pb2.DeadlineKind
    def __init__(self, game_id: _Optional[str] = ..., version: _Optional[int] = ..., deadline_ms: _Optional[int] = ..., kind: _Optional[_Union[_events_pb2.DeadlineKind, str]] = ...) -> None: ...

class ListComputerTurnsRequest(_message.Message):
    __slots__ = ("waiting_ms", "limit")
    WAITING_MS_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    waiting_ms: int
    limit: int
    def __init__(self, waiting_ms: _Optional[int] = ..., limit: _Optional[int] = ...) -> None: ...

class ListComputerTurnsResponse(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[_events_pb2.GameSummary]
    def __init__(self, games: _Optional[_Iterable[_Union[_events_pb2.GameSummary, _Mapping]]] = ...) -> None: ...

class SweepRequest(_message.Message):
    __slots__ = ("limit",)
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    limit: int
    def __init__(self, limit: _Optional[int] = ...) -> None: ...

class SweepResponse(_message.Message):
    __slots__ = ("games_ended", "challenges_lapsed", "reminders_sent", "more")
    GAMES_ENDED_FIELD_NUMBER: _ClassVar[int]
    CHALLENGES_LAPSED_FIELD_NUMBER: _ClassVar[int]
    REMINDERS_SENT_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    games_ended: int
    challenges_lapsed: int
    reminders_sent: int
    more: bool
    def __init__(self, games_ended: _Optional[int] = ..., challenges_lapsed: _Optional[int] = ..., reminders_sent: _Optional[int] = ..., more: _Optional[bool] = ...) -> None: ...
