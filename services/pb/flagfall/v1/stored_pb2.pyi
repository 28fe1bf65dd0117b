from services.pb.flagfall.v1 import common_pb2 as _common_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameExtra(_message.Message):
    __slots__ = ("flagged", "paused_ms", "going_on_offered", "pause_outcome", "takeback_offer", "without_clock", "unrated", "white_held_level", "black_held_level", "level", "helped", "takebacks", "white_given_ms", "black_given_ms", "white_offered", "black_offered", "white_takeback_offered", "black_takeback_offered", "clocks_started", "rest_ms", "rests_until_ms", "white_rating_diff", "black_rating_diff")
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    PAUSED_MS_FIELD_NUMBER: _ClassVar[int]
    GOING_ON_OFFERED_FIELD_NUMBER: _ClassVar[int]
    PAUSE_OUTCOME_FIELD_NUMBER: _ClassVar[int]
    TAKEBACK_OFFER_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_CLOCK_FIELD_NUMBER: _ClassVar[int]
    UNRATED_FIELD_NUMBER: _ClassVar[int]
    WHITE_HELD_LEVEL_FIELD_NUMBER: _ClassVar[int]
    BLACK_HELD_LEVEL_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    HELPED_FIELD_NUMBER: _ClassVar[int]
    TAKEBACKS_FIELD_NUMBER: _ClassVar[int]
    WHITE_GIVEN_MS_FIELD_NUMBER: _ClassVar[int]
    BLACK_GIVEN_MS_FIELD_NUMBER: _ClassVar[int]
    WHITE_OFFERED_FIELD_NUMBER: _ClassVar[int]
    BLACK_OFFERED_FIELD_NUMBER: _ClassVar[int]
    WHITE_TAKEBACK_OFFERED_FIELD_NUMBER: _ClassVar[int]
    BLACK_TAKEBACK_OFFERED_FIELD_NUMBER: _ClassVar[int]
    CLOCKS_STARTED_FIELD_NUMBER: _ClassVar[int]
    REST_MS_FIELD_NUMBER: _ClassVar[int]
    RESTS_UNTIL_MS_FIELD_NUMBER: _ClassVar[int]
    WHITE_RATING_DIFF_FIELD_NUMBER: _ClassVar[int]
    BLACK_RATING_DIFF_FIELD_NUMBER: _ClassVar[int]
    flagged: _common_pb2.Color
    paused_ms: int
    going_on_offered: bool
    pause_outcome: _common_pb2.Outcome
    takeback_offer: _common_pb2.Color
    without_clock: bool
    unrated: bool
    white_held_level: int
    black_held_level: int
    level: int
    helped: bool
    takebacks: int
    white_given_ms: int
    black_given_ms: int
    white_offered: int
    black_offered: int
    white_takeback_offered: int
    black_takeback_offered: int
    clocks_started: bool
    rest_ms: int
    rests_until_ms: int
    white_rating_diff: int
    black_rating_diff: int
    def __init__(self, flagged: _Optional[_Union[_common_pb2.Color, str]] = ..., paused_ms: _Optional[int] = ..., going_on_offered: _Optional[bool] = ..., pause_outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ..., takeback_offer: _Optional[_Union[_common_pb2.Color, str]] = ..., without_clock: _Optional[bool] = ..., unrated: _Optional[bool] = ..., white_held_level: _Optional[int] = ..., black_held_level: _Optional[int] = ..., level: _Optional[int] = ..., helped: _Optional[bool] = ..., takebacks: _Optional[int] = ..., white_given_ms: _Optional[int] = ..., black_given_ms: _Optional[int] = ..., white_offered: _Optional[int] = ..., black_offered: _Optional[int] = ..., white_takeback_offered: _Optional[int] = ..., black_takeback_offered: _Optional[int] = ..., clocks_started: _Optional[bool] = ..., rest_ms: _Optional[int] = ..., rests_until_ms: _Optional[int] = ..., white_rating_diff: _Optional[int] = ..., black_rating_diff: _Optional[int] = ...) -> None: ...
