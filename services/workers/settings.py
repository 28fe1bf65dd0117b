"""Settings of the workers: dispatcher, Celery worker and beat."""

from typing import Self

from pydantic import Field, model_validator

from services.runtime.redis_address import is_redis, next_database, parse_sentinel
from services.runtime.settings import Settings


class WorkersSettings(Settings):
    """The settings of the workers besides the common ones."""

    broker_url: str = Field("", description="Celery's broker; empty: the Redis of redis_url, its next database.")
    visibility_timeout_s: int = Field(
        60, ge=5, description="When a Redis broker delivers the tasks of a dead worker again; longer than any task."
    )

    dispatch_read_max: int = Field(200, ge=1, description="Entries of each stream that are read at once.")
    dispatch_block_ms: int = Field(1_000, ge=1, description="How long a dispatcher waits for events in one read.")
    dispatch_lease_ms: int = Field(
        3_000, ge=10, description="After this a dispatcher claims events that another one has read and not finished."
    )
    dispatch_pause_ms: int = Field(250, ge=1, description="Pause after a failure of Redis or the broker.")
    dispatch_forget_ms: int = Field(
        600_000, ge=1_000, description="A consumer without pending events and reads for so long counts as dead."
    )
    dispatch_forget_rounds: int = Field(
        60, ge=1, description="Rounds of reconciling between two checks for dead consumers."
    )
    turn_lost_ms: int = Field(10_000, ge=100, description="A computer's turn that waits longer is queued again.")
    reconcile_period_ms: int = Field(3_000, ge=10, description="How often waiting turns are fetched.")
    reconcile_turns_max: int = Field(500, ge=1, description="The most turns in one such answer.")
    reconcile_queue_max: int = Field(
        1_000, ge=1, description="With a longer queue turns are late, not lost, and none is queued again."
    )
    broker_connect_s: int = Field(2, ge=1, description="How long connecting to the broker may take.")
    broker_answer_s: int = Field(5, ge=1, description="How long the broker may take for an answer.")
    gauges_period_ms: int = Field(2_000, ge=100, description="How often the queues are measured.")

    hint_period_ms: int = Field(
        2_000, ge=100, description="A hint that is requested again earlier is not searched twice."
    )
    hint_nodes: int = Field(
        30_000, ge=1, le=200_000, description="Positions that are searched for a hint, by an engine at full strength."
    )
    worker_threads: int = Field(2, ge=1, le=64, description="Tasks that a worker does at once, each with an engine.")
    worker_queues: str = Field("engine,sweep,hint", description="Queues that this worker takes tasks from.")
    heartbeat_period_ms: int = Field(5_000, ge=100, description="How often a worker sends itself a heartbeat task.")
    heartbeat_fresh_ms: int = Field(
        20_000, ge=100, description="A worker whose last heartbeat came back longer ago is not ready."
    )
    heartbeat_dead_ms: int = Field(
        180_000,
        ge=100,
        description="One without heartbeats for longer than this, although the broker answers, must be restarted;"
        " longer than any task, since all threads may be at work.",
    )
    list_timeout_ms: int = Field(5_000, ge=10, description="Deadline of one call for waiting turns, or of a sweep.")
    submit_tries_max: int = Field(5, ge=1, description="How often a task calls an unavailable game service.")
    submit_pause_ms: int = Field(100, ge=1, description="Pause before the second call; doubles each time.")

    engine_command: str = Field(
        "",
        description="Words that start a UCI engine; empty: fairy-stockfish or stockfish on PATH; none: no engine.",
    )
    engine_start_ms: int = Field(15_000, ge=100, description="How long an engine may take to say that it is ready.")
    engine_move_ms: int = Field(
        4_000, ge=10, description="How long an engine may take for a move; then it is killed and replaced."
    )
    engine_retry_ms: int = Field(
        30_000, ge=0, description="Pause after a failed start of an engine; meanwhile the small search moves."
    )
    engine_hash_mb: int = Field(4, ge=1, le=4096, description="Memory of each engine for positions it has seen.")
    engine_line_bytes_max: int = Field(16_384, ge=1024, description="Longest line that an engine may print.")
    engine_told_s: int = Field(30, ge=3, description="How long the published name of the engine is valid.")
    search_nodes_max: int = Field(2_000, ge=1, description="The most positions that our small search reads.")

    sweep_period_s: float = Field(60, gt=0, description="How often a sweep runs.")
    sweep_limit: int = Field(200, ge=1, description="Games that one call of a sweep may end.")
    sweep_rounds_max: int = Field(100, ge=1, description="The most calls of one sweep while more is left.")

    @property
    def think_ms(self) -> int:
        """The search time of an engine in ms: half of its time limit. Then the search ends with its best move."""
        return self.engine_move_ms // 2

    @property
    def broker(self) -> str:
        """The URL of the broker."""
        return self.broker_url or next_database(self.redis_url)

    @property
    def broker_is_redis(self) -> bool:
        """Whether the broker is a Redis or Valkey."""
        return is_redis(self.broker)

    @model_validator(mode="after")
    def _broker_can_be_read(self) -> Self:
        parse_sentinel(self.broker)
        return self

    @model_validator(mode="after")
    def _blocks_fit(self) -> Self:
        if self.dispatch_block_ms >= self.redis_answer_ms:
            raise ValueError("dispatch_block_ms must be below redis_answer_ms, or each read would count as lost")
        return self
