import { type IntervalExpression, type Query, walkSql } from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';

/** Digits that a unit of an interval takes where nothing is written behind it. */
const DEFAULT_DIGITS = 2;
/** Seconds take no more. */
const MAX_SECOND_DIGITS = 3;

/** Reports intervals with more digits than their unit takes, such as `INTERVAL '120' MINUTE`. */
export function checkIntervals(query: Query, context: QueryContext): void {
  walkSql(query, (node) => {
    if (node.kind === 'interval') checkInterval(node, context);
    return undefined;
  });
}

function checkInterval({ value, qualifier, start, end }: IntervalExpression, context: QueryContext): void {
  const { from, to, precision = DEFAULT_DIGITS } = qualifier;
  if (to !== undefined || value.kind !== 'literal' || from === '') return;
  const digits = digitsOf(value.value);
  const taken = from === 'SECOND' ? Math.min(precision, MAX_SECOND_DIGITS) : precision;
  if (digits === undefined || digits <= taken) return;
  const shown = context.mayHint ? `INTERVAL '${value.value}' ${from}` : `this interval of type ${from}`;
  context.report({
    name: 'interval-precision',
    message: `${shown} has ${digits} digits, at most ${taken} were expected`,
    hint: hintFor(value.value, from, digits),
    start,
    end,
  });
}

/** Of the whole number, without zeros before it. Undefined for what is no number. */
function digitsOf(text: string): number | undefined {
  const [, whole] = /^\s*[+-]?0*(\d*)(?:\.\d*)?\s*$/.exec(text) ?? [];
  return whole?.length;
}

function hintFor(value: string, unit: string, digits: number): string {
  if (unit !== 'SECOND' || digits <= MAX_SECOND_DIGITS) return `write ${unit}(${digits})`;
  return /^\d+$/.test(value)
    ? `write it as INTERVAL '${clock(Number(value))}' DAY TO SECOND`
    : 'write DAY TO SECOND';
}

function clock(seconds: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const [days, hours, minutes] = [86_400, 3600, 60].map((unit) => Math.floor(seconds / unit));
  return `${days} ${two((hours ?? 0) % 24)}:${two((minutes ?? 0) % 60)}:${two(seconds % 60)}`;
}
