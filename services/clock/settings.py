"""Settings of the clock service."""

from pydantic import Field

from services.runtime.settings import Settings


class ClockSettings(Settings):
    """The settings of the clock service besides the common ones."""

    flag_grace_ms: int = Field(
        100, ge=0, description="How long after its deadline an alarm is fired; the game service refuses it earlier."
    )
    alarm_lease_ms: int = Field(
        1_500, ge=100, description="How long a taken alarm belongs to its replica before others may take it."
    )
    alarm_poll_ms: int = Field(
        1_000,
        ge=10,
        description="Longest sleep of the timer: an alarm set by another replica may be seen so much later.",
    )
    alarm_gather_ms: int = Field(
        5, ge=0, description="How long due alarms are gathered after the first ones; a flag is at most so much later."
    )
    alarms_firing_max: int = Field(1_024, ge=1, description="Alarms that may be in flight at once in this process.")
    retry_pause_ms: int = Field(50, ge=1, description="Pause before a deadline is fired again; doubles each time.")
    retry_pause_max_ms: int = Field(2_000, ge=1, description="Longest pause before a deadline is fired again.")
    overdue_period_ms: int = Field(1_000, ge=10, description="How often the game service is asked for overdue games.")
    overdue_pages_max: int = Field(20, ge=1, description="The most pages of overdue games that one round reads.")
    deadline_page_size: int = Field(1_000, ge=1, le=10_000, description="Deadlines in one page.")
    rebuild_pause_ms: int = Field(100, ge=1, description="Pause before a failed rebuild is tried again; doubles.")
    rebuild_pause_max_ms: int = Field(
        5_000, ge=100, description="Longest pause before a failed rebuild is tried again."
    )
    list_timeout_ms: int = Field(5_000, ge=10, description="Deadline of one call for a page of deadlines.")
