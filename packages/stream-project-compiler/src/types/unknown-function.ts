import { nearestName } from '@levada/stream-project-schema';
import { type Call, isModelFunction, type Span } from '@levada/stream-sql';
import {
  type Construct,
  callableNames,
  type EngineDialect,
  engineVersions,
  lacks,
  newestDialect,
  releaseOf,
} from './functions/engine-dialect.ts';
import type { TypeContext } from './type-context.ts';

/** Nothing is said of the engine. */
const unsaid: EngineDialect = { ...newestDialect, isKnown: 'no' };

/** Where a call is looked at. */
type CallContext = Pick<TypeContext, 'dialect' | 'shown' | 'report'>;

/**
 * Reports a function that the engine does not have, or only in a later version. Names in backticks and names with a catalog are
 * those of users. Functions of machine learning are checked with the cluster that they need.
 */
export function checkFunctionName({ name, start, end }: Call, context: CallContext): void {
  const [only, ...more] = name;
  if (only === undefined || more.length > 0 || only.quoted || isModelFunction(only.name)) return;
  const { dialect = unsaid } = context;
  const upper = only.name.toUpperCase();
  const since = releaseOf(upper);
  if ((since !== undefined && since <= dialect.release) || dialect.declared.has(upper)) return;
  if (context.shown !== undefined && context.shown(only) !== only.name) return;
  if (since === undefined) reportUnknown(only.name, { start, end }, context);
  else reportNewer(`function ${only.name}`, { since: engineVersions[since] ?? '' }, { start, end }, context);
}

/** Reports something of SQL that only later versions of the engine have. */
export function checkConstruct(
  construct: Construct,
  { start, end }: Span,
  context: Pick<TypeContext, 'dialect' | 'report'>,
  hint?: string,
): void {
  const since = lacks(context.dialect ?? unsaid, construct);
  if (since !== undefined) reportNewer(construct, { since, hint }, { start, end }, context);
}

function reportUnknown(name: string, span: Span, { dialect = unsaid, report }: CallContext): void {
  const hint = hintFor(name.toUpperCase(), dialect);
  if (hint === undefined && dialect.isKnown === 'no') return;
  // Without a version it may be a user-defined function
  const isSure = dialect.isKnown === 'stated' || (dialect.isKnown === 'supposed' && hint !== undefined);
  report?.({
    name: 'unknown-function',
    message: `function ${name}, which the engine does not have`,
    hint: hint ?? 'list it in "runtime.engine.functions" if it is registered with the engine',
    ...(isSure ? {} : { unsure: true }),
    ...span,
  });
}

function hintFor(name: string, dialect: EngineDialect): string | undefined {
  const foreign = foreignFunctions.get(name);
  if (foreign !== undefined) return foreign;
  const meant = nearestName(name, callableNames(dialect));
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}

function reportNewer(
  what: string,
  { since, hint }: { readonly since: string; readonly hint?: string | undefined },
  span: Span,
  { dialect = unsaid, report }: Pick<TypeContext, 'dialect' | 'report'>,
): void {
  report?.({
    name: 'later-version',
    message: `${what}, which the engine has since version ${since}, and ${dialect.says ?? 'this one is older'}`,
    hint: hint ?? 'write it in another way, or correct "version" of the cluster',
    ...span,
  });
}

