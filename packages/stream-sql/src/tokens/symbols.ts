import type { Scanner } from './scanner.ts';

/** The engine's operators and marks, by first character; longer ones first. */
const SYMBOLS: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  '/*+ */ <> <= >= || => .. ( ) [ ] { } . , ; = < > + - * / % ? : ^ |'.split(' '),
  (symbol) => symbol[0] ?? '',
);

/** Operators of other dialects, and the engine's equivalent. They are replaced by the symbol to the right, if there is one. */
const FOREIGN: Readonly<Record<string, { readonly as?: string; readonly hint: string }>> = {
  '<=>': { as: '=', hint: 'write IS NOT DISTINCT FROM' },
  '!=': { as: '<>', hint: 'write <>' },
  '==': { as: '=', hint: 'write =' },
  '&&': { as: 'AND', hint: 'write AND' },
  '::': { hint: 'write CAST(... AS type)' },
  '->': { hint: 'write JSON_QUERY or JSON_VALUE to reach into JSON; there are no lambdas' },
  '!': { as: 'NOT', hint: 'write NOT' },
  '&': { hint: 'there are no operators on bits' },
  '~': { hint: 'there are no operators on bits' },
};

const FOREIGN_SYMBOLS: ReadonlyMap<string, readonly string[]> = Map.groupBy(
  Object.keys(FOREIGN),
  (operator) => operator[0] ?? '',
);

/** Reads an operator or mark. Returns the offset after it, or undefined if there is no symbol. */
export function readSymbol(scanner: Scanner, start: number): number | undefined {
  const { text, tokens } = scanner;
  const first = text[start] ?? '';
  const starts = (symbol: string): boolean => symbol.length === 1 || text.startsWith(symbol, start);
  const foreign = FOREIGN_SYMBOLS.get(first)?.find(starts);
  if (foreign !== undefined) return readForeign(scanner, start, foreign);
  const value = SYMBOLS.get(first)?.find(starts);
  if (value === undefined) return undefined;
  const end = start + value.length;
  tokens.push({ kind: 'symbol', value, start, end });
  return end;
}

function readForeign({ tokens, report }: Scanner, start: number, operator: string): number {
  const end = start + operator.length;
  const { as, hint } = FOREIGN[operator] ?? { hint: '' };
  report({
    code: 'sql-dialect',
    message: `operator "${operator}", which the engine does not have`,
    hint,
    ...(as === undefined ? {} : { fix: as }),
    start,
    end,
  });
  if (as === undefined) tokens.push({ kind: 'invalid', value: operator, start, end });
  else if (/^[A-Z]/.test(as)) tokens.push({ kind: 'word', value: as, keyword: as, start, end });
  else tokens.push({ kind: 'symbol', value: as, start, end });
  return end;
}
