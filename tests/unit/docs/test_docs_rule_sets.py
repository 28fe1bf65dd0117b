"""The table of departures in the docs says what the presets are, and marks what the Laws do not say."""

from pathlib import Path

from services.domain.rule_set import PRESETS
from services.gateway.names import camel
from services.gateway.protocol.rule_sets import RULES
from services.gateway.public_api.rules_library import RULE_SETS, library

DOCS = Path(__file__).parents[3] / "docs" / "rule-sets.md"


def test_the_table_is_that_of_the_code() -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in DOCS.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `")
    ]
    rules = {rule.field: rule for rule in library().pages[RULE_SETS].rules}
    assert [row[0] for row in rows] == [f"`{camel(field)}`" for field in RULES]
    for field, row in zip(RULES, rows, strict=True):
        rule = rules[camel(field)]
        values = [str(getattr(preset, field)) for preset in PRESETS.values()]
        assert row[1] == (f"`{rule.law[0]}` ({rule.article})" if rule.law else "silent")
        assert row[2:] == [value if not rule.law or value in rule.law else f"**{value}**" for value in values]
