/** One measured figure; a ratio names what it is measured against in the same run. */
export interface Figure {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The project's goal: at least (`>=`) or at most (`<=`). */
  readonly goal?: { readonly at: '>=' | '<='; readonly value: number };
}

const grouped = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 2 : 0 });

function reached({ value, goal }: Figure): boolean | undefined {
  if (!goal) return undefined;
  return goal.at === '>=' ? value >= goal.value : value <= goal.value;
}

function verdict(figure: Figure): string {
  const ok = reached(figure);
  if (ok === undefined) return '';
  return ok ? 'reached' : 'missed';
}

/** The figures as a Markdown table, for the terminal and for `docs/benchmarks.md` alike. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.group,
    figure.name,
    `${grouped(figure.value)} ${figure.unit}`.trim(),
    figure.goal ? `${figure.goal.at} ${grouped(figure.goal.value)}` : '',
    verdict(figure),
  ]);
  const all = [['what', 'case', 'measured', 'goal', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(all[0] ?? []), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join(
    '\n',
  );
}

/** The value below which this percentage of the samples lies. */
export function percentile(samples: readonly number[], percent: number): number {
  const sorted = Float64Array.from(samples).toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
