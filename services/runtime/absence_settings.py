"""Limits of absence. The game service decides with them; the gateways use them to announce the decision to players."""

from pydantic import Field

from services.runtime.settings import Settings


class AbsenceSettings(Settings):
    """How long a player must be away from a live game before something happens. The same for every process."""

    gone_ms: int = Field(
        5_000, ge=0, description="Time after which a player who left counts as away; a reload is shorter."
    )
    absence_ms: int = Field(60_000, ge=100, description="Absence after which the opponent may claim.")
    seat_ms: int = Field(20_000, ge=100, description="Absence after which a computer takes the seat.")
