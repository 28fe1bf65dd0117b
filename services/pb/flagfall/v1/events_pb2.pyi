from services.pb.flagfall.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GameStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_STATUS_UNSPECIFIED: _ClassVar[GameStatus]
    GAME_STATUS_STARTED: _ClassVar[GameStatus]
    GAME_STATUS_ENDED: _ClassVar[GameStatus]
    GAME_STATUS_ABORTED: _ClassVar[GameStatus]

class DeadlineKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEADLINE_KIND_UNSPECIFIED: _ClassVar[DeadlineKind]
    DEADLINE_KIND_FIRST_MOVE: _ClassVar[DeadlineKind]
    DEADLINE_KIND_FLAG: _ClassVar[DeadlineKind]
    DEADLINE_KIND_EXPIRY: _ClassVar[DeadlineKind]
    DEADLINE_KIND_DECISION: _ClassVar[DeadlineKind]

class GameEventKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_EVENT_KIND_UNSPECIFIED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_CREATED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_MOVE: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_DRAW_OFFERED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_DRAW_CLOSED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_ENDED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_TAKEBACK_OFFERED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_TAKEBACK_CLOSED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_TAKEN_BACK: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_PAUSED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_GOING_ON_OFFERED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_WENT_ON: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_TIME_GIVEN: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_LEVEL_CHANGED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_SEAT_TAKEN: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_SEAT_RETURNED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_HINTED: _ClassVar[GameEventKind]
    GAME_EVENT_KIND_CLOCKS_STARTED: _ClassVar[GameEventKind]

class ChatRoom(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHAT_ROOM_UNSPECIFIED: _ClassVar[ChatRoom]
    CHAT_ROOM_PLAYER: _ClassVar[ChatRoom]
    CHAT_ROOM_SPECTATOR: _ClassVar[ChatRoom]

class ChallengeStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHALLENGE_STATUS_UNSPECIFIED: _ClassVar[ChallengeStatus]
    CHALLENGE_STATUS_CREATED: _ClassVar[ChallengeStatus]
    CHALLENGE_STATUS_ACCEPTED: _ClassVar[ChallengeStatus]
    CHALLENGE_STATUS_DECLINED: _ClassVar[ChallengeStatus]
    CHALLENGE_STATUS_CANCELED: _ClassVar[ChallengeStatus]
    CHALLENGE_STATUS_OFFLINE: _ClassVar[ChallengeStatus]
GAME_STATUS_UNSPECIFIED: GameStatus
GAME_STATUS_STARTED: GameStatus
GAME_STATUS_ENDED: GameStatus
GAME_STATUS_ABORTED: GameStatus
DEADLINE_KIND_UNSPECIFIED: DeadlineKind
DEADLINE_KIND_FIRST_MOVE: DeadlineKind
DEADLINE_KIND_FLAG: DeadlineKind
DEADLINE_KIND_EXPIRY: DeadlineKind
DEADLINE_KIND_DECISION: DeadlineKind
GAME_EVENT_KIND_UNSPECIFIED: GameEventKind
GAME_EVENT_KIND_CREATED: GameEventKind
GAME_EVENT_KIND_MOVE: GameEventKind
GAME_EVENT_KIND_DRAW_OFFERED: GameEventKind
GAME_EVENT_KIND_DRAW_CLOSED: GameEventKind
GAME_EVENT_KIND_ENDED: GameEventKind
GAME_EVENT_KIND_TAKEBACK_OFFERED: GameEventKind
GAME_EVENT_KIND_TAKEBACK_CLOSED: GameEventKind
GAME_EVENT_KIND_TAKEN_BACK: GameEventKind
GAME_EVENT_KIND_PAUSED: GameEventKind
GAME_EVENT_KIND_GOING_ON_OFFERED: GameEventKind
GAME_EVENT_KIND_WENT_ON: GameEventKind
GAME_EVENT_KIND_TIME_GIVEN: GameEventKind
GAME_EVENT_KIND_LEVEL_CHANGED: GameEventKind
GAME_EVENT_KIND_SEAT_TAKEN: GameEventKind
GAME_EVENT_KIND_SEAT_RETURNED: GameEventKind
GAME_EVENT_KIND_HINTED: GameEventKind
GAME_EVENT_KIND_CLOCKS_STARTED: GameEventKind
CHAT_ROOM_UNSPECIFIED: ChatRoom
CHAT_ROOM_PLAYER: ChatRoom
CHAT_ROOM_SPECTATOR: ChatRoom
CHALLENGE_STATUS_UNSPECIFIED: ChallengeStatus
CHALLENGE_STATUS_CREATED: ChallengeStatus
CHALLENGE_STATUS_ACCEPTED: ChallengeStatus
CHALLENGE_STATUS_DECLINED: ChallengeStatus
CHALLENGE_STATUS_CANCELED: ChallengeStatus
CHALLENGE_STATUS_OFFLINE: ChallengeStatus

class Player(_message.Message):
    __slots__ = ("id", "name", "title", "guest", "computer_level", "rating", "provisional")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    GUEST_FIELD_NUMBER: _ClassVar[int]
    COMPUTER_LEVEL_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    PROVISIONAL_FIELD_NUMBER: _ClassVar[int]
    id: str
    name: str
    title: str
    guest: bool
    computer_level: int
    rating: int
    provisional: bool
    def __init__(self, id: _Optional[str] = ..., name: _Optional[str] = ..., title: _Optional[str] = ..., guest: _Optional[bool] = ..., computer_level: _Optional[int] = ..., rating: _Optional[int] = ..., provisional: _Optional[bool] = ...) -> None: ...

class GameInfo(_message.Message):
    __slots__ = ("id", "variant", "rule_set", "time_control", "white", "black", "rated", "source", "initial_fen", "created_ms", "tags", "rematch_of", "party_id")
    ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    WHITE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    INITIAL_FEN_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    REMATCH_OF_FIELD_NUMBER: _ClassVar[int]
    PARTY_ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    variant: str
    rule_set: _common_pb2.RuleSet
    time_control: _common_pb2.TimeControl
    white: Player
    black: Player
    rated: bool
    source: str
    initial_fen: str
    created_ms: int
    tags: _containers.RepeatedCompositeFieldContainer[_common_pb2.PgnTag]
    rematch_of: str
    party_id: str
    def __init__(self, id: _Optional[str] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[_common_pb2.TimeControl, _Mapping]] = ..., white: _Optional[_Union[Player, _Mapping]] = ..., black: _Optional[_Union[Player, _Mapping]] = ..., rated: _Optional[bool] = ..., source: _Optional[str] = ..., initial_fen: _Optional[str] = ..., created_ms: _Optional[int] = ..., tags: _Optional[_Iterable[_Union[_common_pb2.PgnTag, _Mapping]]] = ..., rematch_of: _Optional[str] = ..., party_id: _Optional[str] = ...) -> None: ...

