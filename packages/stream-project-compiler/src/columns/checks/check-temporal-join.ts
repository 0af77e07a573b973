import type { Expression, Join } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import type { LostTime } from '../nodes/node-columns.ts';
import type { Relation, RelationColumn } from '../relations/relation.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { conjuncts } from '../time/join-time.ts';
import { reportLostTime } from './check-window-time.ts';

/** Reports a temporal join whose sides do not have the times that it takes. `place` has the tables before it. */
export function checkTemporalJoin(asOf: Expression, right: Relation, { context }: ExpressionPlace): void {
  if (asOf.kind !== 'column') return;
  const left = context.columns.get(asOf)?.column;
  const name = asOf.path.at(-1);
  if (left === undefined || name === undefined) return;
  const lost = left.time === undefined ? left.lost : lostVersions(right);
  if (lost !== undefined) {
    reportLostTime(asOf, lost, context);
    return;
  }
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
    const unsure = left.time === undefined && left.type === undefined;
    context.report({ name: 'temporal-join-without-time-attribute', message: text, hint, unsure, ...span });
  }
}

/** Why versions have no event time, where a CAST took it from them. */
function lostVersions({ open, columns }: Relation): LostTime | undefined {
  if (open !== undefined || columns.some(({ time }) => time !== undefined)) return undefined;
  return columns.find(({ lost }) => lost !== undefined)?.lost;
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

/** Reports a temporal join that does not look up the versions of one key. `at` is the place of their table. */
export function checkTemporalKey(
  { right, condition, using }: Join,
  at: number,
  { context, scope }: ExpressionPlace,
): void {
  if (right.kind !== 'table' || right.asOf === undefined || using.length > 0 || condition === undefined)
    return;
  const sides = conjuncts(condition).flatMap((part) =>
    part.kind === 'binary' && part.operator === '=' ? [part.left, part.right] : [],
  );
  const { key, find } = scope.relationAt(at);
  const isKnown = key !== undefined && find(key) !== undefined;
  if (isKnown ? sides.some((side) => mayBe(key, side, { at, context })) : sides.length > 0) return;
  const { start, end } = condition;
  context.report({
    name: 'temporal-join-key',
    message: `the temporal join does not compare ${isKnown ? `the key ${quote(key)}` : 'a key'} of the versions with "="`,
    hint: isKnown
      ? `add "AND ${key} = ..." to ON`
      : 'compare the column of ON that identifies a version with "="',
    start,
    end,
  });
}

/** Whether a side of a comparison is the key. A column that is not there was reported, and may be meant for it. */
function mayBe(
  key: string,
  side: Expression,
  { at, context }: { readonly at: number } & Pick<ExpressionPlace, 'context'>,
): boolean {
  if (side.kind !== 'column') return false;
  const found = context.columns.get(side);
  return found === undefined || (found.place === at && found.column.name === key);
}
