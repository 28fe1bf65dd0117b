"""The rendered manifests, run with podman under play: `make cluster-test`, as root. What it proves and what it cannot
is told in docs/cluster-tests.md.

fields       every field of a manifest: who applies it here, or why nobody does
manifests    the parts of an overlay: pods, replicas, services, as values
pod_document what podman is handed for one pod
podman       the commands
domain_names the cluster's DNS: names of Services, addresses of pods that are ready
probes       startup, readiness and liveness, as a kubelet counts them
pod          one pod and its kubelet: starts, probes, restarts, ends within grace
cluster      the whole of it, as tests/chaos wants a stack
addresses    where people reach the gateways, as it changes
faults       what is done to pods under play
play         games on a cluster, one fault after the other
built        the images that the tests run
"""