class Pause(_message.Message):
    __slots__ = ("flagged", "since_ms", "going_on_offered", "outcome")
    FLAGGED_FIELD_NUMBER: _ClassVar[int]
    SINCE_MS_FIELD_NUMBER: _ClassVar[int]
    GOING_ON_OFFERED_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    flagged: _common_pb2.Color
    since_ms: int
    going_on_offered: bool
    outcome: _common_pb2.Outcome
    def __init__(self, flagged: _Optional[_Union[_common_pb2.Color, str]] = ..., since_ms: _Optional[int] = ..., going_on_offered: _Optional[bool] = ..., outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ...) -> None: ...

class GameState(_message.Message):
    __slots__ = ("game_id", "version", "status", "outcome", "ply", "fen", "turn", "check", "last_uci", "last_san", "white_ms", "black_ms", "at_ms", "running", "deadline_ms", "deadline_kind", "draw_offer", "claims", "legal", "computer_turn_level", "ended_ms", "takeback_offer", "pause", "unrated", "white_held_level", "black_held_level", "without_clock", "helped", "takebacks", "claimable", "white_rating_diff", "black_rating_diff")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    CHECK_FIELD_NUMBER: _ClassVar[int]
    LAST_UCI_FIELD_NUMBER: _ClassVar[int]
    LAST_SAN_FIELD_NUMBER: _ClassVar[int]
    WHITE_MS_FIELD_NUMBER: _ClassVar[int]
    BLACK_MS_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_KIND_FIELD_NUMBER: _ClassVar[int]
    DRAW_OFFER_FIELD_NUMBER: _ClassVar[int]
    CLAIMS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    COMPUTER_TURN_LEVEL_FIELD_NUMBER: _ClassVar[int]
    ENDED_MS_FIELD_NUMBER: _ClassVar[int]
    TAKEBACK_OFFER_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    UNRATED_FIELD_NUMBER: _ClassVar[int]
    WHITE_HELD_LEVEL_FIELD_NUMBER: _ClassVar[int]
    BLACK_HELD_LEVEL_FIELD_NUMBER: _ClassVar[int]
    WITHOUT_CLOCK_FIELD_NUMBER: _ClassVar[int]
    HELPED_FIELD_NUMBER: _ClassVar[int]
    TAKEBACKS_FIELD_NUMBER: _ClassVar[int]
    CLAIMABLE_FIELD_NUMBER: _ClassVar[int]
    WHITE_RATING_DIFF_FIELD_NUMBER: _ClassVar[int]
    BLACK_RATING_DIFF_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    version: int
    status: GameStatus
    outcome: _common_pb2.Outcome
    ply: int
    fen: str
    turn: _common_pb2.Color
    check: bool
    last_uci: str
    last_san: str
    white_ms: int
    black_ms: int
    at_ms: int
    running: bool
    deadline_ms: int
    deadline_kind: DeadlineKind
    draw_offer: _common_pb2.Color
    claims: _containers.RepeatedScalarFieldContainer[_common_pb2.Claim]
    legal: str
    computer_turn_level: int
    ended_ms: int
    takeback_offer: _common_pb2.Color
    pause: Pause
    unrated: bool
    white_held_level: int
    black_held_level: int
    without_clock: bool
    helped: bool
    takebacks: int
    claimable: bool
    white_rating_diff: int
    black_rating_diff: int
    def __init__(self, game_id: _Optional[str] = ..., version: _Optional[int] = ..., status: _Optional[_Union[GameStatus, str]] = ..., outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ..., ply: _Optional[int] = ..., fen: _Optional[str] = ..., turn: _Optional[_Union[_common_pb2.Color, str]] = ..., check: _Optional[bool] = ..., last_uci: _Optional[str] = ..., last_san: _Optional[str] = ..., white_ms: _Optional[int] = ..., black_ms: _Optional[int] = ..., at_ms: _Optional[int] = ..., running: _Optional[bool] = ..., deadline_ms: _Optional[int] = ..., deadline_kind: _Optional[_Union[DeadlineKind, str]] = ..., draw_offer: _Optional[_Union[_common_pb2.Color, str]] = ..., claims: _Optional[_Iterable[_Union[_common_pb2.Claim, str]]] = ..., legal: _Optional[str] = ..., computer_turn_level: _Optional[int] = ..., ended_ms: _Optional[int] = ..., takeback_offer: _Optional[_Union[_common_pb2.Color, str]] = ..., pause: _Optional[_Union[Pause, _Mapping]] = ..., unrated: _Optional[bool] = ..., white_held_level: _Optional[int] = ..., black_held_level: _Optional[int] = ..., without_clock: _Optional[bool] = ..., helped: _Optional[bool] = ..., takebacks: _Optional[int] = ..., claimable: _Optional[bool] = ..., white_rating_diff: _Optional[int] = ..., black_rating_diff: _Optional[int] = ...) -> None: ...

