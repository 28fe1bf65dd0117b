"""Settings that every service has. A service adds its own in a subclass.

Each field is read from the environment variable FLAGFALL_<NAME IN CAPITALS> and checked at boot.
"""

import sys
from typing import Self, TypeVar

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from services.runtime.redis_address import is_redis, parse_sentinel
from services.runtime.service_secret import parse_secrets


class Settings(BaseSettings):
    """The settings of every process."""

    model_config = SettingsConfigDict(env_prefix="FLAGFALL_", extra="ignore", frozen=True)

    host: str = Field("127.0.0.1", description="Address that servers of this process bind to.")
    admin_port: int = Field(0, ge=0, le=65535, description="Port of /metrics and health; 0 takes a free one.")
    grpc_port: int = Field(0, ge=0, le=65535, description="Port of this gRPC server; 0 takes a free one.")
    rules_target: str = Field("127.0.0.1:50051", description="Address of the rules service.")
    game_target: str = Field("127.0.0.1:50052", description="Address of the game service.")
    redis_url: str = Field(
        "redis://127.0.0.1:6379/0",
        description="Redis or Valkey for events, presence and timers; redis+sentinel://host:26379,host:26379/name/0 "
        "where Sentinel names the primary; rediss:// over TLS.",
    )
    service_secret: SecretStr = Field(
        SecretStr(""),
        description="Secret that every gRPC call carries; several with commas between while it is changed: the first "
        "is sent, each is accepted, an empty one at the end accepts calls without any. Empty: everybody who reaches a "
        "port may call.",
    )
    redis_ca_file: str = Field("", description="Trusted CA certificates for TLS to Redis; empty: the system's.")
    revision: str = Field("", max_length=64, description="Commit that this was built from, for the metrics.")
    traces_url: str = Field(
        "",
        description="Address for spans, by OTLP over HTTP, such as http://collector:4318/v1/traces; empty: no traces.",
    )
    traces_ratio: float = Field(0.01, ge=0, le=1, description="Share of the commands that are traced.")
    traces_waiting_max: int = Field(2_048, ge=1, description="Spans that may wait to be sent; more are dropped.")
    traces_period_ms: int = Field(2_000, ge=10, description="How often spans are sent.")
    traces_timeout_ms: int = Field(2_000, ge=10, description="How long sending spans may take, also at the end.")
    log_format: str = Field("json", pattern="^(json|text)$", description="json for machines, text for a terminal.")
    log_level: str = Field("INFO", description="Lowest level that is logged.")
    event_shards: int = Field(
        8, ge=1, le=256, description="Streams that events are spread over. Fixed for a deployment."
    )
    stream_entries_max: int = Field(
        20_000,
        ge=100,
        description="Approximate number of entries in each stream; an entry holds the events of one batch.",
    )
    stream_read_max: int = Field(500, ge=1, description="The most entries of each stream in one read.")
    stream_block_ms: int = Field(
        500, ge=1, description="How long one read waits for events; less than redis_answer_ms, or it counts as lost."
    )
    stream_gather_ms: int = Field(
        25, ge=0, description="Pause after a read with events, so that the next read gets several."
    )
    stream_look_ms: int = Field(
        2_000, ge=10, description="How often a reader checks that Redis is the same and its streams are complete."
    )
    redis_connect_ms: int = Field(1_000, ge=10, description="How long connecting to Redis may take.")
    redis_answer_ms: int = Field(2_000, ge=10, description="How long Redis may take for an answer.")
    redis_pause_ms: int = Field(250, ge=1, description="Pause before an unavailable Redis is called again.")
    redis_connections_max: int = Field(
        16, ge=1, description="Connections of one client to Redis; more calls wait for one, as long as for an answer."
    )
    batch_size_max: int = Field(128, ge=1, le=1024, description="The most items of one batch.")
    batch_waiting_max: int = Field(4096, ge=1, description="Items that may wait for a batch; one more is refused.")
    batches_under_way_max: int = Field(4, ge=1, le=64, description="Batches of one hop that may be in flight at once.")
    call_timeout_ms: int = Field(1_000, ge=10, description="Deadline of one batch on one hop.")
    ready_period_ms: int = Field(2_000, ge=50, description="How often the readiness checks run.")
    loop_stuck_ms: int = Field(
        10_000, ge=100, description="A process whose event loop is blocked for so long counts as dead."
    )
    ready_timeout_ms: int = Field(1_000, ge=10, description="Deadline of one readiness check.")
    leave_ms: int = Field(
        0,
        ge=0,
        description="How long a process keeps serving after SIGTERM, not ready, before it drains: in a cluster it "
        "takes some time until all callers have noticed.",
    )
    drain_ms: int = Field(5_000, ge=0, description="How long a process may then finish its current work.")
    connection_age_ms: int = Field(
        30_000,
        ge=1_000,
        description="Age, plus or minus a tenth, at which a gRPC server closes a connection: so clients find new "
        "servers, at the latest after this and resolved_again_ms.",
    )
    connection_grace_ms: int = Field(
        30_000, ge=100, description="How long calls may continue on a connection after its age; longer than any call."
    )
    resolved_again_ms: int = Field(
        5_000, ge=100, description="Minimum time between two look-ups of the addresses of a gRPC target."
    )
    keepalive_ms: int = Field(
        20_000, ge=100, description="How often the other end of a quiet gRPC connection is asked for a sign of life."
    )
    keepalive_answer_ms: int = Field(
        5_000, ge=100, description="How long that may take, or any data be on its way; then the connection is given up."
    )
    redis_policy_period_ms: int = Field(
        60_000, ge=10, description="How often Redis and the broker are asked whether they evict keys."
    )
    message_bytes_max: int = Field(
        4_194_304, ge=65_536, description="Bytes of one gRPC message that are taken at the most."
    )
    loop_lag_period_ms: int = Field(1_000, ge=10, description="How often the lag of the event loop is measured.")

    @field_validator("redis_url")
    @classmethod
    def _redis_can_be_read(cls, given: str) -> str:
        if not is_redis(given):
            raise ValueError("it must begin with redis://, rediss://, unix://, redis+sentinel:// or rediss+sentinel://")
        parse_sentinel(given)
        return given

    @field_validator("service_secret")
    @classmethod
    def _secrets_can_be_read(cls, given: SecretStr) -> SecretStr:
        parse_secrets(given.get_secret_value())
        return given

    @property
    def service_secrets(self) -> tuple[str, ...]:
        """The secrets of gRPC calls, the one to send first; none where everybody may call."""
        return parse_secrets(self.service_secret.get_secret_value())

    @model_validator(mode="after")
    def _waits_fit(self) -> Self:
        if self.stream_block_ms >= self.redis_answer_ms:
            raise ValueError("stream_block_ms must be below redis_answer_ms, or each read would count as lost")
        return self


DEFAULTS = Settings.model_construct()
"""The defaults, without the environment: for tools and tests, which are no service process."""


S = TypeVar("S", bound=Settings)


def load(kind: type[S]) -> S:
    """Read the settings of a process. If some are wrong, print a line for each and end the process."""
    try:
        return kind()
    except ValidationError as error:
        for item in error.errors():
            name = "_".join(str(part) for part in item["loc"]).upper()
            field = kind.model_fields.get(str(item["loc"][0])) if item["loc"] else None
            secret = field is not None and field.annotation is SecretStr
            got = f" (got {item['input']!r})" if name and not secret else ""
            print(f"setting{'s' if not name else f' FLAGFALL_{name}'}: {item['msg']}{got}", file=sys.stderr)
        sys.exit(2)
