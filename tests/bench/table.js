// Tables of measurements as markdown.

/** A number with about three digits that mean something. */
export function round(value) {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}

/** Best and median, in the unit of the column. */
export function both({ best, median }) {
  return `${round(best)} / ${round(median)}`;
}

/** How many times as long `a` took as `b`: by the best and by the median. */
export function ratio(a, b) {
  return `${(a.best / b.best).toFixed(2)} / ${(a.median / b.median).toFixed(2)}`;
}

/**
 * @param {string[]} head
 * @param {string[][]} rows the first cell names the row, the others are numbers
 */
export function markdownTable(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map(line).join('\n');
}

/**
 * Says of each aim whether it was met. None of them is a test: figures depend on the machine and its other work.
 * @param {{ aim: string, value: number, most?: number, least?: number }[]} bars
 */
export function barList(bars) {
  return bars
    .map(({ aim, value, most, least }) => {
      const met = most === undefined ? value >= least : value <= most;
      return `- ${met ? 'pass' : 'falls short'}: ${aim}: ${value.toFixed(2)}`;
    })
    .join('\n');
}
