"""Limits of commands. The gateway checks frames with them; the game service checks commands with them."""

from typing import Self

from pydantic import Field, model_validator

from services.runtime.settings import Settings


class CommandLimits(Settings):
    """Declared once for both services. A changed limit must be set for both of them."""

    move_chars_max: int = Field(32, ge=5, description="The most characters of a move.")
    given_ms_min: int = Field(5_000, ge=1_000, description="The least time that may be given at once.")
    given_ms_most: int = Field(60_000, ge=1_000, description="The most time that may be given at once.")
    chat_chars_max: int = Field(140, ge=1, description="The most characters of a chat line.")

    @property
    def given_s_min(self) -> int:
        """The least time that may be given at once, in whole seconds (rounded up), as clients write it."""
        return -(-self.given_ms_min // 1000)

    @property
    def given_s_most(self) -> int:
        """The most time that may be given at once, in whole seconds (rounded down)."""
        return self.given_ms_most // 1000

    @model_validator(mode="after")
    def _some_time_can_be_given(self) -> Self:
        if self.given_s_min > self.given_s_most:
            raise ValueError("no whole second lies between given_ms_min and given_ms_most")
        return self
