from services.pb.flagfall.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

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
    __slots__ = ("rule_set", "play", "start", "time_forfeit", "ping")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    TIME_FORFEIT_FIELD_NUMBER: _ClassVar[int]
    PING_FIELD_NUMBER: _ClassVar[int]
    rule_set: _common_pb2.RuleSet
    play: Play
    start: Start
    time_forfeit: TimeForfeit
    ping: Ping
    def __init__(self, rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., play: _Optional[_Union[Play, _Mapping]] = ..., start: _Optional[_Union[Start, _Mapping]] = ..., time_forfeit: _Optional[_Union[TimeForfeit, _Mapping]] = ..., ping: _Optional[_Union[Ping, _Mapping]] = ...) -> None: ...

class Play(_message.Message):
    __slots__ = ("position", "move")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    position: Position
    move: str
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., move: _Optional[str] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("variant", "fen")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    variant: str
    fen: str
    def __init__(self, variant: _Optional[str] = ..., fen: _Optional[str] = ...) -> None: ...

class TimeForfeit(_message.Message):
    __slots__ = ("position", "flagged")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    position: Position
    flagged: _common_pb2.Color
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., flagged: _Optional[_Union[_common_pb2.Color, str]] = ...) -> None: ...

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
    __slots__ = ("outcome",)
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: _common_pb2.Outcome
    def __init__(self, outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ...) -> None: ...
