from services.pb.flagfall.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ForfeitKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FORFEIT_KIND_UNSPECIFIED: _ClassVar[ForfeitKind]
    FORFEIT_KIND_FLAG: _ClassVar[ForfeitKind]
    FORFEIT_KIND_RESIGNATION: _ClassVar[ForfeitKind]

class CanMate(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CAN_MATE_UNSPECIFIED: _ClassVar[CanMate]
    CAN_MATE_YES: _ClassVar[CanMate]
    CAN_MATE_NO: _ClassVar[CanMate]
    CAN_MATE_UNKNOWN: _ClassVar[CanMate]
FORFEIT_KIND_UNSPECIFIED: ForfeitKind
FORFEIT_KIND_FLAG: ForfeitKind
FORFEIT_KIND_RESIGNATION: ForfeitKind
CAN_MATE_UNSPECIFIED: CanMate
CAN_MATE_YES: CanMate
CAN_MATE_NO: CanMate
CAN_MATE_UNKNOWN: CanMate

class JudgeRequest(_message.Message):
    __slots__ = ("questions",)
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[Question]
    def __init__(self, questions: _Optional[_Iterable[_Union[Question, _Mapping]]] = ...) -> None: ...

class JudgeResponse(_message.Message):
    __slots__ = ("verdicts",)
    VERDICTS_FIELD_NUMBER: _ClassVar[int]
    verdicts: _containers.RepeatedCompositeFieldContainer[Verdict]
    def __init__(self, verdicts: _Optional[_Iterable[_Union[Verdict, _Mapping]]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("variant", "fen", "keys")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    KEYS_FIELD_NUMBER: _ClassVar[int]
    variant: str
    fen: str
    keys: bytes
    def __init__(self, variant: _Optional[str] = ..., fen: _Optional[str] = ..., keys: _Optional[bytes] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("rule_set", "play", "start", "forfeit", "ping", "traceparent")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    rule_set: _common_pb2.RuleSet
    play: Play
    start: Start
    forfeit: Forfeit
    ping: Ping
    traceparent: str
    def __init__(self, rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., play: _Optional[_Union[Play, _Mapping]] = ..., start: _Optional[_Union[Start, _Mapping]] = ..., forfeit: _Optional[_Union[Forfeit, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ..., traceparent: _Optional[str] = ...) -> None: ...

class Play(_message.Message):
    __slots__ = ("position", "move")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    position: Position
    move: str
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., move: _Optional[str] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("variant", "fen", "number", "moves")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    variant: str
    fen: str
    number: int
    moves: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, variant: _Optional[str] = ..., fen: _Optional[str] = ..., number: _Optional[int] = ..., moves: _Optional[_Iterable[str]] = ...) -> None: ...

class Forfeit(_message.Message):
    __slots__ = ("position", "loser", "kind", "thorough")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    LOSER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    THOROUGH_FIELD_NUMBER: _ClassVar[int]
    position: Position
    loser: _common_pb2.Color
    kind: ForfeitKind
    thorough: bool
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., loser: _Optional[_Union[_common_pb2.Color, str]] = ..., kind: _Optional[_Union[ForfeitKind, str]] = ..., thorough: _Optional[bool] = ...) -> None: ...

class Ping(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Verdict(_message.Message):
    __slots__ = ("played", "started", "forfeited", "refusal", "pong")
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    FORFEITED_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    PONG_FIELD_NUMBER: _ClassVar[int]
    played: Played
    started: Started
    forfeited: Forfeited
    refusal: _common_pb2.Refusal
    pong: Pong
    def __init__(self, played: _Optional[_Union[Played, _Mapping]] = ..., started: _Optional[_Union[Started, _Mapping]] = ..., forfeited: _Optional[_Union[Forfeited, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ..., pong: _Optional[_Union[Pong, _Mapping]] = ...) -> None: ...

class Pong(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Standing(_message.Message):
    __slots__ = ("position", "turn", "check", "legal", "outcome", "claims")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    position: Position
    turn: _common_pb2.Color
    check: bool
    legal: str
    outcome: _common_pb2.Outcome
    claims: _containers.RepeatedScalarFieldContainer[_common_pb2.Claim]
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., turn: _Optional[_Union[_common_pb2.Color, str]] = ..., check: _Optional[bool] = ..., legal: _Optional[str] = ..., outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ..., claims: _Optional[_Iterable[_Union[_common_pb2.Claim, str]]] = ...) -> None: ...

class Played(_message.Message):
    __slots__ = ("uci", "san", "standing")
    UCI_FIELD_NUMBER: _ClassVar[int]
    SAN_FIELD_NUMBER: _ClassVar[int]
    STANDING_FIELD_NUMBER: _ClassVar[int]
    uci: str
    san: str
    standing: Standing
    def __init__(self, uci: _Optional[str] = ..., san: _Optional[str] = ..., standing: _Optional[_Union[Standing, _Mapping]] = ...) -> None: ...

class Started(_message.Message):
    __slots__ = ("standing",)
    STANDING_FIELD_NUMBER: _ClassVar[int]
    standing: Standing
    def __init__(self, standing: _Optional[_Union[Standing, _Mapping]] = ...) -> None: ...

class Forfeited(_message.Message):
    __slots__ = ("outcome", "can_mate", "undetermined")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    CAN_MATE_FIELD_NUMBER: _ClassVar[int]
    UNDETERMINED_FIELD_NUMBER: _ClassVar[int]
    outcome: _common_pb2.Outcome
    can_mate: CanMate
    undetermined: bool
    def __init__(self, outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ..., can_mate: _Optional[_Union[CanMate, str]] = ..., undetermined: _Optional[bool] = ...) -> None: ...

class LegalRequest(_message.Message):
    __slots__ = ("rule_set", "position")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    rule_set: _common_pb2.RuleSet
    position: Position
    def __init__(self, rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., position: _Optional[_Union[Position, _Mapping]] = ...) -> None: ...

class LegalResponse(_message.Message):
    __slots__ = ("legal", "refusal")
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    legal: LegalMoves
    refusal: _common_pb2.Refusal
    def __init__(self, legal: _Optional[_Union[LegalMoves, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class LegalMoves(_message.Message):
    __slots__ = ("moves", "standing")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    STANDING_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[LegalMove]
    standing: Standing
    def __init__(self, moves: _Optional[_Iterable[_Union[LegalMove, _Mapping]]] = ..., standing: _Optional[_Union[Standing, _Mapping]] = ...) -> None: ...

class LegalMove(_message.Message):
    __slots__ = ("uci", "uci_960", "san", "capture", "check", "wins")
    UCI_FIELD_NUMBER: _ClassVar[int]
    UCI_960_FIELD_NUMBER: _ClassVar[int]
    SAN_FIELD_NUMBER: _ClassVar[int]
    CAPTURE_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    uci: str
    uci_960: str
    san: str
    capture: bool
    check: bool
    wins: bool
    def __init__(self, uci: _Optional[str] = ..., uci_960: _Optional[str] = ..., san: _Optional[str] = ..., capture: _Optional[bool] = ..., check: _Optional[bool] = ..., wins: _Optional[bool] = ...) -> None: ...

class ParseMoveRequest(_message.Message):
    __slots__ = ("rule_set", "position", "text")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    rule_set: _common_pb2.RuleSet
    position: Position
    text: str
    def __init__(self, rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., position: _Optional[_Union[Position, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class ParseMoveResponse(_message.Message):
    __slots__ = ("move", "refusal")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    move: LegalMove
    refusal: _common_pb2.Refusal
    def __init__(self, move: _Optional[_Union[LegalMove, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class StartPositionRequest(_message.Message):
    __slots__ = ("variant", "rule_set", "number")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    variant: str
    rule_set: _common_pb2.RuleSet
    number: int
    def __init__(self, variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., number: _Optional[int] = ...) -> None: ...

class StartPositionResponse(_message.Message):
    __slots__ = ("start", "refusal")
    START_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    start: StartedAt
    refusal: _common_pb2.Refusal
    def __init__(self, start: _Optional[_Union[StartedAt, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class StartedAt(_message.Message):
    __slots__ = ("standing", "number")
    STANDING_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    standing: Standing
    number: int
    def __init__(self, standing: _Optional[_Union[Standing, _Mapping]] = ..., number: _Optional[int] = ...) -> None: ...

class AdjudicateTimeoutRequest(_message.Message):
    __slots__ = ("questions",)
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[Adjudication]
    def __init__(self, questions: _Optional[_Iterable[_Union[Adjudication, _Mapping]]] = ...) -> None: ...

class Adjudication(_message.Message):
    __slots__ = ("rule_set", "forfeit")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    rule_set: _common_pb2.RuleSet
    forfeit: Forfeit
    def __init__(self, rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., forfeit: _Optional[_Union[Forfeit, _Mapping]] = ...) -> None: ...

class AdjudicateTimeoutResponse(_message.Message):
    __slots__ = ("verdicts",)
    VERDICTS_FIELD_NUMBER: _ClassVar[int]
    verdicts: _containers.RepeatedCompositeFieldContainer[Verdict]
    def __init__(self, verdicts: _Optional[_Iterable[_Union[Verdict, _Mapping]]] = ...) -> None: ...

class ReadPgnRequest(_message.Message):
    __slots__ = ("pgn", "rule_set", "with_variations", "with_comments", "games_max")
    PGN_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    WITH_VARIATIONS_FIELD_NUMBER: _ClassVar[int]
    WITH_COMMENTS_FIELD_NUMBER: _ClassVar[int]
    GAMES_MAX_FIELD_NUMBER: _ClassVar[int]
    pgn: bytes
    rule_set: _common_pb2.RuleSet
    with_variations: bool
    with_comments: bool
    games_max: int
    def __init__(self, pgn: _Optional[bytes] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., with_variations: _Optional[bool] = ..., with_comments: _Optional[bool] = ..., games_max: _Optional[int] = ...) -> None: ...

class ReadPgnResponse(_message.Message):
    __slots__ = ("games", "refusal")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    games: PgnGames
    refusal: _common_pb2.Refusal
    def __init__(self, games: _Optional[_Union[PgnGames, _Mapping]] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...

class PgnGames(_message.Message):
    __slots__ = ("games",)
    GAMES_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[PgnGame]
    def __init__(self, games: _Optional[_Iterable[_Union[PgnGame, _Mapping]]] = ...) -> None: ...

class PgnGame(_message.Message):
    __slots__ = ("tags", "variant", "initial_fen", "comment", "moves", "result", "outcome", "final", "line")
    TAGS_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    INITIAL_FEN_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    FINAL_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    tags: _containers.RepeatedCompositeFieldContainer[_common_pb2.PgnTag]
    variant: str
    initial_fen: str
    comment: str
    moves: _containers.RepeatedCompositeFieldContainer[PgnMove]
    result: str
    outcome: _common_pb2.Outcome
    final: Standing
    line: int
    def __init__(self, tags: _Optional[_Iterable[_Union[_common_pb2.PgnTag, _Mapping]]] = ..., variant: _Optional[str] = ..., initial_fen: _Optional[str] = ..., comment: _Optional[str] = ..., moves: _Optional[_Iterable[_Union[PgnMove, _Mapping]]] = ..., result: _Optional[str] = ..., outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ..., final: _Optional[_Union[Standing, _Mapping]] = ..., line: _Optional[int] = ...) -> None: ...

class PgnMove(_message.Message):
    __slots__ = ("uci", "san", "clock_ms", "nags", "comment", "variations")
    UCI_FIELD_NUMBER: _ClassVar[int]
    SAN_FIELD_NUMBER: _ClassVar[int]
    CLOCK_MS_FIELD_NUMBER: _ClassVar[int]
    NAGS_FIELD_NUMBER: _ClassVar[int]
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    VARIATIONS_FIELD_NUMBER: _ClassVar[int]
    uci: str
    san: str
    clock_ms: int
    nags: _containers.RepeatedScalarFieldContainer[int]
    comment: str
    variations: _containers.RepeatedCompositeFieldContainer[PgnLine]
    def __init__(self, uci: _Optional[str] = ..., san: _Optional[str] = ..., clock_ms: _Optional[int] = ..., nags: _Optional[_Iterable[int]] = ..., comment: _Optional[str] = ..., variations: _Optional[_Iterable[_Union[PgnLine, _Mapping]]] = ...) -> None: ...

class PgnLine(_message.Message):
    __slots__ = ("comment", "moves")
    COMMENT_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    comment: str
    moves: _containers.RepeatedCompositeFieldContainer[PgnMove]
    def __init__(self, comment: _Optional[str] = ..., moves: _Optional[_Iterable[_Union[PgnMove, _Mapping]]] = ...) -> None: ...

class WritePgnRequest(_message.Message):
    __slots__ = ("games", "rule_set")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[PgnGame]
    rule_set: _common_pb2.RuleSet
    def __init__(self, games: _Optional[_Iterable[_Union[PgnGame, _Mapping]]] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ...) -> None: ...

class WritePgnResponse(_message.Message):
    __slots__ = ("pgn", "refusal")
    PGN_FIELD_NUMBER: _ClassVar[int]
    REFUSAL_FIELD_NUMBER: _ClassVar[int]
    pgn: str
    refusal: _common_pb2.Refusal
    def __init__(self, pgn: _Optional[str] = ..., refusal: _Optional[_Union[_common_pb2.Refusal, _Mapping]] = ...) -> None: ...
