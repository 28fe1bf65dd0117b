from google.protobuf.internal import containers as _containers
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
    WIN_ON_TIME_POSSIBLE_MATE: _ClassVar[WinOnTime]
    WIN_ON_TIME_MORE_THAN_BARE_KING_NOT_DEAD: _ClassVar[WinOnTime]
    WIN_ON_TIME_FORCING_MATERIAL: _ClassVar[WinOnTime]
    WIN_ON_TIME_MORE_THAN_BARE_KING: _ClassVar[WinOnTime]
    WIN_ON_TIME_MORE_THAN_ONE_MINOR: _ClassVar[WinOnTime]

class DeadPosition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEAD_POSITION_UNSPECIFIED: _ClassVar[DeadPosition]
    DEAD_POSITION_EXACT: _ClassVar[DeadPosition]
    DEAD_POSITION_BY_MATERIAL: _ClassVar[DeadPosition]

class FallenFlag(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FALLEN_FLAG_UNSPECIFIED: _ClassVar[FallenFlag]
    FALLEN_FLAG_DECIDES_AT_ONCE: _ClassVar[FallenFlag]
    FALLEN_FLAG_OPPONENT_DECIDES: _ClassVar[FallenFlag]

class Resignation(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESIGNATION_UNSPECIFIED: _ClassVar[Resignation]
    RESIGNATION_DRAW_IF_CANNOT_WIN: _ClassVar[Resignation]
    RESIGNATION_LOSS: _ClassVar[Resignation]

class Agreement(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AGREEMENT_UNSPECIFIED: _ClassVar[Agreement]
    AGREEMENT_ANY_TIME: _ClassVar[Agreement]
    AGREEMENT_AFTER_BOTH_MOVED: _ClassVar[Agreement]

class AbsentPlayer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ABSENT_PLAYER_UNSPECIFIED: _ClassVar[AbsentPlayer]
    ABSENT_PLAYER_CLOCK_RUNS: _ClassVar[AbsentPlayer]
    ABSENT_PLAYER_OPPONENT_CLAIMS: _ClassVar[AbsentPlayer]
    ABSENT_PLAYER_COMPUTER_PLAYS: _ClassVar[AbsentPlayer]

class LateCorrespondence(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LATE_CORRESPONDENCE_UNSPECIFIED: _ClassVar[LateCorrespondence]
    LATE_CORRESPONDENCE_CLOSED_AT_ONCE: _ClassVar[LateCorrespondence]
    LATE_CORRESPONDENCE_OPPONENT_CLAIMS: _ClassVar[LateCorrespondence]

class Takeback(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TAKEBACK_UNSPECIFIED: _ClassVar[Takeback]
    TAKEBACK_NEVER: _ClassVar[Takeback]
    TAKEBACK_BY_CONSENT: _ClassVar[Takeback]

class RatedDraw(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RATED_DRAW_UNSPECIFIED: _ClassVar[RatedDraw]
    RATED_DRAW_HALF_POINT: _ClassVar[RatedDraw]
    RATED_DRAW_LEAVES_RATINGS: _ClassVar[RatedDraw]

class Rematch(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REMATCH_UNSPECIFIED: _ClassVar[Rematch]
    REMATCH_COLOURS_SWAP: _ClassVar[Rematch]
    REMATCH_COLOURS_STAY: _ClassVar[Rematch]
    REMATCH_RANDOM: _ClassVar[Rematch]

class Stalemate(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STALEMATE_UNSPECIFIED: _ClassVar[Stalemate]
    STALEMATE_LOSES: _ClassVar[Stalemate]
    STALEMATE_WINS: _ClassVar[Stalemate]
    STALEMATE_DRAWS: _ClassVar[Stalemate]

class BareKing(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BARE_KING_UNSPECIFIED: _ClassVar[BareKing]
    BARE_KING_NONE: _ClassVar[BareKing]
    BARE_KING_WINS_AT_ONCE: _ClassVar[BareKing]
    BARE_KING_WINS_UNLESS_BARED_BACK: _ClassVar[BareKing]

class Elephant(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ELEPHANT_UNSPECIFIED: _ClassVar[Elephant]
    ELEPHANT_ALFIL: _ClassVar[Elephant]
    ELEPHANT_LAME_ALFIL: _ClassVar[Elephant]
    ELEPHANT_ONE_STEP: _ClassVar[Elephant]
    ELEPHANT_ROOKWISE_LEAP: _ClassVar[Elephant]
    ELEPHANT_CORNER_ROOKWISE_LEAP: _ClassVar[Elephant]

class Kings(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KINGS_UNSPECIFIED: _ClassVar[Kings]
    KINGS_FACING_ON_E: _ClassVar[Kings]
    KINGS_FACING_ON_D: _ClassVar[Kings]
    KINGS_CROSSED: _ClassVar[Kings]

class PawnBecomes(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PAWN_BECOMES_UNSPECIFIED: _ClassVar[PawnBecomes]
    PAWN_BECOMES_FIRZ: _ClassVar[PawnBecomes]
    PAWN_BECOMES_FILE_PIECE: _ClassVar[PawnBecomes]
    PAWN_BECOMES_FILE_PIECE_IF_LOST: _ClassVar[PawnBecomes]

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
    END_REASON_BARE_KING: _ClassVar[EndReason]
    END_REASON_THIRD_CHECK: _ClassVar[EndReason]
    END_REASON_HILL: _ClassVar[EndReason]
    END_REASON_EXPLOSION: _ClassVar[EndReason]
    END_REASON_UNKNOWN: _ClassVar[EndReason]
    END_REASON_ABSENCE: _ClassVar[EndReason]
    END_REASON_ABANDONED: _ClassVar[EndReason]
    END_REASON_ALL_TAKEN: _ClassVar[EndReason]
    END_REASON_RACE: _ClassVar[EndReason]

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
WIN_ON_TIME_POSSIBLE_MATE: WinOnTime
WIN_ON_TIME_MORE_THAN_BARE_KING_NOT_DEAD: WinOnTime
WIN_ON_TIME_FORCING_MATERIAL: WinOnTime
WIN_ON_TIME_MORE_THAN_BARE_KING: WinOnTime
WIN_ON_TIME_MORE_THAN_ONE_MINOR: WinOnTime
DEAD_POSITION_UNSPECIFIED: DeadPosition
DEAD_POSITION_EXACT: DeadPosition
DEAD_POSITION_BY_MATERIAL: DeadPosition
FALLEN_FLAG_UNSPECIFIED: FallenFlag
FALLEN_FLAG_DECIDES_AT_ONCE: FallenFlag
FALLEN_FLAG_OPPONENT_DECIDES: FallenFlag
RESIGNATION_UNSPECIFIED: Resignation
RESIGNATION_DRAW_IF_CANNOT_WIN: Resignation
RESIGNATION_LOSS: Resignation
AGREEMENT_UNSPECIFIED: Agreement
AGREEMENT_ANY_TIME: Agreement
AGREEMENT_AFTER_BOTH_MOVED: Agreement
ABSENT_PLAYER_UNSPECIFIED: AbsentPlayer
ABSENT_PLAYER_CLOCK_RUNS: AbsentPlayer
ABSENT_PLAYER_OPPONENT_CLAIMS: AbsentPlayer
ABSENT_PLAYER_COMPUTER_PLAYS: AbsentPlayer
LATE_CORRESPONDENCE_UNSPECIFIED: LateCorrespondence
LATE_CORRESPONDENCE_CLOSED_AT_ONCE: LateCorrespondence
LATE_CORRESPONDENCE_OPPONENT_CLAIMS: LateCorrespondence
TAKEBACK_UNSPECIFIED: Takeback
TAKEBACK_NEVER: Takeback
TAKEBACK_BY_CONSENT: Takeback
RATED_DRAW_UNSPECIFIED: RatedDraw
RATED_DRAW_HALF_POINT: RatedDraw
RATED_DRAW_LEAVES_RATINGS: RatedDraw
REMATCH_UNSPECIFIED: Rematch
REMATCH_COLOURS_SWAP: Rematch
REMATCH_COLOURS_STAY: Rematch
REMATCH_RANDOM: Rematch
STALEMATE_UNSPECIFIED: Stalemate
STALEMATE_LOSES: Stalemate
STALEMATE_WINS: Stalemate
STALEMATE_DRAWS: Stalemate
BARE_KING_UNSPECIFIED: BareKing
BARE_KING_NONE: BareKing
BARE_KING_WINS_AT_ONCE: BareKing
BARE_KING_WINS_UNLESS_BARED_BACK: BareKing
ELEPHANT_UNSPECIFIED: Elephant
ELEPHANT_ALFIL: Elephant
ELEPHANT_LAME_ALFIL: Elephant
ELEPHANT_ONE_STEP: Elephant
ELEPHANT_ROOKWISE_LEAP: Elephant
ELEPHANT_CORNER_ROOKWISE_LEAP: Elephant
KINGS_UNSPECIFIED: Kings
KINGS_FACING_ON_E: Kings
KINGS_FACING_ON_D: Kings
KINGS_CROSSED: Kings
PAWN_BECOMES_UNSPECIFIED: PawnBecomes
PAWN_BECOMES_FIRZ: PawnBecomes
PAWN_BECOMES_FILE_PIECE: PawnBecomes
PAWN_BECOMES_FILE_PIECE_IF_LOST: PawnBecomes
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
END_REASON_BARE_KING: EndReason
END_REASON_THIRD_CHECK: EndReason
END_REASON_HILL: EndReason
END_REASON_EXPLOSION: EndReason
END_REASON_UNKNOWN: EndReason
END_REASON_ABSENCE: EndReason
END_REASON_ABANDONED: EndReason
END_REASON_ALL_TAKEN: EndReason
END_REASON_RACE: EndReason
CLAIM_UNSPECIFIED: Claim
CLAIM_THREEFOLD: Claim
CLAIM_FIFTY: Claim

class RuleSet(_message.Message):
    __slots__ = ("repetition", "move_count", "win_on_time", "dead_position", "fallen_flag", "resignation", "agreement", "absent_player", "late_correspondence", "takeback", "rated_draw", "rematch", "chaturanga")
    REPETITION_FIELD_NUMBER: _ClassVar[int]
    MOVE_COUNT_FIELD_NUMBER: _ClassVar[int]
    WIN_ON_TIME_FIELD_NUMBER: _ClassVar[int]
    DEAD_POSITION_FIELD_NUMBER: _ClassVar[int]
    FALLEN_FLAG_FIELD_NUMBER: _ClassVar[int]
    RESIGNATION_FIELD_NUMBER: _ClassVar[int]
    AGREEMENT_FIELD_NUMBER: _ClassVar[int]
    ABSENT_PLAYER_FIELD_NUMBER: _ClassVar[int]
    LATE_CORRESPONDENCE_FIELD_NUMBER: _ClassVar[int]
    TAKEBACK_FIELD_NUMBER: _ClassVar[int]
    RATED_DRAW_FIELD_NUMBER: _ClassVar[int]
    REMATCH_FIELD_NUMBER: _ClassVar[int]
    CHATURANGA_FIELD_NUMBER: _ClassVar[int]
    repetition: Repetition
    move_count: MoveCount
    win_on_time: WinOnTime
    dead_position: DeadPosition
    fallen_flag: FallenFlag
    resignation: Resignation
    agreement: Agreement
    absent_player: AbsentPlayer
    late_correspondence: LateCorrespondence
    takeback: Takeback
    rated_draw: RatedDraw
    rematch: Rematch
    chaturanga: ChaturangaRules
    def __init__(self, repetition: _Optional[_Union[Repetition, str]] = ..., move_count: _Optional[_Union[MoveCount, str]] = ..., win_on_time: _Optional[_Union[WinOnTime, str]] = ..., dead_position: _Optional[_Union[DeadPosition, str]] = ..., fallen_flag: _Optional[_Union[FallenFlag, str]] = ..., resignation: _Optional[_Union[Resignation, str]] = ..., agreement: _Optional[_Union[Agreement, str]] = ..., absent_player: _Optional[_Union[AbsentPlayer, str]] = ..., late_correspondence: _Optional[_Union[LateCorrespondence, str]] = ..., takeback: _Optional[_Union[Takeback, str]] = ..., rated_draw: _Optional[_Union[RatedDraw, str]] = ..., rematch: _Optional[_Union[Rematch, str]] = ..., chaturanga: _Optional[_Union[ChaturangaRules, _Mapping]] = ...) -> None: ...

class ChaturangaRules(_message.Message):
    __slots__ = ("stalemate", "bare_king", "elephant", "kings", "pawn_becomes", "king_leap")
    STALEMATE_FIELD_NUMBER: _ClassVar[int]
    BARE_KING_FIELD_NUMBER: _ClassVar[int]
    ELEPHANT_FIELD_NUMBER: _ClassVar[int]
    KINGS_FIELD_NUMBER: _ClassVar[int]
    PAWN_BECOMES_FIELD_NUMBER: _ClassVar[int]
    KING_LEAP_FIELD_NUMBER: _ClassVar[int]
    stalemate: Stalemate
    bare_king: BareKing
    elephant: Elephant
    kings: Kings
    pawn_becomes: PawnBecomes
    king_leap: bool
    def __init__(self, stalemate: _Optional[_Union[Stalemate, str]] = ..., bare_king: _Optional[_Union[BareKing, str]] = ..., elephant: _Optional[_Union[Elephant, str]] = ..., kings: _Optional[_Union[Kings, str]] = ..., pawn_becomes: _Optional[_Union[PawnBecomes, str]] = ..., king_leap: _Optional[bool] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("unlimited", "clock", "correspondence", "per_move")
    UNLIMITED_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    CORRESPONDENCE_FIELD_NUMBER: _ClassVar[int]
    PER_MOVE_FIELD_NUMBER: _ClassVar[int]
    unlimited: Unlimited
    clock: ClockControl
    correspondence: CorrespondenceControl
    per_move: PerMoveControl
    def __init__(self, unlimited: _Optional[_Union[Unlimited, _Mapping]] = ..., clock: _Optional[_Union[ClockControl, _Mapping]] = ..., correspondence: _Optional[_Union[CorrespondenceControl, _Mapping]] = ..., per_move: _Optional[_Union[PerMoveControl, _Mapping]] = ...) -> None: ...

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

class PerMoveControl(_message.Message):
    __slots__ = ("turn_ms",)
    TURN_MS_FIELD_NUMBER: _ClassVar[int]
    turn_ms: int
    def __init__(self, turn_ms: _Optional[int] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("winner", "reason")
    WINNER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    winner: Color
    reason: EndReason
    def __init__(self, winner: _Optional[_Union[Color, str]] = ..., reason: _Optional[_Union[EndReason, str]] = ...) -> None: ...

class Text(_message.Message):
    __slots__ = ("key", "arguments")
    class Argument(_message.Message):
        __slots__ = ("text", "number", "sentence")
        TEXT_FIELD_NUMBER: _ClassVar[int]
        NUMBER_FIELD_NUMBER: _ClassVar[int]
        SENTENCE_FIELD_NUMBER: _ClassVar[int]
        text: str
        number: int
        sentence: Text
        def __init__(self, text: _Optional[str] = ..., number: _Optional[int] = ..., sentence: _Optional[_Union[Text, _Mapping]] = ...) -> None: ...
    class ArgumentsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: Text.Argument
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[Text.Argument, _Mapping]] = ...) -> None: ...
    KEY_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_FIELD_NUMBER: _ClassVar[int]
    key: str
    arguments: _containers.MessageMap[str, Text.Argument]
    def __init__(self, key: _Optional[str] = ..., arguments: _Optional[_Mapping[str, Text.Argument]] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("code", "message", "at", "text")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    AT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    at: str
    text: Text
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., at: _Optional[str] = ..., text: _Optional[_Union[Text, _Mapping]] = ...) -> None: ...

class PgnTag(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