class GameEvent(_message.Message):
    __slots__ = ("kind", "state", "by", "info", "by_computer", "traceparent")
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    BY_FIELD_NUMBER: _ClassVar[int]
    INFO_FIELD_NUMBER: _ClassVar[int]
    BY_COMPUTER_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    kind: GameEventKind
    state: GameState
    by: _common_pb2.Color
    info: GameInfo
    by_computer: bool
    traceparent: str
    def __init__(self, kind: _Optional[_Union[GameEventKind, str]] = ..., state: _Optional[_Union[GameState, _Mapping]] = ..., by: _Optional[_Union[_common_pb2.Color, str]] = ..., info: _Optional[_Union[GameInfo, _Mapping]] = ..., by_computer: _Optional[bool] = ..., traceparent: _Optional[str] = ...) -> None: ...

class ChatLine(_message.Message):
    __slots__ = ("game_id", "room", "player_id", "player_name", "text", "at_ms")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    ROOM_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAME_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    room: ChatRoom
    player_id: str
    player_name: str
    text: str
    at_ms: int
    def __init__(self, game_id: _Optional[str] = ..., room: _Optional[_Union[ChatRoom, str]] = ..., player_id: _Optional[str] = ..., player_name: _Optional[str] = ..., text: _Optional[str] = ..., at_ms: _Optional[int] = ...) -> None: ...

class EventBatch(_message.Message):
    __slots__ = ("events",)
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[GameEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[GameEvent, _Mapping]]] = ...) -> None: ...

