"""Each rule about what refers to pods finds what it is for: an overlay, broken in one place, and what is said of it."""

import pytest

from deploy.checks import arrows, links
from deploy.checks.manifests import Rule
from deploy.checks.rendered import named
from tests.deploy.breaking import (
    Break,
    add,
    check_found,
    config,
    deployment,
    drop,
    job,
    pod,
    policy,
    put,
    reads_settings,
    remove,
    scaler,
    second_autoscaler,
)
from tests.deploy.cluster import RULES
from tests.deploy.test_manifests_broken import BROKEN as BROKEN_PODS

BROKEN: list[tuple[Rule, Break, str]] = [
    (
        links.owners_select_their_pods,
        put(lambda d: deployment(d, "game")["spec"]["selector"]["matchLabels"], "app.kubernetes.io/component", "rules"),
        "does not select its own",
    ),
    (
        links.owners_select_their_pods,
        put(
            lambda d: deployment(d, "game")["spec"],
            "selector",
            {"matchLabels": {"app.kubernetes.io/part-of": "flagfall"}},
        ),
        "too",
    ),
    (
        links.services_have_pods,
        put(lambda d: named(d, "Service", "game")["spec"]["selector"], "app.kubernetes.io/component", "games"),
        "of 0 components",
    ),
    (
        links.services_have_pods,
        put(lambda d: named(d, "Service", "game")["spec"]["ports"][0], "targetPort", "rpc"),
        "no port rpc",
    ),
    (
        links.services_have_pods,
        put(lambda d: named(d, "Service", "game")["spec"]["ports"][0], "targetPort", 50052),
        "name its target",
    ),
    (links.services_have_pods, drop(lambda d: named(d, "Service", "game")["spec"]["ports"][0], "name"), "has no name"),
    (links.services_have_pods, drop(lambda d: named(d, "Service", "game")["spec"], "clusterIP"), "not headless"),
    (
        links.services_have_pods,
        put(lambda d: named(d, "Service", "rules")["spec"], "publishNotReadyAddresses", True),
        "not ready",
    ),
    (links.services_have_pods, remove("Service", "gateway"), "has no Service"),
    (
        links.targets_are_services,
        put(lambda d: config(d, "flagfall-settings"), "FLAGFALL_GAME_TARGET", "dns:///games:50052"),
        "is no Service",
    ),
    (
        links.targets_are_services,
        put(lambda d: config(d, "flagfall-settings"), "FLAGFALL_RULES_TARGET", "rules:50051"),
        "is no Service",
    ),
    (
        links.budgets_match,
        put(
            lambda d: named(d, "PodDisruptionBudget", "game")["spec"]["selector"]["matchLabels"],
            "app.kubernetes.io/component",
            "games",
        ),
        "0 disruption budgets",
    ),
    (
        links.budgets_match,
        put(lambda d: named(d, "PodDisruptionBudget", "game")["spec"], "maxUnavailable", 0),
        "one pod go",
    ),
    (
        links.autoscalers_have_targets,
        put(lambda d: scaler(d, "game")["spec"]["scaleTargetRef"], "name", "games"),
        "no Deployment",
    ),
    (links.autoscalers_have_targets, second_autoscaler, "both scale game"),
    (
        links.autoscalers_have_targets,
        put(lambda d: scaler(d, "gateway")["spec"]["scaleTargetRef"], "name", "game"),
        "both scale",
    ),
    (
        links.autoscalers_have_targets,
        put(lambda d: deployment(d, "game")["spec"], "replicas", 3),
        "has replicas beside",
    ),
    (links.autoscalers_have_targets, drop(lambda d: deployment(d, "clock")["spec"], "replicas"), "neither replicas"),
    (links.autoscalers_have_targets, put(lambda d: scaler(d, "game")["spec"], "minReplicas", 1), "leave 1 replicas"),
    (
        links.autoscalers_have_targets,
        put(lambda d: scaler(d, "game")["spec"]["scaleTargetRef"], "name", "beat"),
        "scales the beat",
    ),
    (
        links.autoscalers_have_targets,
        put(lambda d: scaler(d, "game")["spec"]["behavior"]["scaleDown"], "stabilizationWindowSeconds", 0),
        "too soon",
    ),
    (
        links.autoscalers_have_targets,
        put(
            lambda d: scaler(d, "gateway")["spec"]["advanced"]["horizontalPodAutoscalerConfig"]["behavior"][
                "scaleDown"
            ],
            "policies",
            [{"type": "Percent", "value": 50, "periodSeconds": 60}],
        ),
        "several replicas away",
    ),
    (
        links.autoscalers_have_targets,
        put(lambda d: scaler(d, "gateway")["spec"]["triggers"][0]["metadata"], "containerName", "app"),
        "the container app",
    ),
    (links.ingress_reaches_the_gateway, drop(lambda d: named(d, "Ingress", "gateway")["spec"], "tls"), "no TLS"),
    (
        links.ingress_reaches_the_gateway,
        put(
            lambda d: named(d, "Ingress", "gateway")["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"],
            "port",
            {"name": "admin"},
        ),
        "leads to",
    ),
    (
        links.ingress_reaches_the_gateway,
        drop(
            lambda d: named(d, "Ingress", "gateway")["metadata"]["annotations"],
            "nginx.ingress.kubernetes.io/proxy-buffering",
        ),
        "proxy-buffering",
    ),
    (
        links.ingress_reaches_the_gateway,
        drop(
            lambda d: named(d, "Ingress", "gateway")["metadata"]["annotations"],
            "nginx.ingress.kubernetes.io/proxy-read-timeout",
        ),
        "cut after 60 s",
    ),
    (links.migration_is_named_by_version, put(lambda d: job(d)["metadata"], "name", "migrate"), "carry the version"),
    (links.migration_is_named_by_version, drop(lambda d: job(d)["spec"], "ttlSecondsAfterFinished"), "for ever"),
    (
        links.migration_is_named_by_version,
        put(lambda d: job(d)["metadata"], "name", f"migrate-{'0' * 64}"),
        "no Job may have",
    ),
    (
        links.migration_is_named_by_version,
        reads_settings,
        "name changes",
    ),
    (
        links.migration_is_named_by_version,
        put(lambda d: job(d)["spec"]["template"]["spec"], "restartPolicy", "OnFailure"),
        "in place",
    ),
    (links.migration_is_named_by_version, lambda d: d.remove(job(d)), "0 migrations"),
    (links.places_are_spread, drop(lambda d: pod(d, "game"), "topologySpreadConstraints"), "on one machine"),
    (
        links.monitors_find_pods,
        put(lambda d: named(d, "PodMonitor", "flagfall")["spec"]["podMetricsEndpoints"][0], "port", "metrics"),
        "has no port",
    ),
    (
        links.monitors_find_pods,
        lambda d: named(d, "PodMonitor", "flagfall")["spec"]["selector"]["matchExpressions"][1]["values"].remove(
            "clock"
        ),
        "leaves out",
    ),
    (arrows.nothing_is_open, remove("NetworkPolicy", "deny-all"), "no NetworkPolicy denies"),
    (
        arrows.nothing_is_open,
        put(lambda d: policy(d, "deny-all"), "policyTypes", ["Ingress"]),
        "no NetworkPolicy denies",
    ),
    (
        arrows.policies_select_pods,
        put(lambda d: policy(d, "rules-arriving")["podSelector"]["matchLabels"], "app.kubernetes.io/component", "rule"),
        "about no pod",
    ),
    (
        arrows.policies_select_pods,
        put(lambda d: policy(d, "rules-arriving"), "policyTypes", ["Egress"]),
        "name Ingress",
    ),
    (
        arrows.arrows_are_the_architectures,
        remove("NetworkPolicy", "game-to-rules-leaving"),
        "game cannot reach rules:50051",
    ),
    (arrows.arrows_are_the_architectures, remove("NetworkPolicy", "game-to-rules-leaving"), "one end only"),
    (
        arrows.arrows_are_the_architectures,
        put(lambda d: config(d, "flagfall-settings"), "FLAGFALL_TRACES_URL", "http://collector.observability.svc:4318"),
        "game cannot reach namespace:observability:4318",
    ),
    (
        arrows.arrows_are_the_architectures,
        remove("NetworkPolicy", "ingress-to-gateway"),
        "namespace:ingress-nginx cannot reach gateway:8000",
    ),
    (
        arrows.arrows_are_the_architectures,
        put(
            lambda d: policy(d, "ingress-to-gateway")["podSelector"]["matchLabels"],
            "app.kubernetes.io/component",
            "game",
        ),
        "namespace:ingress-nginx cannot reach gateway",
    ),
    (
        arrows.arrows_are_the_architectures,
        drop(lambda d: policy(d, "postgres-leaving")["egress"][0], "ports"),
        "game can reach",
    ),
    (
        arrows.arrows_are_the_architectures,
        drop(lambda d: policy(d, "valkey-leaving")["egress"][0], "to"),
        "can reach anybody",
    ),
    (
        arrows.arrows_are_the_architectures,
        add(lambda d: policy(d, "valkey-leaving")["podSelector"]["matchExpressions"][0]["values"], "rules"),
        "rules can reach network:10.0.0.0/8:6379",
    ),
    (
        arrows.arrows_are_the_architectures,
        put(lambda d: policy(d, "prometheus-to-all")["ingress"][0]["from"][0], "namespaceSelector", {}),
        "anybody can reach",
    ),
]


@pytest.mark.parametrize(
    ("rule", "change", "said"), BROKEN, ids=lambda value: getattr(value, "__name__", None) or str(value)
)
def test_a_broken_overlay_is_found(rule: Rule, change: Break, said: str) -> None:
    check_found(rule, change, said)


def test_no_rule_lacks_what_breaks_it() -> None:
    assert {rule for rule, _, _ in [*BROKEN, *BROKEN_PODS]} == set(RULES)
