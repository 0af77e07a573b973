import { visible } from './visible.ts';

/** Column name to text, in the order of columns. */
export type TableRow = Readonly<Record<string, string>>;

/** Rows as aligned columns under upper-case names. Empty text for no rows. */
export function renderTable(rows: readonly TableRow[]): string {
  const first = rows[0];
  if (first === undefined) return '';
  const names = Object.keys(first);
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => visible(row[name] ?? ''))),
  ];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => `${align(line, widths)}\n`).join('');
}

function align(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}
