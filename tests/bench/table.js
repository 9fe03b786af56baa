// Tables of measurements as markdown.

/** A number with about three digits that mean something. */
export function round(value) {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

/**
 * The times that one piece of work took, one of each round. The best says what it costs, the median what it came to
 * among all else that the machine did.
 * @param {number[]} samples
 */
export function timing(samples) {
  return { samples, best: Math.min(...samples), median: median(samples) };
}

/** Best and median, in the unit of the column. */
export function both({ best, median }) {
  return `${round(best)} / ${round(median)}`;
}

/**
 * How many times as long `a` took as `b`: by the best of each, and the median of the rounds. What the machine does
 * besides is much the same within a round, and cancels.
 */
export function ratio(a, b) {
  const ofRounds = a.samples.map((sample, round) => sample / b.samples[round]);
  return `${(a.best / b.best).toFixed(2)} / ${median(ofRounds).toFixed(2)}`;
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
