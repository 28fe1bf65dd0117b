from services.pb.flagfall.v1 import common_pb2 as _common_pb2
from services.pb.flagfall.v1 import events_pb2 as _events_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ChallengeAnswer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHALLENGE_ANSWER_UNSPECIFIED: _ClassVar[ChallengeAnswer]
    CHALLENGE_ANSWER_ACCEPT: _ClassVar[ChallengeAnswer]
    CHALLENGE_ANSWER_DECLINE: _ClassVar[ChallengeAnswer]
    CHALLENGE_ANSWER_CANCEL: _ClassVar[ChallengeAnswer]
CHALLENGE_ANSWER_UNSPECIFIED: ChallengeAnswer
CHALLENGE_ANSWER_ACCEPT: ChallengeAnswer
CHALLENGE_ANSWER_DECLINE: ChallengeAnswer
CHALLENGE_ANSWER_CANCEL: ChallengeAnswer

class Command(_message.Message):
    __slots__ = ("game_id", "player_id", "command_id", "move", "resign", "abort", "offer_draw", "close_draw", "flag", "beat", "claim_draw")
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
    def __init__(self, game_id: _Optional[str] = ..., player_id: _Optional[str] = ..., command_id: _Optional[str] = ..., move: _Optional[_Union[Move, _Mapping]] = ..., resign: _Optional[_Union[Resign, _Mapping]] = ..., abort: _Optional[_Union[Abort, _Mapping]] = ..., offer_draw: _Optional[_Union[OfferDraw, _Mapping]] = ..., close_draw: _Optional[_Union[CloseDraw, _Mapping]] = ..., flag: _Optional[_Union[Flag, _Mapping]] = ..., beat: _Optional[_Union[Beat, _Mapping]] = ..., claim_draw: _Optional[_Union[ClaimDraw, _Mapping]] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("text", "ply", "offer_draw")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    OFFER_DRAW_FIELD_NUMBER: _ClassVar[int]
    text: str
    ply: int
    offer_draw: bool
    def __init__(self, text: _Optional[str] = ..., ply: _Optional[int] = ..., offer_draw: _Optional[bool] = ...) -> None: ...

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
    __slots__ = ("version", "state", "repeated")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REPEATED_FIELD_NUMBER: _ClassVar[int]
    version: int
    state: _events_pb2.GameState
    repeated: bool
    def __init__(self, version: _Optional[int] = ..., state: _Optional[_Union[_events_pb2.GameState, _Mapping]] = ..., repeated: _Optional[bool] = ...) -> None: ...

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

class FetchResponse(_message.Message):
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
    __slots__ = ("info", "state", "moves")
    INFO_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    info: _events_pb2.GameInfo
    state: _events_pb2.GameState
    moves: _containers.RepeatedCompositeFieldContainer[PlayedMove]
    def __init__(self, info: _Optional[_Union[_events_pb2.GameInfo, _Mapping]] = ..., state: _Optional[_Union[_events_pb2.GameState, _Mapping]] = ..., moves: _Optional[_Iterable[_Union[PlayedMove, _Mapping]]] = ...) -> None: ...

class PlayedMove(_message.Message):
    __slots__ = ("uci", "san", "clock_ms", "at_ms")
    UCI_FIELD_NUMBER: _ClassVar[int]
    SAN_FIELD_NUMBER: _ClassVar[int]
    CLOCK_MS_FIELD_NUMBER: _ClassVar[int]
    AT_MS_FIELD_NUMBER: _ClassVar[int]
    uci: str
    san: str
    clock_ms: int
    at_ms: int
    def __init__(self, uci: _Optional[str] = ..., san: _Optional[str] = ..., clock_ms: _Optional[int] = ..., at_ms: _Optional[int] = ...) -> None: ...

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
    __slots__ = ("challenger_id", "dest_id", "variant", "rule_set", "time_control", "rated", "color", "initial_fen", "name", "keep_alive", "open")
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
    def __init__(self, challenger_id: _Optional[str] = ..., dest_id: _Optional[str] = ..., variant: _Optional[str] = ..., rule_set: _Optional[_Union[_common_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[_common_pb2.TimeControl, _Mapping]] = ..., rated: _Optional[bool] = ..., color: _Optional[_Union[_common_pb2.Color, str]] = ..., initial_fen: _Optional[str] = ..., name: _Optional[str] = ..., keep_alive: _Optional[bool] = ..., open: _Optional[bool] = ...) -> None: ...

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
    __slots__ = ("player", "created_ms", "seen_ms", "games", "wins", "losses", "draws", "playing")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    CREATED_MS_FIELD_NUMBER: _ClassVar[int]
    SEEN_MS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    PLAYING_FIELD_NUMBER: _ClassVar[int]
    player: _events_pb2.Player
    created_ms: int
    seen_ms: int
    games: int
    wins: int
    losses: int
    draws: int
    playing: int
    def __init__(self, player: _Optional[_Union[_events_pb2.Player, _Mapping]] = ..., created_ms: _Optional[int] = ..., seen_ms: _Optional[int] = ..., games: _Optional[int] = ..., wins: _Optional[int] = ..., losses: _Optional[int] = ..., draws: _Optional[int] = ..., playing: _Optional[int] = ...) -> None: ...

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
    __slots__ = ("games_ended", "challenges_lapsed", "more")
    GAMES_ENDED_FIELD_NUMBER: _ClassVar[int]
    CHALLENGES_LAPSED_FIELD_NUMBER: _ClassVar[int]
    MORE_FIELD_NUMBER: _ClassVar[int]
    games_ended: int
    challenges_lapsed: int
    more: bool
    def __init__(self, games_ended: _Optional[int] = ..., challenges_lapsed: _Optional[int] = ..., more: _Optional[bool] = ...) -> None: ...
