"""The dashboards, described in Python; `python -m deploy.observability.boards` writes their JSON, `--check` compares.

promql          pieces of queries that several boards share
panel           what a panel is: its queries, its unit, its limits, and what an operator should know of it
board           rows of panels, variables, and the shelf of all boards
grid            where the panels of a board stand
grafana_json    a board as Grafana reads it
panel_json      a panel likewise
asking          puts a panel's queries to a Prometheus
process_row, replicas, first_look      rows and queries that boards are made of
shelf           all boards
overview, moves, gateway, clock, game, rules, workers, stores, rollout, gameplay     the boards themselves
"""
