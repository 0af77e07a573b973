/** What is used of a token of markdown-it. */
interface Token {
  readonly type: string;
  readonly content: string;
  attrSet(name: string, value: string): void;
}

/** Fewest columns of a table that is too wide for a page when its last one is prose. */
const WIDE = 5;

/**
 * Marks the tables that describe keys and attributes in five or more columns: the style sheet shows a row of theirs as a paragraph,
 * with the title of its column before each value.
 */
export function markKeyTables(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'table_open') continue;
    const end = tokens.findIndex(({ type }, index) => index > at && type === 'table_close');
    const table = tokens.slice(at, end);
    const titles = table.flatMap(({ type }, index) =>
      type === 'th_open' ? [table[index + 1]?.content ?? ''] : [],
    );
    if (titles.length < WIDE || titles.at(-1) !== 'Meaning') continue;
    token.attrSet('class', 'keys');
    for (const [index, cell] of table.filter(({ type }) => type === 'td_open').entries())
      cell.attrSet('data-title', titles[index % titles.length] ?? '');
  }
}
