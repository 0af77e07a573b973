import { type Call, type Cast, type Expression, type Query, walkSql } from '@levada/stream-sql';
import type { QueryContext } from '../columns/query-context.ts';
import { engineVersions } from '../types/functions/engine-dialect.ts';
import type { SqlType } from '../types/sql-type.ts';
import type { FoundErratum } from './found-errata.ts';
import { nullsOfTimes, nullsOfWindow } from './null-times.ts';

/** Types of whole numbers, narrow ones first. */
const integers: readonly string[] = ['TINYINT', 'SMALLINT', 'INT', 'BIGINT'];

/** The first version that reads decimals of JSON as they are. */
const EXACT_JSON = engineVersions.indexOf('2.0');

const MIN_BIGINT = '-9223372036854775807 - 1';

/** Functions and casts of a query that give a wrong value without an error, and what the engine makes of rows without time. */
export function valueErrata(query: Query, context: QueryContext): readonly FoundErratum[] {
  const found: FoundErratum[] = [];
  walkSql(query, (node) => {
    if (node.kind === 'call') found.push(...ofCall(node, context));
    if (node.kind === 'cast') found.push(...ofCast(node, context));
    if (node.kind === 'table-function') found.push(...nullsOfWindow(node, context));
    if (node.kind === 'select') found.push(...nullsOfTimes(node, context));
    return undefined;
  });
  return found;
}

function ofCall(call: Call, context: QueryContext): readonly FoundErratum[] {
  const name = call.name.at(-1)?.name.toUpperCase() ?? '';
  const { start, end } = call;
  const value = call.arguments[0]?.value;
  if (name === 'UNIX_TIMESTAMP' && value !== undefined) return [around(call, 'NULLIF(', `, ${MIN_BIGINT})`)];
  if (
    /^(?:STDDEV|VAR)(?:_POP|_SAMP|IANCE)?$/.test(name) &&
    integers.includes(columnType(value as Expression, context)?.name ?? '')
  )
    return [
      {
        kind: 'finding',
        name: 'engine-rounds-deviation',
        message: `${name} of whole numbers is a whole number`,
        hint: `write "${name}(CAST(... AS DOUBLE))"`,
        start,
        end,
      },
    ];
  const isJsonText = /^JSON_(?:VALUE|QUERY)$/.test(name) && call.json?.returning === undefined;
  if (isJsonText && context.dialect.release < EXACT_JSON)
    return [
      {
        kind: 'finding',
        name: 'engine-rounds-json',
        message: `${name} of a decimal number loses digits in this version`,
        hint: 'write such numbers as texts in the JSON, or run the model on 2.0 or newer',
        start,
        end,
      },
    ];
  return [];
}

function ofCast({ attempt, operand, type }: Cast, context: QueryContext): readonly FoundErratum[] {
  const from = columnType(operand, context);
  const to = 'type' in type ? type.type : '';
  if (!attempt && to === 'DATE' && from?.name === 'TIMESTAMP') return [around(operand, 'FLOOR(', ' TO DAY)')];
  const isNarrower = integers.includes(to) && integers.indexOf(to) < integers.indexOf(from?.name ?? '');
  return attempt && isNarrower ? [around(operand, 'CAST(', ' AS STRING)')] : [];
}

function around({ start, end }: Expression, before: string, after: string): FoundErratum {
  return {
    kind: 'rewrite',
    rewrites: [
      { start, end: start, text: before },
      { start: end, end, text: after },
    ],
  };
}

/** The type of a column; undefined for other expressions. */
function columnType(expression: Expression | undefined, { columns }: QueryContext): SqlType | undefined {
  return expression?.kind === 'column' ? columns.get(expression)?.column.type : undefined;
}
