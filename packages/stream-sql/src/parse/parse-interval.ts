import type { TimeUnit } from '../tree/call.ts';
import type { IntervalQualifier } from '../tree/data-type.ts';
import type { Expression } from '../tree/expression.ts';
import { parseParenthesized } from './lists.ts';
import { parseOperand } from './parse-operand.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Units of intervals, longest first. The plural means the same. */
const UNITS = ['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;

/** The units in which an interval may end, by the unit in which it starts. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  YEAR: ['MONTH'],
  DAY: ['HOUR', 'MINUTE', 'SECOND'],
  HOUR: ['MINUTE', 'SECOND'],
  MINUTE: ['SECOND'],
};

/** Parses `INTERVAL '5' MINUTE`. The cursor is at INTERVAL. */
export function parseInterval(cursor: TokenCursor): Expression {
  const { start } = cursor.advance();
  const negative = cursor.takeSymbol('-');
  if (!negative) cursor.takeSymbol('+');
  const value = cursor.parseNested(() => parseOperand(cursor));
  const qualifier = parseIntervalQualifier(cursor);
  return { kind: 'interval', negative, value, qualifier, start, end: cursor.lastEnd };
}

/** Parses `MINUTE`, `DAY(3) TO SECOND(3)`. */
export function parseIntervalQualifier(cursor: TokenCursor): IntervalQualifier {
  const { start } = cursor.token;
  const from = takeUnit(cursor);
  if (from === undefined) {
    cursor.fail(`a unit (${UNITS.join(', ')})`, unitHint(cursor));
    return {
      kind: 'interval-qualifier',
      from: '',
      precision: undefined,
      to: undefined,
      fraction: undefined,
      start,
      end: start,
    };
  }
  const [precision, second] = parseNumbers(cursor);
  const to = takeRange(cursor, RANGES[from] ?? []);
  const fraction = to === undefined ? second : parseNumbers(cursor)[0];
  return { kind: 'interval-qualifier', from, precision, to, fraction, start, end: cursor.lastEnd };
}

/** `TO SECOND`; in `FLOOR(a + INTERVAL '1' DAY TO WEEK)` the word belongs to the function. */
function takeRange(cursor: TokenCursor, reaches: readonly string[]): string | undefined {
  return reaches.find((unit) => cursor.takeWords('TO', unit) || cursor.takeWords('TO', `${unit}S`));
}

function takeUnit(cursor: TokenCursor): string | undefined {
  return UNITS.find((unit) => cursor.takeWords(unit) || cursor.takeWords(`${unit}S`));
}

function unitHint(cursor: TokenCursor): string | undefined {
  return cursor.atWords('MILLISECOND') ? "write a fraction of a second: INTERVAL '0.5' SECOND" : undefined;
}

/** `(3)`, `(3, 2)` */
export function parseNumbers(cursor: TokenCursor): number[] {
  if (!cursor.atSymbol('(')) return [];
  return (
    parseParenthesized(cursor, () => {
      const numbers = [parseInteger(cursor)];
      while (cursor.takeSymbol(',')) numbers.push(parseInteger(cursor));
      return numbers;
    }) ?? []
  );
}

function parseInteger(cursor: TokenCursor): number {
  const { token } = cursor;
  if (token.kind === 'number' && token.form === 'integer') cursor.advance();
  else cursor.fail('a number');
  return Number.parseInt(token.value, 10) || 0;
}

/** Parses the unit of `EXTRACT`, `FLOOR … TO` and `TIMESTAMPDIFF`. Accepts any word: these have more units than intervals. */
export function parseTimeUnit(cursor: TokenCursor): TimeUnit {
  const { token } = cursor;
  const { start } = token;
  if (token.kind !== 'word' && token.kind !== 'quoted') {
    cursor.fail('a unit of time');
    return { kind: 'time-unit', unit: '', start, end: start };
  }
  cursor.advance();
  let unit = token.value.toUpperCase();
  if (unit === 'WEEK' && cursor.atSymbol('(')) {
    unit = `WEEK(${parseParenthesized(cursor, () => cursor.advance().value.toUpperCase()) ?? ''})`;
  }
  return { kind: 'time-unit', unit, start, end: cursor.lastEnd };
}
