import { type Expression, type Join, walkSql } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import type { LostTime } from '../nodes/node-columns.ts';
import type { QueryContext } from '../query-context.ts';
import type { Relation, RelationColumn } from '../relations/relation.ts';
import { conjuncts, resolvedIn } from '../relations/relation-time.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { afterLoss, reportLostTime } from './check-window-time.ts';

/** Reports joins without the condition that they take, and outer ones that the engine does not run. */
export function checkJoin(join: Join, context: QueryContext): void {
  const { operatorStart: start, operatorEnd: end } = join;
  const message = missing(join) ?? refused(join, context);
  if (message === undefined) return;
  context.report({ name: 'join-condition', ...message, start, end });
}

interface Message {
  readonly message: string;
  readonly hint: string;
}

function missing({ type, natural, condition, using }: Join): Message | undefined {
  const has = natural || condition !== undefined || using.length > 0;
  if (type === 'COMMA' || has === (type !== 'CROSS')) return undefined;
  return has
    ? {
        message: 'CROSS JOIN has a condition, but joins every row with every other one',
        hint: 'write JOIN instead of CROSS JOIN',
      }
    : {
        message: `${type === 'INNER' ? 'JOIN' : `${type} JOIN`} has no condition, expected ON or USING`,
        hint: 'write ON and what the rows have in common, or CROSS JOIN',
      };
}

function refused({ type, right }: Join, context: QueryContext): Message | undefined {
  if (right.kind !== 'table') return undefined;
  const { source, asOf } = right;
  if (
    type === 'LEFT' &&
    source.kind === 'unnest' &&
    !source.collections.some((part) => hasColumn(part, context))
  ) {
    return {
      message:
        'LEFT JOIN with UNNEST of a collection that is the same for all rows, which the planner does not take in all queries',
      hint: 'write CROSS JOIN',
    };
  }
  if (type !== 'RIGHT' && type !== 'FULL') return undefined;
  const what =
    asOf !== undefined
      ? 'a table as of a time'
      : source.kind === 'unnest' && source.collections.some((part) => hasColumn(part, context))
        ? 'UNNEST'
        : undefined;
  if (what === undefined) return undefined;
  return {
    message: `${type} JOIN with ${what}, which is read for each row of the left side`,
    hint: 'write JOIN or LEFT JOIN',
  };
}

function hasColumn(expression: Expression, { columns }: QueryContext): boolean {
  let found = false;
  walkSql(expression, (node) => {
    found ||= node.kind === 'column' && columns.get(node) !== undefined;
    return found ? 'skip' : undefined;
  });
  return found;
}

/** Reports a temporal join whose sides do not have the times that it takes. `place` has the tables before it. */
export function checkTemporalJoin(asOf: Expression, right: Relation, { context }: ExpressionPlace): void {
  if (asOf.kind !== 'column') return;
  const left = context.columns.get(asOf)?.column;
  const name = asOf.path.at(-1);
  if (left === undefined || name === undefined) return;
  const lost = left.time === undefined ? left.lost : lostVersions(right);
  if (lost !== undefined && lost.by === undefined) {
    reportLostTime(asOf, lost, context);
    return;
  }
  const message = messageOf(left, right);
  const span = { start: asOf.start, end: asOf.end };
  if (left.time === 'processing') {
    context.report({
      name: 'temporal-join-on-processing-time',
      message: `${quote(context.shown(name))} is a processing time, but the engine joins versions as of an event time only`,
      hint: 'use an event time column after FOR SYSTEM_TIME AS OF',
      ...span,
    });
  } else if (message !== undefined) {
    const { says, hint } = message;
    const text = `${quote(context.shown(name))} ${says}${left.time === undefined ? afterLoss(left.lost) : ''}`;
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
      says: 'is not a time attribute, which a temporal join requires on its left side',
      hint: 'use a column that a source names in "event_time", and select it unchanged',
    };
  }
  if (right.open !== undefined || right.columns.some(({ time }) => time === 'uncertain')) return undefined;
  const times = right.columns.filter(({ time }) => time === 'event');
  const [time] = times;
  if (time === undefined) {
    return {
      says: 'is compared with versions of a table without event time',
      hint: 'name the column of its event time in "event_time" of the source, or in "advanced.event_time" of the model',
    };
  }
  const kinds = [left, time].map(({ type }) => type?.name);
  if (kinds.includes(undefined) || kinds[0] === kinds[1]) return undefined;
  return {
    says: `has type ${kinds[0]}, but the event time of the versions has type ${kinds[1]}`,
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
    part.kind === 'binary' &&
    part.operator === '=' &&
    [part.left, part.right].every((side) => mayVary(side, context))
      ? [part.left, part.right]
      : [],
  );
  const { key, find } = scope.relationAt(at);
  const known = key.filter((column) => find(column) !== undefined);
  const isKnown = key.length > 0 && known.length === key.length;
  const missing = known.filter((column) => !sides.some((side) => mayBe(column, side, { at, context })));
  if (isKnown ? missing.length === 0 : sides.length > 0) return;
  const { start, end } = condition;
  const what = `the key ${missing.map(quote).join(' and ')}`;
  context.report({
    name: 'temporal-join-key',
    message: `the temporal join does not compare ${isKnown ? what : 'a key'} of the versions with "="`,
    hint: isKnown
      ? `add "AND ${missing.map((column) => `${column} = ...`).join(' AND ')}" to ON`
      : 'compare the column of ON that identifies a version with "="',
    start,
    end,
  });
}

/** Rows are not joined by a constant. */
function mayVary(side: Expression, context: QueryContext): boolean {
  return side.kind !== 'literal' && (side.kind !== 'call' || resolvedIn(side, context).length > 0);
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
