// A line of values in a small box.

/** Points of an SVG polyline: the values from left to right, the lowest at the bottom; `margin` is kept free. */
export function sparkline(values: readonly number[], width: number, height: number, margin = 2): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = most - least || 1;
  const step = values.length > 1 ? (width - 2 * margin) / (values.length - 1) : 0;
  return values
    .map((value, index) => {
      const y = height - margin - ((value - least) / span) * (height - 2 * margin);
      return `${(margin + index * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
