import type { MatchRecognize, RowPattern } from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';
import { checkWindowTime } from './check-window-time.ts';

/** Reports what the engine does not run of MATCH_RECOGNIZE. Its columns are resolved before. */
export function checkMatch(match: MatchRecognize, context: QueryContext): void {
  checkRows(match, context);
  checkOrder(match, context);
  checkLastOfPattern(match.pattern, context);
}

function checkRows({ rowsPerMatch, pattern }: MatchRecognize, { report }: QueryContext): void {
  if (rowsPerMatch !== 'ALL') return;
  report({
    name: 'match-pattern',
    message: 'the engine does not support ALL ROWS PER MATCH',
    hint: 'write ONE ROW PER MATCH, and list the values that you need of the rows in MEASURES',
    start: pattern.start,
    end: pattern.end,
  });
}

function checkOrder({ orderBy: [first], pattern, start }: MatchRecognize, context: QueryContext): void {
  if (first === undefined || first.direction === 'DESC') {
    const message = 'the rows are not in ascending order of a time attribute';
    const hint = 'start ORDER BY with the event time column, ascending';
    const span = first ?? { start, end: pattern.start };
    context.report({ name: 'match-pattern', message, hint, start: span.start, end: span.end });
    return;
  }
  const { expression } = first;
  const column = expression.kind === 'column' ? context.columns.get(expression)?.column : undefined;
  if (expression.kind === 'column' && column !== undefined) checkWindowTime(expression, column, context);
}

/** A greedy repetition at the end never knows whether more is to come. */
function checkLastOfPattern(pattern: RowPattern, context: QueryContext): void {
  let last: RowPattern | undefined = pattern;
  while (last?.kind === 'pattern-group' && last.type === 'sequence') last = last.items.at(-1);
  if (last?.kind !== 'pattern-repetition' || !last.greedy) return;
  const { min, max } = last;
  if (max !== undefined && (max < 2 || max === min)) return;
  context.report({
    name: 'match-pattern',
    message: 'the pattern ends with a repetition that takes as many rows as it can, which the engine rejects',
    hint: 'add a variable after it, or a "?" so that it takes as few rows as it can',
    start: last.start,
    end: last.end,
  });
}