class GameMessage(_message.Message):
    __slots__ = ("event", "chat", "hint")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    CHAT_FIELD_NUMBER: _ClassVar[int]
    HINT_FIELD_NUMBER: _ClassVar[int]
    event: GameEvent
    chat: ChatLine
    hint: Hint
    def __init__(self, event: _Optional[_Union[GameEvent, _Mapping]] = ..., chat: _Optional[_Union[ChatLine, _Mapping]] = ..., hint: _Optional[_Union[Hint, _Mapping]] = ...) -> None: ...

class Hint(_message.Message):
    __slots__ = ("game_id", "ply", "uci", "san", "player_id")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    UCI_FIELD_NUMBER: _ClassVar[int]
    SAN_FIELD_NUMBER: _ClassVar[int]
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    ply: int
    uci: str
    san: str
    player_id: str
    def __init__(self, game_id: _Optional[str] = ..., ply: _Optional[int] = ..., uci: _Optional[str] = ..., san: _Optional[str] = ..., player_id: _Optional[str] = ...) -> None: ...

class Challenge(_message.Message):
    __slots__ = ("id", "status", "challenger", "dest", "variant", "rule_set", "time_control", "rated", "challenger_color", "final_color", "initial_fen", "created_ms", "expires_ms", "decline_reason", "open", "name", "rematch_of", "counter_to", "user_ids")
    ID_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CHALLENGER_FIELD_NUMBER: _ClassVar[int]
    DEST_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    CHALLENGER_COLOR_FIELD_NUMBER: _ClassVar[int]
    FINAL_COLOR_FIELD_NUMBER: _ClassVar[int]
    INITIAL_FEN_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_MS_FIELD_NUMBER: _ClassVar[int]
    DECLINE_REASON_FIELD_NUMBER: _ClassVar[int]
    OPEN_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REMATCH_OF_FIELD_NUMBER: _ClassVar[int]
    COUNTER_TO_FIELD_NUMBER: _ClassVar[int]
    USER_IDS_FIELD_NUMBER: _ClassVar[int]
    id: str
    status: ChallengeStatus
    challenger: Player
    dest: Player
    variant: str
    rule_set: _common_pb2.RuleSet
    time_control: _common_pb2.TimeControl
    rated: bool
    challenger_color: _common_pb2.Color
    final_color: _common_pb2.Color
    initial_fen: str
    created_ms: int
    expires_ms: int
    decline_reason: str
    open: bool
    name: str
    rematch_of: str
    counter_to: str
    user_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, id: _Optional[str] = ..., status: _Optional[_Union[ChallengeStatus, str]] = ..., challenger: _Optional[_Union[Player, _Mapping]] = ..., dest: _Optional[_Union[Player, _Mapping]] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[_common_pb2.TimeControl, _Mapping]] = ..., rated: _Optional[bool] = ..., challenger_color: _Optional[_Union[_common_pb2.Color, str]] = ..., final_color: _Optional[_Union[_common_pb2.Color, str]] = ..., initial_fen: _Optional[str] = ..., created_ms: _Optional[int] = ..., expires_ms: _Optional[int] = ..., decline_reason: _Optional[str] = ..., open: _Optional[bool] = ..., name: _Optional[str] = ..., rematch_of: _Optional[str] = ..., counter_to: _Optional[str] = ..., user_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class GameSummary(_message.Message):
    __slots__ = ("info", "state")
    INFO_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    info: GameInfo
    state: GameState
    def __init__(self, info: _Optional[_Union[GameInfo, _Mapping]] = ..., state: _Optional[_Union[GameState, _Mapping]] = ...) -> None: ...

