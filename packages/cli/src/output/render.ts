import { stringify } from 'yaml';
import type { OutputForm } from './forms.ts';

/** Data as text: JSON and YAML show the whole value, the table its rows. */
export function render(form: OutputForm, value: unknown, rows: () => readonly TableRow[]): string {
  switch (form) {
    case 'json':
      return `${JSON.stringify(value, null, 2)}\n`;
    case 'yaml':
      return stringify(value);
    case 'table':
      return renderTable(rows());
  }
}

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

/** Text that stays on its line and cannot steer the terminal: control characters are shown escaped. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
