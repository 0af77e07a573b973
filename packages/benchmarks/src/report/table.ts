/** What a part of the comparison found. */
export interface Table {
  readonly title: string;
  /** What a reader has to know to read it; sentences. */
  readonly note: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** All that was measured, turn by turn, for the JSON file. */
  readonly data: unknown;
}

/** A table in Markdown. */
export function markdownTable({ head, rows }: Pick<Table, 'head' | 'rows'>): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The first line of a message; the others are for those who look for its cause. */
export function oneLine(text: string): string {
  const [first = ''] = text.split('\n');
  return first.length > 200 ? `${first.slice(0, 200)}...` : first;
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
