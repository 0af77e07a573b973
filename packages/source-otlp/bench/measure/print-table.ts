/** Prints a table in Markdown. */
export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  console.log([title, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n'));
}
