"""What is asked of deploy/compose.yaml beyond its schema. Each rule yields a sentence for every fault."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

Document = Mapping[str, Any]
Service = Mapping[str, Any]

OURS = "flagfall/"
ONCE = "migrate"
MARGIN_S = 2.0
"""What a process needs beyond its drain until it has ended."""

SECRET = re.compile(r"PASSWORD|SECRET|TOKEN|KEY$|AUTH")
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+)")
WHOLLY_VARIABLE = re.compile(r"^\$\{\w+:\?[^}]+\}$")
PUBLISHED = re.compile(r"^\$\{(?:WATCH_)?LISTEN:-127\.0\.0\.1\}:\$\{\w+_PORT:-\d+\}:\d+$")
DURATION = re.compile(r"^(\d+)s$")


@dataclass(frozen=True, slots=True)
class Known:
    """What the rest of the repository says."""

    settings: Mapping[str, frozenset[str]]
    """For each module of a service the FLAGFALL_ variables that it reads."""
    drains_ms: Mapping[str, Mapping[str, int]]
    """For each module the default of each setting that prolongs its end."""
    version: str
    folder: Path
    """Where the compose file lies."""
    example: frozenset[str]
    """Names in deploy/compose.env.example, commented ones too."""
    scraped: frozenset[tuple[str, int]]
    """Names and ports that Prometheus asks."""


def ours(document: Document) -> Iterator[tuple[str, Service]]:
    """Services that run an image of this project."""
    return ((name, service) for name, service in document["services"].items() if service["image"].startswith(OURS))


def module(service: Service) -> str:
    """The Python package that a service of ours runs."""
    return str(service["command"][0]).removeprefix("services.")


def environment_is_known(document: Document, known: Known) -> Iterator[str]:
    """Every variable is read by the process that it is given to."""
    for name, service in ours(document):
        for variable in service["environment"]:
            if variable not in known.settings[module(service)]:
                yield f"{name}: no setting is named {variable}"


def images_are_pinned(document: Document, known: Known) -> Iterator[str]:
    """Every image has a tag that is a version; ours is this version, and says so when it is built here."""
    for name, service in document["services"].items():
        _, _, tag = service["image"].partition(":")
        if service["image"].startswith(OURS):
            if tag != f"${{FLAGFALL_TAG:-{known.version}}}":
                yield f"{name}: {service['image']} is not this version, {known.version}"
            if service["build"]["args"].get("VERSION") != tag:
                yield f"{name}: what is built would not say that it is {tag}"
        elif not re.match(r"^v?\d", tag):
            yield f"{name}: {service['image']} names no version"


def everything_is_confined(document: Document, known: Known) -> Iterator[str]:
    """A read-only root, no capabilities, no new privileges, limits of memory, processors and processes."""
    for name, service in document["services"].items():
        limits = service.get("deploy", {}).get("resources", {}).get("limits", {})
        wanted = {
            "read_only": service.get("read_only") is True,
            "cap_drop ALL": service.get("cap_drop") == ["ALL"] and not service.get("cap_add"),
            "no-new-privileges": "no-new-privileges:true" in service.get("security_opt", []),
            "a tmpfs at /tmp": "/tmp" in service.get("tmpfs", []),
            "limits": {"memory", "cpus", "pids"} <= limits.keys(),
            "no privilege": not service.get("privileged") and not service.get("network_mode"),
        }
        yield from (f"{name} lacks {what}" for what, there in wanted.items() if not there)


def everything_is_watched(document: Document, known: Known) -> Iterator[str]:
    """A health check and a restart for all but the migration, which ends."""
    for name, service in document["services"].items():
        if name == ONCE:
            if service.get("restart") != "no":
                yield f"{name} would be started again and again"
        else:
            if not service.get("healthcheck", {}).get("test"):
                yield f"{name} has no health check"
            if service.get("restart") != "unless-stopped":
                yield f"{name} does not come back"


def grace_covers_the_drain(document: Document, known: Known) -> Iterator[str]:
    """Nobody is killed while it finishes what is under way."""
    for name, service in ours(document):
        if name == ONCE:
            continue
        given = service["environment"]
        drain_s = sum(int(given.get(k, v)) for k, v in known.drains_ms[module(service)].items()) / 1000
        matched = DURATION.match(str(service.get("stop_grace_period", "10s")))
        if matched is None or int(matched[1]) < drain_s + MARGIN_S:
            yield f"{name}: stop_grace_period is below {drain_s} s of draining and {MARGIN_S} s"


def needed(service: Service) -> Iterator[str]:
    """Hosts that a service's environment names."""
    for variable, value in service.get("environment", {}).items():
        if variable.endswith(("_URL", "_TARGET")):
            text = re.sub(r"\$\{[^}]*\}", "x", str(value))
            yield urlsplit(text.replace("dns:///", "dns://")).hostname or ""


