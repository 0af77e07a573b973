import type { Usage } from './usage.ts';

/** Prints a table in Markdown. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  console.log([title, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}

/** Thousands, with one decimal place for small values. */
export function thousands(value: number): string {
  return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)}k`;
}

/** CPU microseconds per message. */
export function cpu({ cpuMicros }: Usage): string {
  return cpuMicros.toFixed(cpuMicros < 10 ? 2 : 1);
}

/** Messages per second, and CPU microseconds per message. */
export function figures(usage: Usage): string {
  return `${thousands(usage.perSecond)} [${cpu(usage)}]`;
}
