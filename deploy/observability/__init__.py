"""Monitoring: the inventory of metrics, rules, dashboards, and the configuration of Grafana and Prometheus."""
