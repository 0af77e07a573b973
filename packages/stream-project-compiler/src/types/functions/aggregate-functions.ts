import { limitedDecimal } from '../common-type.ts';
import { array, decimal, plain, type SqlType, text, time, withNullable } from '../sql-type.ts';
import {
  always,
  functionTable,
  gives,
  like,
  likeRows,
  type Refusal,
  type TypedCall,
} from './function-row.ts';

const COUNT = plain('BIGINT', false);
const DOUBLE = plain('DOUBLE');
/** Of the JSON aggregates, which know no longer text. */
const JSON_TEXT = text('VARCHAR', 2000, false);

/** Several values are counted where none of them can be null, which is the same as COUNT(*). */
function count({ types }: TypedCall): SqlType | Refusal {
  if (types.length < 2 || !types.some((type) => type?.nullable === true)) return COUNT;
  return { expected: 'expected one argument', hint: 'count one of them, or a text that is made of all' };
}

/** The widest decimal with the same fraction; other numbers stay. */
function sum(call: TypedCall): SqlType | undefined {
  const type = likeRows(call);
  return type?.name === 'DECIMAL' ? decimal(38, type.scale, type.nullable) : type;
}

/** The widest decimal with at least six digits of fraction; other numbers stay, integers too. */
function average(call: TypedCall): SqlType | undefined {
  const type = likeRows(call);
  if (type?.name !== 'DECIMAL') return type;
  return limitedDecimal({ precision: 38, scale: Math.max(6, type.scale) }, type.nullable);
}

/** `LAG(a, 1, 0)` is null only where what stands for none may be. */
function lagged({ types: [type, , otherwise], node }: TypedCall): SqlType | undefined {
  const nullable = node.arguments.length < 3 || otherwise?.nullable !== false;
  return withNullable(type, nullable);
}

function percentile({ types }: TypedCall): SqlType | undefined {
  const share = types[1];
  if (share === undefined) return undefined;
  return share.name === 'ARRAY' ? array(DOUBLE) : DOUBLE;
}

/** Without an argument it has no zone, whatever the time column is. */
function matchedTime({ types, node }: TypedCall): SqlType | undefined {
  return node.arguments.length === 0 ? time('TIMESTAMP', 3, false) : types[0];
}

/** Functions over many rows. Over no rows at all most of them have no value. */
export const aggregateFunctions = functionTable([
  ['COUNT', ['any', 'any*'], count],
  ['APPROX_COUNT_DISTINCT', ['any', 'any*'], always(COUNT)],
  ['SUM', ['number'], sum],
  ['AVG', ['number'], average],
  ['STDDEV STDDEV_POP STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP', ['number'], average],
  ['MIN MAX SINGLE_VALUE', ['ordered'], likeRows],
  ['FIRST_VALUE LAST_VALUE', ['any'], likeRows],
  ['LISTAGG', ['text', 'text?'], like(0)],
  ['COLLECT', ['any'], ({ types: [element] }) => ({ name: 'MULTISET', element, nullable: false })],
  ['ARRAY_AGG', ['any'], ({ types: [element], nullable }) => array(element, nullable)],
  ['JSON_ARRAYAGG', ['json'], always(JSON_TEXT)],
  ['JSON_OBJECTAGG', ['text', 'json'], always(JSON_TEXT)],
  ['PERCENTILE', ['number', 'any', 'integer?'], percentile],
  ['GROUPING GROUPING_ID', ['any', 'any*'], always(COUNT)],
  ['GROUP_ID', [], always(COUNT)],
  ['ROW_NUMBER RANK DENSE_RANK', [], always(COUNT)],
  ['NTILE', ['any'], always(COUNT)],
  ['CUME_DIST PERCENT_RANK', [], always(plain('DOUBLE', false))],
  ['LAG LEAD', ['any', 'integer?', 'any?'], lagged],
  // Of MATCH_RECOGNIZE
  ['FIRST LAST PREV NEXT', ['any', 'integer?'], ({ types: [type] }) => type],
  ['MATCH_ROWTIME', ['timestamp?'], matchedTime],
  ['MATCH_PROCTIME', [], gives({ name: 'TIMESTAMP_LTZ', precision: 3, nullable: false })],
]);
