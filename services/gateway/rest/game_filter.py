"""The filter for lists of a player's games, as the public API defines it."""

from dataclasses import dataclass

from services.domain.text import say
from services.domain.time_control import Speed
from services.domain.variant import Variant
from services.gateway.errors import malformed
from services.gateway.public_api import public_json
from services.gateway.public_api.public_ratings import PERFS
from services.gateway.rest.requests import Fields
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.common_pb2 import COLOR_BLACK, COLOR_UNSPECIFIED, COLOR_WHITE, Color
from services.pb.flagfall.v1.events_pb2 import GAME_STATUS_ABORTED, GAME_STATUS_STARTED, GameSummary

NAME_CHARS_MAX = 64
MOMENT_MAX = 2**53
GAMES_MAX = 2**31
_COLOURS = {"": COLOR_UNSPECIFIED, "white": COLOR_WHITE, "black": COLOR_BLACK}
_SORTS = ("dateDesc", "dateAsc")


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The requested filter. `perfs` None: all; `max` None: no limit. Times are Unix ms, both ends included."""

    player_id: str
    max: int | None = None
    vs: str = ""
    rated: bool | None = None
    perfs: frozenset[str] | None = None
    colour: Color = COLOR_UNSPECIFIED
    since_ms: int = 0
    until_ms: int = 0
    ongoing: bool = False
    finished: bool = True
    oldest_first: bool = False

    @property
    def nothing(self) -> bool:
        """Whether no game can match."""
        return not (self.ongoing or self.finished) or self.perfs == frozenset()

    def request(self, page: int) -> pb.SearchGamesRequest:
        """The filter as a search of the game service, which cannot check all of it; `fits` checks the rest."""
        request = pb.SearchGamesRequest(
            player_id=self.player_id,
            opponent_id=self.vs,
            rated=self.rated,
            from_ms=self.since_ms,
            until_ms=self.until_ms + 1 if self.until_ms else 0,
            limit=page,
            ended=not self.ongoing,
            color=self.colour,
            oldest_first=self.oldest_first,
        )
        if self.perfs:
            variants = {Variant.STANDARD if perf in list(Speed) else perf for perf in self.perfs}
            if len(variants) == 1:
                request.variant = variants.pop()
        return request

    def fits(self, game: GameSummary) -> bool:
        """Whether a game matches. Aborted games never match, because nobody played them."""
        info, state = game.info, game.state
        if state.status == GAME_STATUS_ABORTED:
            return False
        mine = public_json.colour_of(info, self.player_id)
        opponent = info.black if mine == COLOR_WHITE else info.white
        return (
            (self.ongoing if state.status == GAME_STATUS_STARTED else self.finished)
            and self.vs in ("", opponent.id)
            and self.rated in (None, public_json.rated(info, state))
            and (self.perfs is None or public_json.perf(info.variant, info.time_control) in self.perfs)
            and self.colour in (COLOR_UNSPECIFIED, mine)
            and self.since_ms <= info.created_ms
            and (not self.until_ms or info.created_ms <= self.until_ms)
        )


def game_filter(player_id: str, fields: Fields) -> GameFilter:
    """Read the filter from a request's fields. Raises Refused when a field is invalid."""
    perfs: frozenset[str] | None = None
    if named := fields.text("perfType", ""):
        perfs = frozenset(name.strip() for name in named.split(","))
        if perfs - set(PERFS):
            raise malformed(say("request.field_choices", name="perfType", choices=", ".join(PERFS)), "perfType")
    if fields.has("analysed") and fields.boolean("analysed"):
        perfs = frozenset()  # no game here has an analysis
    return GameFilter(
        player_id,
        fields.integer("max", least=1, most=GAMES_MAX) if fields.has("max") else None,
        fields.text("vs", "", chars_max=NAME_CHARS_MAX).lower(),
        fields.boolean("rated") if fields.has("rated") else None,
        perfs,
        _COLOURS[fields.choice("color", _COLOURS, "")],
        fields.integer("since", 0, least=0, most=MOMENT_MAX),
        fields.integer("until", 0, least=0, most=MOMENT_MAX),
        fields.boolean("ongoing", False),
        fields.boolean("finished", True),
        fields.choice("sort", _SORTS, _SORTS[0]) == "dateAsc",
    )
