// Where in a PGN the server found a fault.

/** The line, counted from 1, that a place such as `games[0].line[7]` names; null when it names none. */
export function lineOf(at: string): number | null {
  const found = /\bline\W+(\d+)/.exec(at);
  return found ? Number(found[1]) : null;
}

/** Where a line of a text begins and ends, in characters. */
export function lineRange(text: string, line: number): [start: number, end: number] {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
  return [Math.min(before, text.length), Math.min(before + (lines[line - 1]?.length ?? 0), text.length)];
}
