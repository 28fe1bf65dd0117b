"""A whole Flagfall that a real Prometheus scrapes: dashboards and alerts where they will be used.

live     the stack and its Prometheus
played   games that touch everything which is counted
"""
