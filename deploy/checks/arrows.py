"""Which parts may connect to which: the connections of the architecture and those that NetworkPolicies allow must be
the same.

An arrow (from, to, port) is admitted when the egress of the one end and the ingress of the other allow it. Ends outside
are written `namespace:NAME` or `network:CIDR`; `anybody` is a peer without a bound.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deploy.checks.manifests import COMMANDS, STORES, TOOLS, Known
from deploy.checks.pods import Pod, environment, matches, pods
from deploy.checks.rendered import Document, of_kind

NAMESPACE = "flagfall"
NAME_LABEL = "kubernetes.io/metadata.name"
INGRESS, PROMETHEUS, DNS = "namespace:ingress-nginx", "namespace:monitoring", "namespace:kube-system"
COLLECTOR = "namespace:observability"
PRIVATE_NETWORKS = ("network:10.0.0.0/8", "network:172.16.0.0/12", "network:192.168.0.0/16")
REDIS_USERS = ("game", "clock", "dispatcher", "worker", "beat", "gateway")
DATABASE_USERS = ("game", "migrate", "backup")

Arrow = tuple[str, str, int]

INSIDE: frozenset[Arrow] = frozenset(
    [
        ("gateway", "game", 50052),
        ("clock", "game", 50052),
        ("dispatcher", "game", 50052),
        ("worker", "game", 50052),
        ("game", "rules", 50051),
        *((user, "postgres", 5432) for user in DATABASE_USERS),
        *((user, "valkey", 6379) for user in REDIS_USERS),
    ]
)
"""Those of ARCHITECTURE.md, with the stores inside."""


def expected(components: frozenset[str], traced: bool = False) -> frozenset[Arrow]:
    """The arrows of an overlay, by the components that it has. Stores that it has not are in the private networks.

    `traced`: its services send spans to a collector.
    """
    arrows = {arrow for arrow in INSIDE if {arrow[0], arrow[1]} <= components}
    if not components & set(STORES):
        for network in PRIVATE_NETWORKS:
            users = [user for user in DATABASE_USERS if user in components]
            arrows |= {(user, network, port) for user in users for port in (5432, 6432)}
            arrows |= {(user, network, port) for user in REDIS_USERS for port in (6379, 26379)}
    arrows |= {(name, DNS, 53) for name in (*COMMANDS, *TOOLS) if name != "rules" and name in components}
    arrows |= {(PROMETHEUS, name, 9000) for name in COMMANDS if name != "migrate"}
    arrows.add((INGRESS, "gateway", 8000))
    if traced:
        arrows |= {(name, COLLECTOR, 4318) for name in COMMANDS if name != "migrate"}
        arrows.add(("rules", DNS, 53))
    return frozenset(arrows)


@dataclass(frozen=True, slots=True)
class Ends:
    """The connections that policies allow, for each end."""

    leaving: frozenset[Arrow]
    arriving: frozenset[Arrow]

    def admitted(self, components: frozenset[str]) -> frozenset[Arrow]:
        """The connections that both ends allow, with one of our services at one end."""
        both = self.leaving & self.arriving
        out = {arrow for arrow in self.leaving if arrow[1] not in components}
        into = {arrow for arrow in self.arriving if arrow[0] not in components}
        return frozenset(both | out | into)

    def one_sided(self, components: frozenset[str]) -> frozenset[Arrow]:
        """Connections between our own parts that only one end allows: they do not work."""
        return frozenset(a for a in self.leaving ^ self.arriving if {a[0], a[1]} <= components)


def _peers(rule: Document, field: str, every: Sequence[Pod]) -> Iterator[tuple[str, Pod | None]]:
    """The peers that a rule names; `anybody` if it names none."""
    if not rule.get(field):
        yield "anybody", None
    for peer in rule.get(field, []):
        if "ipBlock" in peer:
            yield f"network:{peer['ipBlock']['cidr']}", None
            continue
        namespaces = peer.get("namespaceSelector")
        if namespaces is None or matches(namespaces, {NAME_LABEL: NAMESPACE}):
            yield from ((p.component, p) for p in every if matches(peer.get("podSelector", {}), p.labels))
        if namespaces is not None:
            chosen = namespaces.get("matchLabels", {}).get(NAME_LABEL)
            if chosen != NAMESPACE:
                yield (f"namespace:{chosen}" if chosen else "anybody"), None


def _numbers(rule: Document, target: Pod | None) -> Iterator[int]:
    """The ports of a rule, names looked up at the pod that is reached; 0 for all ports."""
    if not rule.get("ports"):
        yield 0
    for port in rule.get("ports", []):
        value = port.get("port", 0)
        number = target.port_number(value) if target is not None else value
        if isinstance(number, int):
            yield number


def allowed(documents: Sequence[Document]) -> Ends:
    """The connections that all policies together allow."""
    every = pods(documents)
    leaving: set[Arrow] = set()
    arriving: set[Arrow] = set()
    for policy in of_kind(documents, "NetworkPolicy"):
        spec = policy["spec"]
        for pod in (pod for pod in every if matches(spec["podSelector"], pod.labels)):
            for rule in spec.get("egress", []):
                for name, peer in _peers(rule, "to", every):
                    leaving |= {(pod.component, name, number) for number in _numbers(rule, peer)}
            for rule in spec.get("ingress", []):
                for name, _ in _peers(rule, "from", every):
                    arriving |= {(name, pod.component, number) for number in _numbers(rule, pod)}
    return Ends(frozenset(leaving), frozenset(arriving))


def nothing_is_open(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """One policy denies all traffic of all pods by default."""
    for policy in of_kind(documents, "NetworkPolicy"):
        spec = policy["spec"]
        denies = not spec.get("ingress") and not spec.get("egress")
        if spec["podSelector"] == {} and denies and set(spec.get("policyTypes", [])) == {"Ingress", "Egress"}:
            return
    yield "no NetworkPolicy denies what is not allowed"


def policies_select_pods(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """A policy selects existing pods and names its policy types."""
    for policy in of_kind(documents, "NetworkPolicy"):
        spec = policy["spec"]
        name = policy["metadata"]["name"]
        if not any(matches(spec["podSelector"], pod.labels) for pod in pods(documents)):
            yield f"NetworkPolicy {name} is about no pod"
        for way in ("Ingress", "Egress"):
            if spec.get(way.lower()) and way not in spec.get("policyTypes", []):
                yield f"NetworkPolicy {name} does not name {way}"


def arrows_are_the_architectures(documents: Sequence[Document], known: Known) -> Iterator[str]:
    """The admitted arrows are exactly the expected ones."""
    components = frozenset(pod.component for pod in pods(documents))
    told = (variable for pod in pods(documents) for c in pod.containers for variable in environment(documents, c))
    traced = any(variable.name == "FLAGFALL_TRACES_URL" for variable in told)
    wanted, ends = expected(components, traced), allowed(documents)
    admitted = ends.admitted(components)
    for source, target, port in sorted(wanted - admitted):
        yield f"{source} cannot reach {target}:{port}"
    for source, target, port in sorted(admitted - wanted):
        yield f"{source} can reach {target}:{port}"
    for source, target, port in sorted(ends.one_sided(components)):
        yield f"{source} to {target}:{port} is allowed at one end only"
