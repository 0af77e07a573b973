import { quote } from '../../diagnostics/quote.ts';
import type { Expression } from '../../sql/tree/expression.ts';
import type { Relation, RelationColumn } from '../relations/relation.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';

/** Reports a temporal join whose sides do not have the times that it takes. `place` has the tables before it. */
export function checkTemporalJoin(asOf: Expression, right: Relation, { context }: ExpressionPlace): void {
  const left = asOf.kind === 'column' ? context.columns.get(asOf)?.column : undefined;
  const name = asOf.kind === 'column' ? asOf.path.at(-1) : undefined;
  if (left === undefined || name === undefined) return;
  const message = messageOf(left, right);
  const span = { start: asOf.start, end: asOf.end };
  if (left.time === 'processing') {
    context.report({
      name: 'temporal-join-on-processing-time',
      message: `${quote(context.shown(name))} is a time of processing, the engine joins versions as of an event time only`,
      hint: 'take a column of event time behind FOR SYSTEM_TIME AS OF',
      ...span,
    });
  } else if (message !== undefined) {
    const { says, hint } = message;
    const text = `${quote(context.shown(name))} ${says}`;
    context.report({ name: 'temporal-join-without-time-attribute', message: text, hint, ...span });
  }
}

function messageOf(
  left: RelationColumn,
  right: Relation,
): { readonly says: string; readonly hint: string } | undefined {
  if (left.time === undefined) {
    return {
      says: 'is no time attribute, which a temporal join takes of its left side',
      hint: 'take a column that a source names in "event_time", and hand it on as it is',
    };
  }
  if (right.open !== undefined || right.columns.some(({ time }) => time === 'uncertain')) return undefined;
  const times = right.columns.filter(({ time }) => time === 'event');
  const [time] = times;
  if (time === undefined) {
    return {
      says: 'is the time of versions whose table has no event time, so that it cannot be told when each was valid',
      hint: 'name the column of its event time in "event_time" of the source, or in "advanced.event_time" of the model',
    };
  }
  const kinds = [left, time].map(({ type }) => type?.name);
  if (kinds.includes(undefined) || kinds[0] === kinds[1]) return undefined;
  return {
    says: `is of type ${kinds[0]} and the event time of the versions of type ${kinds[1]}, one type was expected`,
    hint: 'declare both with the same type',
  };
}
