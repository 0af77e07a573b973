import type { QueryBody, SetOperation } from '@levada/stream-sql';
import { commonType } from '../../types/common-type.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { typeWords } from '../../types/type-context.ts';
import { columnsText } from '../../types/type-of-call.ts';
import type { QueryContext } from '../query-context.ts';
import { influencesBy, mergeInfluences, mergeOrigins } from './merge-origins.ts';
import { mergedNulls } from './nulls.ts';
import { firstOpen, type Relation, type RelationColumn, relationOf, type TimeState } from './relation.ts';

/** An operand of a set operation, and its rows. */
export interface SetOperand {
  readonly body: QueryBody;
  readonly relation: Relation;
}

/** The rows of a set operation: names of the first operand, types that hold those of all. */
export function setRelation(
  node: SetOperation,
  operands: readonly SetOperand[],
  context: QueryContext,
): Relation {
  const relations = operands.map(({ relation }) => relation);
  const open = firstOpen(relations);
  const [first] = relations;
  if (first === undefined) return relationOf({ columns: [] });
  if (open !== undefined) context.parts.push({ kind: 'every-column', what: operatorWords(node), open });
  if (open === undefined && reportCounts(node, operands, context)) {
    const reason = 'its operands differ in their number of columns';
    return relationOf({ columns: first.columns, open: { reason, range: context.rangeOf(node), nodes: [] } });
  }
  if (open === undefined) {
    reportTypes(node, operands, context);
    if (node.operator === 'UNION') reportTimes(node, operands, context);
  }
  const columns = first.columns.map((column, index) =>
    mergedColumn(node, column, columnsAt(relations, index)),
  );
  const influences = mergeInfluences([
    ...relations.map((relation) => relation.influences),
    ...(node.operator === 'UNION' ? [] : relations.slice(1).map(filteredBy)),
  ]);
  return relationOf({ columns, open, influences, undeclared: relations.some((one) => one.undeclared) });
}

/** Rows of the others decide which rows of the first are left. */
function filteredBy({ columns }: Relation) {
  return influencesBy('filter', mergeOrigins(columns.map(({ origins }) => origins)));
}

/** Undefined where an operand does not list a column at this place. */
function columnsAt(relations: readonly Relation[], index: number): readonly (RelationColumn | undefined)[] {
  // Before a column that is not listed others may come
  return relations.map(({ columns, open }) => (open === undefined ? columns[index] : undefined));
}

function mergedColumn(
  { operator, quantifier }: SetOperation,
  { name, span, written, repeats, ...first }: RelationColumn,
  columns: readonly (RelationColumn | undefined)[],
): RelationColumn {
  const known = columns.flatMap((column) => column ?? []);
  const type = known.length === columns.length ? commonType(known.map((column) => column.type)) : undefined;
  // A row of INTERSECT is one of each operand; of those of EXCEPT only the first operand's are left
  const origins = operator === 'EXCEPT' ? [first.origins] : known.map((column) => column.origins);
  return {
    name,
    type: type === 'none' ? undefined : type,
    time: operator === 'UNION' && quantifier === 'ALL' ? commonTime(columns) : undefined,
    origins: known.length === 0 ? first.origins : mergeOrigins(origins),
    ...(known.length === columns.length ? mergedNulls(known) : {}),
    ...(known.length > 0 && known.every(({ marked }) => marked) ? { marked: true } : {}),
    ...(span === undefined ? {} : { span }),
    ...(written === undefined ? {} : { written }),
    ...(repeats === undefined ? {} : { repeats }),
  };
}

/** A time attribute where it is one of the same kind in all. */
function commonTime(columns: readonly (RelationColumn | undefined)[]): TimeState {
  const times = new Set(columns.map((column) => (column === undefined ? 'uncertain' : column.time)));
  if (times.has(undefined)) return undefined;
  const [only, another] = times;
  return another === undefined ? only : 'uncertain';
}

function reportCounts(
  node: SetOperation,
  operands: readonly SetOperand[],
  { report }: QueryContext,
): boolean {
  const wanted = operands[0]?.relation.columns.length ?? 0;
  const other = operands.find(({ relation }) => relation.columns.length !== wanted);
  if (other === undefined) return false;
  const words = operatorWords(node);
  report({
    name: 'set-operation-columns',
    message: `this operand of ${words} has ${columnsText(other.relation.columns.length)}, but the first one has ${columnsText(wanted)}`,
    start: other.body.start,
    end: other.body.end,
  });
  return true;
}

/** Reports the first column whose types have nothing in common. */
function reportTypes(node: SetOperation, operands: readonly SetOperand[], { report }: QueryContext): void {
  const [first, ...others] = operands;
  for (const [index, column] of (first?.relation.columns ?? []).entries()) {
    let common: SqlType | undefined = column.type;
    for (const { relation, body } of others) {
      const type = relation.columns[index]?.type;
      const both = common === undefined ? undefined : commonType([common, type]);
      if (common === undefined || type === undefined || both === undefined) break;
      if (both !== 'none') {
        common = both;
        continue;
      }
      const { start, end } = relation.columns[index]?.span ?? body;
      const message = `column ${index + 1} of ${operatorWords(node)} is ${typeWords(type)} here and ${typeWords(column.type)} in the first operand, expected one type`;
      report({ name: 'type-mismatch', message, hint: 'convert one of them with CAST', start, end });
      return;
    }
  }
}

/** Reports a column that the planner takes for a time attribute in some operands only, because it keeps the type of one. */
function reportTimes(node: SetOperation, operands: readonly SetOperand[], { report }: QueryContext): void {
  const [first, ...others] = operands;
  for (const [index, column] of (first?.relation.columns ?? []).entries()) {
    if (!isTimestamp(column) || (column.marked !== true && !isTime(column))) continue;
    for (const { relation, body } of others) {
      const other = relation.columns[index];
      if (other === undefined || !isTimestamp(other) || other.time === 'uncertain') continue;
      const isOneMarked = column.marked === true ? other.marked !== true : other.marked === true;
      if (!isOneMarked) continue;
      const { start, end } = other.span ?? body;
      const message = `column ${index + 1} of ${operatorWords(node)} is a time attribute or made of one, and a plain ${typeWords(other.type)} in another operand, expected one kind`;
      report({
        name: 'type-mismatch',
        message,
        hint: 'write CAST around the column in each operand',
        start,
        end,
      });
      return;
    }
  }
}

function isTime({ time }: RelationColumn): boolean {
  return time === 'event' || time === 'processing';
}

/** Of other precisions the planner makes a new type. */
function isTimestamp({ type }: RelationColumn): boolean {
  return (type?.name === 'TIMESTAMP' || type?.name === 'TIMESTAMP_LTZ') && type.precision === 3;
}

function operatorWords({ operator, quantifier }: SetOperation): string {
  return quantifier === undefined ? operator : `${operator} ${quantifier}`;
}
