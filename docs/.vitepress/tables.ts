/** What is used of a token of markdown-it. */
interface Token {
  readonly type: string;
  readonly tag: string;
  readonly content: string;
  attrSet(name: string, value: string): void;
}

/** Fewest columns of a table that is too wide for a page when its last one is prose. */
const WIDE = 5;

/** Rows that need no filter. */
const FEW = 10;

/**
 * Marks the tables that describe keys and attributes in five or more columns: the style sheet shows a row of theirs as a paragraph,
 * with the title of its column before each value. Answers where a filter of their rows belongs: before the heading of the first group of
 * keys; undefined for a page with few keys.
 */
export function markKeyTables(tokens: readonly Token[]): number | undefined {
  const starts: number[] = [];
  let rows = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'table_open') continue;
    const end = tokens.findIndex(({ type }, index) => index > at && type === 'table_close');
    const table = tokens.slice(at, end);
    const titles = table.flatMap(({ type }, index) =>
      type === 'th_open' ? [table[index + 1]?.content ?? ''] : [],
    );
    if (titles.length < WIDE || titles.at(-1) !== 'Meaning') continue;
    token.attrSet('class', 'keys');
    if (titles[0] === 'Key') {
      token.attrSet('data-filter', '');
      starts.push(tokens[at - 1]?.type === 'heading_close' && tokens[at - 3]?.tag === 'h4' ? at - 3 : at);
      rows += table.filter(({ type }) => type === 'tr_open').length - 1;
    }
    for (const [index, cell] of table.filter(({ type }) => type === 'td_open').entries())
      cell.attrSet('data-title', titles[index % titles.length] ?? '');
  }
  return rows < FEW ? undefined : starts[0];
}
