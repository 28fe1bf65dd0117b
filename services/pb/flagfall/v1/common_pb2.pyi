from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Color(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COLOR_UNSPECIFIED: _ClassVar[Color]
    COLOR_WHITE: _ClassVar[Color]
    COLOR_BLACK: _ClassVar[Color]

class Repetition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REPETITION_UNSPECIFIED: _ClassVar[Repetition]
    REPETITION_CLAIM_THREE_AUTOMATIC_FIVE: _ClassVar[Repetition]
    REPETITION_AUTOMATIC_THREE: _ClassVar[Repetition]

class MoveCount(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MOVE_COUNT_UNSPECIFIED: _ClassVar[MoveCount]
    MOVE_COUNT_CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE: _ClassVar[MoveCount]
    MOVE_COUNT_AUTOMATIC_FIFTY: _ClassVar[MoveCount]

class WinOnTime(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WIN_ON_TIME_UNSPECIFIED: _ClassVar[WinOnTime]
    WIN_ON_TIME_MORE_THAN_BARE_KING_NOT_DEAD: _ClassVar[WinOnTime]
    WIN_ON_TIME_FORCING_MATERIAL: _ClassVar[WinOnTime]

class EndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    END_REASON_UNSPECIFIED: _ClassVar[EndReason]
    END_REASON_CHECKMATE: _ClassVar[EndReason]
    END_REASON_RESIGNATION: _ClassVar[EndReason]
    END_REASON_STALEMATE: _ClassVar[EndReason]
    END_REASON_REPETITION: _ClassVar[EndReason]
    END_REASON_MOVE_COUNT: _ClassVar[EndReason]
    END_REASON_DEAD_POSITION: _ClassVar[EndReason]
    END_REASON_AGREEMENT: _ClassVar[EndReason]
    END_REASON_FLAG: _ClassVar[EndReason]
    END_REASON_EXPIRY: _ClassVar[EndReason]
    END_REASON_ABORT: _ClassVar[EndReason]
    END_REASON_NO_FIRST_MOVE: _ClassVar[EndReason]

class Claim(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLAIM_UNSPECIFIED: _ClassVar[Claim]
    CLAIM_THREEFOLD: _ClassVar[Claim]
    CLAIM_FIFTY: _ClassVar[Claim]
COLOR_UNSPECIFIED: Color
COLOR_WHITE: Color
COLOR_BLACK: Color
REPETITION_UNSPECIFIED: Repetition
REPETITION_CLAIM_THREE_AUTOMATIC_FIVE: Repetition
REPETITION_AUTOMATIC_THREE: Repetition
MOVE_COUNT_UNSPECIFIED: MoveCount
MOVE_COUNT_CLAIM_FIFTY_AUTOMATIC_SEVENTY_FIVE: MoveCount
MOVE_COUNT_AUTOMATIC_FIFTY: MoveCount
WIN_ON_TIME_UNSPECIFIED: WinOnTime
WIN_ON_TIME_MORE_THAN_BARE_KING_NOT_DEAD: WinOnTime
WIN_ON_TIME_FORCING_MATERIAL: WinOnTime
END_REASON_UNSPECIFIED: EndReason
END_REASON_CHECKMATE: EndReason
END_REASON_RESIGNATION: EndReason
END_REASON_STALEMATE: EndReason
END_REASON_REPETITION: EndReason
END_REASON_MOVE_COUNT: EndReason
END_REASON_DEAD_POSITION: EndReason
END_REASON_AGREEMENT: EndReason
END_REASON_FLAG: EndReason
END_REASON_EXPIRY: EndReason
END_REASON_ABORT: EndReason
END_REASON_NO_FIRST_MOVE: EndReason
CLAIM_UNSPECIFIED: Claim
CLAIM_THREEFOLD: Claim
CLAIM_FIFTY: Claim

class RuleSet(_message.Message):
    __slots__ = ("repetition", "move_count", "win_on_time")
    REPETITION_FIELD_NUMBER: _ClassVar[int]
    MOVE_COUNT_FIELD_NUMBER: _ClassVar[int]
    WIN_ON_TIME_FIELD_NUMBER: _ClassVar[int]
    repetition: Repetition
    move_count: MoveCount
    win_on_time: WinOnTime
    def __init__(self, repetition: _Optional[_Union[Repetition, str]] = ..., move_count: _Optional[_Union[MoveCount, str]] = ..., win_on_time: _Optional[_Union[WinOnTime, str]] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("unlimited", "clock", "correspondence")
    UNLIMITED_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    CORRESPONDENCE_FIELD_NUMBER: _ClassVar[int]
    unlimited: Unlimited
    clock: ClockControl
    correspondence: CorrespondenceControl
    def __init__(self, unlimited: _Optional[_Union[Unlimited, _Mapping]] = ..., clock: _Optional[_Union[ClockControl, _Mapping]] = ..., correspondence: _Optional[_Union[CorrespondenceControl, _Mapping]] = ...) -> None: ...

class Unlimited(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ClockControl(_message.Message):
    __slots__ = ("initial_ms", "increment_ms")
    INITIAL_MS_FIELD_NUMBER: _ClassVar[int]
    INCREMENT_MS_FIELD_NUMBER: _ClassVar[int]
    initial_ms: int
    increment_ms: int
    def __init__(self, initial_ms: _Optional[int] = ..., increment_ms: _Optional[int] = ...) -> None: ...

class CorrespondenceControl(_message.Message):
    __slots__ = ("days",)
    DAYS_FIELD_NUMBER: _ClassVar[int]
    days: int
    def __init__(self, days: _Optional[int] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("winner", "reason")
    WINNER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    winner: Color
    reason: EndReason
    def __init__(self, winner: _Optional[_Union[Color, str]] = ..., reason: _Optional[_Union[EndReason, str]] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("code", "message", "at")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    at: str
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., at: _Optional[str] = ...) -> None: ...