class PlayerEvent(_message.Message):
    __slots__ = ("player_id", "seq", "challenge", "challenge_canceled", "challenge_declined", "game_start", "game_finish", "reminder", "party")
    PLAYER_ID_FIELD_NUMBER: _ClassVar[int]
    SEQ_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_CANCELED_FIELD_NUMBER: _ClassVar[int]
    CHALLENGE_DECLINED_FIELD_NUMBER: _ClassVar[int]
    GAME_START_FIELD_NUMBER: _ClassVar[int]
    GAME_FINISH_FIELD_NUMBER: _ClassVar[int]
    REMINDER_FIELD_NUMBER: _ClassVar[int]
    PARTY_FIELD_NUMBER: _ClassVar[int]
    player_id: str
    seq: int
    challenge: Challenge
    challenge_canceled: Challenge
    challenge_declined: Challenge
    game_start: GameSummary
    game_finish: GameSummary
    reminder: Reminder
    party: Party
    def __init__(self, player_id: _Optional[str] = ..., seq: _Optional[int] = ..., challenge: _Optional[_Union[Challenge, _Mapping]] = ..., challenge_canceled: _Optional[_Union[Challenge, _Mapping]] = ..., challenge_declined: _Optional[_Union[Challenge, _Mapping]] = ..., game_start: _Optional[_Union[GameSummary, _Mapping]] = ..., game_finish: _Optional[_Union[GameSummary, _Mapping]] = ..., reminder: _Optional[_Union[Reminder, _Mapping]] = ..., party: _Optional[_Union[Party, _Mapping]] = ...) -> None: ...

class Reminder(_message.Message):
    __slots__ = ("game", "deadline_ms")
    GAME_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_MS_FIELD_NUMBER: _ClassVar[int]
    game: GameSummary
    deadline_ms: int
    def __init__(self, game: _Optional[_Union[GameSummary, _Mapping]] = ..., deadline_ms: _Optional[int] = ...) -> None: ...

class Seek(_message.Message):
    __slots__ = ("id", "player", "variant", "rule_set", "time_control", "rated", "color", "rating_min", "rating_max", "created_ms", "expires_ms")
    ID_FIELD_NUMBER: _ClassVar[int]
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    RATED_FIELD_NUMBER: _ClassVar[int]
    COLOR_FIELD_NUMBER: _ClassVar[int]
    RATING_MIN_FIELD_NUMBER: _ClassVar[int]
    RATING_MAX_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_MS_FIELD_NUMBER: _ClassVar[int]
    id: str
    player: Player
    variant: str
    rule_set: _common_pb2.RuleSet
    time_control: _common_pb2.TimeControl
    rated: bool
    color: _common_pb2.Color
    rating_min: int
    rating_max: int
    created_ms: int
    expires_ms: int
    def __init__(self, id: _Optional[str] = ..., player: _Optional[_Union[Player, _Mapping]] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[_common_pb2.TimeControl, _Mapping]] = ..., rated: _Optional[bool] = ..., color: _Optional[_Union[_common_pb2.Color, str]] = ..., rating_min: _Optional[int] = ..., rating_max: _Optional[int] = ..., created_ms: _Optional[int] = ..., expires_ms: _Optional[int] = ...) -> None: ...

class PartySettings(_message.Message):
    __slots__ = ("turn_ms", "legal_marks", "swap_colors", "variant", "rule_set")
    TURN_MS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_MARKS_FIELD_NUMBER: _ClassVar[int]
    SWAP_COLORS_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    turn_ms: int
    legal_marks: bool
    swap_colors: bool
    variant: str
    rule_set: _common_pb2.RuleSet
    def __init__(self, turn_ms: _Optional[int] = ..., legal_marks: _Optional[bool] = ..., swap_colors: _Optional[bool] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ...) -> None: ...

class PartyMember(_message.Message):
    __slots__ = ("player", "joined_ms", "spectator")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    JOINED_MS_FIELD_NUMBER: _ClassVar[int]
    SPECTATOR_FIELD_NUMBER: _ClassVar[int]
    player: Player
    joined_ms: int
    spectator: bool
    def __init__(self, player: _Optional[_Union[Player, _Mapping]] = ..., joined_ms: _Optional[int] = ..., spectator: _Optional[bool] = ...) -> None: ...

class Party(_message.Message):
    __slots__ = ("id", "host_id", "settings", "members", "game_id", "version", "created_ms", "closed")
    ID_FIELD_NUMBER: _ClassVar[int]
    HOST_ID_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    MEMBERS_FIELD_NUMBER: _ClassVar[int]
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    id: str
    host_id: str
    settings: PartySettings
    members: _containers.RepeatedCompositeFieldContainer[PartyMember]
    game_id: str
    version: int
    created_ms: int
    closed: bool
    def __init__(self, id: _Optional[str] = ..., host_id: _Optional[str] = ..., settings: _Optional[_Union[PartySettings, _Mapping]] = ..., members: _Optional[_Iterable[_Union[PartyMember, _Mapping]]] = ..., game_id: _Optional[str] = ..., version: _Optional[int] = ..., created_ms: _Optional[int] = ..., closed: _Optional[bool] = ...) -> None: ...
