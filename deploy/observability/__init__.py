"""How a Flagfall is watched: its metrics' inventory, rules, dashboards, and what Grafana and Prometheus are told."""
