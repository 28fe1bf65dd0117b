"""Parties, under /api/flagfall/parties: players meet by a link, with or without accounts."""

import re
from dataclasses import replace

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.domain.chaturanga import CHATURANGA
from services.domain.refusal import Refusal, RefusalCode
from services.domain.rule_set import PARTY
from services.domain.text import say
from services.domain.time_control import PER_MOVE_MS
from services.domain.variant import Variant
from services.gateway.errors import Refused, malformed
from services.gateway.game_calls.tokens import Signed
from services.gateway.protocol import affairs
from services.gateway.protocol.rule_sets import RULE_FIELDS
from services.gateway.protocol.server_frames import Party as Shown
from services.gateway.rest.answered import answered
from services.gateway.rest.auth import signed
from services.gateway.rest.described import takes
from services.gateway.rest.openapi import Token, answers, json
from services.gateway.rest.parts import Parts, parts
from services.gateway.rest.requests import Fields, read_fields
from services.gateway.rest.rule_fields import chosen
from services.pb.flagfall.v1 import game_pb2 as pb
from services.pb.flagfall.v1.events_pb2 import Party, PartySettings
from services.runtime.wire import rule_set_from_pb, rule_set_to_pb

router = APIRouter(prefix="/api/flagfall/parties", tags=["Parties"], default_response_class=Response)

WRITE = ("challenge:write", "bot:play", "board:play")
SETTING_FIELDS = ("turnLimit", "legalMarks", "swapColors", "variant", *RULE_FIELDS)
DEFAULTS = PartySettings(
    legal_marks=True, swap_colors=True, variant=Variant.STANDARD.value, rule_set=rule_set_to_pb(PARTY)
)
PLAYER_CHARS_MAX = 64