def neighbours_are_reached(document: Document, known: Known) -> Iterator[str]:
    """Every host that is named is a service on a network of one's own; stores are waited for, and the schema."""
    for name, service in ours(document):
        for host in needed(service):
            other = document["services"].get(host)
            if other is None:
                yield f"{name} names {host}, which is no service"
            elif not set(other["networks"]) & set(service["networks"]):
                yield f"{name} and {host} share no network"
            elif host in ("postgres", "valkey") and waits(service).get(host) != "service_healthy":
                yield f"{name} does not wait for {host}"
    if waits(document["services"]["game"]).get(ONCE) != "service_completed_successfully":
        yield "game does not wait for the migration"


def waits(service: Service) -> dict[str, str]:
    """What a service waits for, and until when."""
    return {name: each["condition"] for name, each in service.get("depends_on", {}).items()}


def targets_have_their_ports(document: Document, known: Known) -> Iterator[str]:
    """gRPC is dialled where it listens, by a name that gives all addresses."""
    for name, service in ours(document):
        for variable, value in service["environment"].items():
            if not variable.endswith("_TARGET"):
                continue
            host, _, port = str(value).removeprefix("dns:///").partition(":")
            listening = document["services"].get(host, {}).get("environment", {}).get("FLAGFALL_GRPC_PORT")
            if not str(value).startswith("dns:///") or port != listening:
                yield f"{name}: {variable} is {value}, {host} listens on {listening}"


def nothing_is_secret(document: Document, known: Known) -> Iterator[str]:
    """Passwords come from outside, and there is no default for one."""
    for name, service in document["services"].items():
        for variable, value in service.get("environment", {}).items():
            text = str(value)
            password = urlsplit(text).netloc.rpartition("@")[0].partition(":")[2] if "://" in text else ""
            told = text if SECRET.search(variable) else password
            if told and not WHOLLY_VARIABLE.match(told):
                yield f"{name}: {variable} holds a secret"


def ports_are_closed_at_first(document: Document, known: Known) -> Iterator[str]:
    """Only a setting opens a port to the network; no two take the same."""
    taken: dict[str, str] = {}
    for name, service in document["services"].items():
        for port in service.get("ports", []):
            if not PUBLISHED.match(port):
                yield f"{name}: {port} is open to everybody, or cannot be moved"
            elif (number := port.split(":-")[-1].partition("}")[0]) in taken:
                yield f"{name} and {taken[number]} both take port {number}"
            else:
                taken[number] = name


def variables_are_told(document: Document, known: Known) -> Iterator[str]:
    """What the file asks for stands in the example, and nothing else."""
    asked = frozenset(VARIABLE.findall(str(document)))
    yield from (f"compose.env.example lacks {name}" for name in sorted(asked - known.example))
    yield from (f"nothing asks for {name} of compose.env.example" for name in sorted(known.example - asked))


def mounts_are_there(document: Document, known: Known) -> Iterator[str]:
    """Files that are mounted exist, and nobody writes to them; volumes are declared."""
    for name, service in document["services"].items():
        for mount in service.get("volumes", []):
            source, mode = str(mount).partition(":")[0], str(mount).rpartition(":")[2]
            if not source.startswith("."):
                if source not in document["volumes"]:
                    yield f"{name}: volume {source} is not declared"
            elif mode != "ro":
                yield f"{name} may write to {source}"
            elif not (known.folder / source).exists():
                yield f"{name}: {source} is missing"


def stores_keep_what_they_have(document: Document, known: Known) -> Iterator[str]:
    """Valkey evicts nothing and writes what it holds; both stores have a volume."""
    command = " ".join(document["services"]["valkey"]["command"])
    for words in ("--maxmemory-policy noeviction", "--appendonly yes", "--requirepass"):
        if words not in command:
            yield f"valkey lacks {words}"
    for name, place in (("postgres", "/var/lib/postgresql/data"), ("valkey", "/data")):
        if not any(mount.endswith(f":{place}") for mount in document["services"][name].get("volumes", [])):
            yield f"{name} keeps nothing"


def prometheus_sees_everybody(document: Document, known: Known) -> Iterator[str]:
    """Each service of ours is asked on its admin port, over a network that both have, and only once."""
    watching = set(document["services"]["prometheus"]["networks"])
    for name, service in ours(document):
        if name == ONCE:
            continue
        port = int(service["environment"]["FLAGFALL_ADMIN_PORT"])
        if (name, port) not in known.scraped:
            yield f"prometheus.yml does not ask {name} on port {port}"
        if len(watching & set(service["networks"])) != 1:
            yield f"prometheus and {name} do not share exactly one network"


RULES = (
    environment_is_known,
    images_are_pinned,
    everything_is_confined,
    everything_is_watched,
    grace_covers_the_drain,
    neighbours_are_reached,
    targets_have_their_ports,
    nothing_is_secret,
    ports_are_closed_at_first,
    variables_are_told,
    mounts_are_there,
    stores_keep_what_they_have,
    prometheus_sees_everybody,
)