/** Functions of other dialects, and how the engine writes what they do. */
const foreignFunctions: ReadonlyMap<string, string> = new Map([
  ['ADD_MONTHS', "write ts + INTERVAL '1' MONTH"],
  ['ANY_VALUE', 'write FIRST_VALUE'],
  ['APPROX_PERCENTILE', 'write PERCENTILE'],
  ['ARG_MAX', 'number rows with ROW_NUMBER() OVER (...), and keep the first'],
  ['ARG_MIN', 'number rows with ROW_NUMBER() OVER (...), and keep the first'],
  ['ARRAY_LENGTH', 'write CARDINALITY'],
  ['ARRAY_SIZE', 'write CARDINALITY'],
  ['BOOL_AND', 'write MIN over CASE'],
  ['BOOL_OR', 'write MAX over CASE'],
  ['CBRT', 'write POWER(a, 1.0 / 3)'],
  ['CHARINDEX', 'write LOCATE'],
  ['COUNTIF', 'write COUNT(*) FILTER (WHERE ...)'],
  ['COUNT_IF', 'write COUNT(*) FILTER (WHERE ...)'],
  ['CURDATE', 'write CURRENT_DATE'],
  ['DATEADD', 'write TIMESTAMPADD(DAY, n, ts)'],
  ['DATEDIFF', 'write TIMESTAMPDIFF(DAY, from, to)'],
  ['DATE_ADD', "write ts + INTERVAL '1' DAY"],
  ['DATE_DIFF', 'write TIMESTAMPDIFF(DAY, from, to)'],
  ['DATE_PART', 'write EXTRACT(HOUR FROM ts)'],
  ['DATE_SUB', "write ts - INTERVAL '1' DAY"],
  ['DATE_TRUNC', 'write FLOOR(ts TO HOUR)'],
  ['DATETIME_TRUNC', 'write FLOOR(ts TO HOUR)'],
  ['EXPLODE', 'write CROSS JOIN UNNEST(...)'],
  ['FORMAT', 'write PRINTF'],
  ['GENERATE_UUID', 'write UUID()'],
  ['GEN_RANDOM_UUID', 'write UUID()'],
  ['GETDATE', 'write CURRENT_TIMESTAMP'],
  ['GET_JSON_OBJECT', 'write JSON_VALUE or JSON_QUERY'],
  ['GROUP_CONCAT', 'write LISTAGG'],
  ['IIF', 'write IF'],
  ['ISNULL', 'write IFNULL, or IS NULL'],
  ['JSON_EXTRACT', 'write JSON_VALUE or JSON_QUERY'],
  ['JSON_EXTRACT_SCALAR', 'write JSON_VALUE'],
  ['LCASE', 'write LOWER'],
  ['LEN', 'write CHAR_LENGTH'],
  ['LENGTH', 'write CHAR_LENGTH'],
  ['MAX_BY', 'number rows with ROW_NUMBER() OVER (...), and keep the first'],
  ['MEDIAN', 'write PERCENTILE(a, 0.5)'],
  ['MIN_BY', 'number rows with ROW_NUMBER() OVER (...), and keep the first'],
  ['NTH_VALUE', 'number rows with ROW_NUMBER() OVER (...)'],
  ['NVL', 'write COALESCE'],
  ['NVL2', 'write CASE'],
  ['OCTET_LENGTH', 'write CHAR_LENGTH'],
  ['POW', 'write POWER'],
  ['REGEXP_LIKE', 'write REGEXP'],
  ['REGEXP_MATCH', 'write REGEXP'],
  ['RLIKE', 'write REGEXP'],
  ['SAFE_DIVIDE', 'write a / NULLIF(b, 0)'],
  ['SIZE', 'write CARDINALITY'],
  ['SPLIT_PART', 'write SPLIT_INDEX, which counts from 0'],
  ['STARTS_WITH', 'write STARTSWITH'],
  ['STRING_AGG', 'write LISTAGG'],
  ['STRPOS', 'write LOCATE'],
  ['STRUCT', 'write ROW'],
  ['SUBSTRING_INDEX', 'write SPLIT_INDEX, which counts from 0'],
  ['SYSDATE', 'write CURRENT_TIMESTAMP'],
  ['TIMESTAMP_TRUNC', 'write FLOOR(ts TO HOUR)'],
  ['TO_CHAR', 'write DATE_FORMAT, or CAST(... AS STRING)'],
  ['TO_JSON', 'write JSON_STRING'],
  ['TO_JSON_STRING', 'write JSON_STRING'],
  ['TO_NUMBER', 'write CAST(... AS DECIMAL(18, 2))'],
  ['TO_UNIX_TIMESTAMP', 'write UNIX_TIMESTAMP'],
  ['TRUNC', 'write TRUNCATE, or FLOOR(ts TO DAY)'],
  ['UCASE', 'write UPPER'],
]);