_ID = re.compile(r"[A-Za-z0-9]{12}")
_TURN_LIMITS_S = sorted({0, *(turn_ms // 1000 for turn_ms in PER_MOVE_MS)})
_PARTY = answers(json(Shown), token=Token.NEEDED, scopes=WRITE)


def _answer(party: Party, status: int = 200) -> Response:
    return answered(affairs.party(party), status)


@router.post(
    "",
    status_code=201,
    summary="Make a party",
    openapi_extra=takes(*SETTING_FIELDS) | answers(json(Shown), status=201, token=Token.NEEDED, scopes=WRITE),
)
async def create(request: Request) -> Response:
    """Fields `turnLimit` (0, 30 or 60 s), `legalMarks`, `swapColors`, `variant`, `ruleSet` (by default `party`; single
    fields can be changed). The caller is its host and first member. The id is the secret of the link: everybody who has
    it may join."""
    made = parts(request)
    who = await signed(request, *WRITE)
    fields = await read_fields(request)
    fields.only([*SETTING_FIELDS])
    settings = wanted_settings(fields, DEFAULTS)
    _spend(made, who)
    return _answer(await made.parties.create(who.player.id, settings), 201)


@router.get("/{party_id}", summary="A party", openapi_extra=answers(json(Shown), token=Token.UNUSED))
async def party(request: Request, party_id: str) -> Response:
    """Its members, its settings, who plays next, and the running game."""
    return _answer(await parts(request).parties.get(_checked(party_id)))


@router.post("/{party_id}/join", summary="Join", openapi_extra=takes("spectator") | _PARTY)
async def join(request: Request, party_id: str) -> Response:
    """With `spectator` the caller only watches. Join again with another value to change; who changes to playing goes to
    the end of the queue."""
    made, change = await _change(request, party_id)
    fields = await read_fields(request)
    fields.only(["spectator"])
    change.join.spectator = fields.boolean("spectator")
    return _answer(await made.parties.change(change))


@router.post("/{party_id}/leave", summary="Leave", openapi_extra=_PARTY)
async def leave(request: Request, party_id: str) -> Response:
    """A running game goes on. When the host leaves, the longest member becomes host; when the last member leaves, the
    party is closed."""
    made, change = await _change(request, party_id)
    (await read_fields(request)).only([])
    change.leave.SetInParent()
    return _answer(await made.parties.change(change))


@router.post(
    "/{party_id}/remove",
    summary="Remove a member",
    openapi_extra=takes("player", required=("player",)) | _PARTY,
)
async def remove(request: Request, party_id: str) -> Response:
    """The host removes the member `player` (an id), who may join again by the link."""
    made, change = await _change(request, party_id)
    fields = await read_fields(request)
    fields.only(["player"])
    change.leave.player_id = _member(fields.text("player", chars_max=PLAYER_CHARS_MAX))
    return _answer(await made.parties.change(change))


@router.post("/{party_id}/settings", summary="Change the settings", openapi_extra=takes(*SETTING_FIELDS) | _PARTY)
async def set_up(request: Request, party_id: str) -> Response:
    """The host changes the settings of the next games. Missing fields stay as they are."""
    made, change = await _change(request, party_id)
    fields = await read_fields(request)
    fields.only([*SETTING_FIELDS])
    current = await made.parties.get(change.id)
    change.settings.CopyFrom(wanted_settings(fields, current.settings))
    return _answer(await made.parties.change(change))


@router.post("/{party_id}/start", summary="Begin the next game", openapi_extra=_PARTY)
async def start(request: Request, party_id: str) -> Response:
    """Allowed for the host and the two next players. `game` in the answer is the new game, or the one that is already
    running."""
    made, change = await _change(request, party_id)
    (await read_fields(request)).only([])
    change.start.SetInParent()
    return _answer(await made.parties.change(change))


@router.post(
    "/{party_id}/host",
    summary="Make another member the host",
    openapi_extra=takes("player", required=("player",)) | _PARTY,
)
async def hand_on(request: Request, party_id: str) -> Response:
    """The host makes the member `player` (an id) the host."""
    made, change = await _change(request, party_id)
    fields = await read_fields(request)
    fields.only(["player"])
    change.host.player_id = _member(fields.text("player", chars_max=PLAYER_CHARS_MAX))
    return _answer(await made.parties.change(change))


@router.post("/{party_id}/close", summary="Close the party", openapi_extra=_PARTY)
async def close(request: Request, party_id: str) -> Response:
    """The host closes the party. A running game goes on."""
    made, change = await _change(request, party_id)
    (await read_fields(request)).only([])
    change.close.SetInParent()
    return _answer(await made.parties.change(change))


async def _change(request: Request, party_id: str) -> tuple[Parts, pb.ChangePartyRequest]:
    """The parts, and the caller's change of a party, in which the handler fills in the action."""
    made = parts(request)
    who = await signed(request, *WRITE)
    change = pb.ChangePartyRequest(id=_checked(party_id), player_id=who.player.id)
    _spend(made, who)
    return made, change


def _spend(made: Parts, who: Signed) -> None:
    made.limits.spend("party_changes", who.player.id, made.settings.party_changes_per_minute, 60)


def _checked(party_id: str) -> str:
    if _ID.fullmatch(party_id) is None:
        raise Refused(Refusal(RefusalCode.NOT_FOUND, say("parties.no_party"), "id"))
    return party_id


def _member(text: str) -> str:
    if not text.strip():
        raise malformed(say("parties.member_id", name="player"), "player")
    return text.strip().lower()


def wanted_settings(fields: Fields, current: PartySettings) -> PartySettings:
    """`current` with the changes that a request asks for. Raises Refused with the name of an invalid field."""
    variant = fields.choice("variant", Variant, current.variant)
    turn_limit_s = fields.integer("turnLimit", current.turn_ms // 1000, least=0, most=_TURN_LIMITS_S[-1])
    if turn_limit_s not in _TURN_LIMITS_S:
        raise malformed(say("parties.turn_limit"), "turnLimit")
    rule_set = rule_set_from_pb(current.rule_set)
    if variant != Variant.CHATURANGA:
        rule_set = replace(rule_set, chaturanga=CHATURANGA)  # other variants do not have its options
    return PartySettings(
        turn_ms=turn_limit_s * 1000,
        legal_marks=fields.boolean("legalMarks", current.legal_marks),
        swap_colors=fields.boolean("swapColors", current.swap_colors),
        variant=variant,
        rule_set=rule_set_to_pb(chosen(fields, variant, rule_set)),
    )
