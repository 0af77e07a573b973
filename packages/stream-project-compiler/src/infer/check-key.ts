import type { Query, Select } from '@levada/stream-sql';
import { type Changes, isAppend, type Key, uniqueSets } from '../changelog/changes.ts';
import type { NodeColumns } from '../columns/nodes/node-columns.ts';
import { groupedExpressions } from '../columns/scope/expression-ids.ts';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import { textAt } from '../parse/known-value.ts';
import { placeOf } from '../parse/node-place.ts';
import { isReplaced, shownText } from '../resolve/place-in-file.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { rangeAt } from '../text/source-file.ts';
import { wholeColumn } from './check-null-key.ts';
import { inferCodes } from './infer-codes.ts';

interface KeyFacts {
  readonly changes: Changes;
  readonly columns: NodeColumns;
}

/**
 * Reports a model whose rows change and whose key does not find the row that a change is for: several rows can have it, nothing says
 * that they cannot, or there is none. Engines from 2.3 on refuse to write by such a key unless the statement says `ON CONFLICT`; older
 * ones and `ON CONFLICT DO DEDUPLICATE` keep the last row of each key. A key that each row has for itself loses nothing by that,
 * although the engine does not derive it.
 */
export function checkKey(model: ResolvedModel, { changes, columns }: KeyFacts): readonly Diagnostic[] {
  const { definition, sql } = model;
  const query = sql?.parsed.query;
  if (sql === undefined || query === undefined) return [];
  if (isAppend(changes) || columns.incomplete !== undefined) return [];
  const { file, node, head, path, object } = definition;
  // A virtual topic is not written, and takes no SQL whose rows change
  if (placeOf(node, 'advanced.gateway').node !== undefined) return [];
  const named = textAt(node, 'key');
  const position = columns.columns.findIndex(({ name }) => name === named?.value);
  // That it has no such column is reported elsewhere
  if (named !== undefined && position < 0) return [];
  const isFound = changes.keys.some((key) =>
    named === undefined ? key.length > 0 : key.every((at) => at === position),
  );
  if (isFound) return [];
  const key = named === undefined ? undefined : quote(shownText(named, named.value));
  const { cause } = changes;
  const sets = uniqueSets(changes);
  const isUnique = named !== undefined && sets.some((set) => set.every((at) => at === position));
  const whose = `rows of model ${quote(shownText(textAt(node, 'name'), model.name))}`;
  const says = `${whose} change later, by ${cause?.what ?? 'its SQL'}, and`;
  const problem =
    key === undefined
      ? `${says} ${sets.length > 0 || changes.keys.length > 0 ? 'the engine finds no column that distinguishes them' : 'nothing says which columns distinguish them'}: each change is a record without a key`
      : isUnique
        ? `${says} the engine does not find that each has its own ${key}, the key: it keeps a history of each key`
        : sets.length > 0
          ? `${says} several can have the same ${key}, the key: only the last of these is kept`
          : `${says} nothing says that each has its own ${key}, the key: of several with the same one only the last is kept`;
  const atKey = rangeAt(file, node.entries.get('key')?.node.span ?? head);
  const isInSql = cause !== undefined && cause.end > cause.start;
  const atCause = isInSql ? sql.rangeOf(cause) : rangeAt(file, node.entries.get('sql')?.keySpan ?? head);
  return [
    diagnose(inferCodes[isUnique ? 'key-not-found' : 'key-of-changes'], {
      message: problem,
      hint: isUnique
        ? 'keep the key: no row is lost, the engine only needs more state'
        : keyHint(model, query, { changes, columns, key }),
      range: key === undefined ? atCause : atKey,
      path: `${path}.${key === undefined ? 'sql' : 'key'}`,
      object,
    }),
  ];
}

/** What to write: the key that finds every row, and which columns these are. */
function keyHint(
  model: ResolvedModel,
  query: Query,
  { changes, columns, key: named }: KeyFacts & { readonly key: string | undefined },
): string {
  const key = changes.keys.find(({ length }) => length > 0);
  if (key !== undefined) {
    const names = namesOf(key, columns);
    const of = `the ${names?.length === 1 ? 'column' : 'columns'} ${originOf(query, model)}`;
    if (names === undefined) return `name the key of its query, ${of}`;
    const whole = wholeHint(key, columns);
    if (names.length === 1) return `write "key: ${names[0]}", ${of}${whole}`;
    return `remove "key": rows are then written by ${listed(names)}, ${of}${whole}`;
  }
  if (changes.keys.length > 0) return oneRowHint(columns);
  const groups = groupsOf(query, model);
  if (groups === undefined) {
    const [set] = uniqueSets(changes);
    const names = set && namesOf(set, columns);
    if (set !== undefined && names !== undefined) return uniqueHint(names, named) + wholeHint(set, columns);
    return named === undefined
      ? 'write "key" with a column that differs in every row, or group or number the rows in the SQL'
      : `keep it if ${named} differs in every row; otherwise write the column that does, or group or number the rows in the SQL`;
  }
  const [only, another] = groups;
  return another === undefined
    ? `add ${quote(only ?? '')} to SELECT and write "key: ${only}", the column of GROUP BY`
    : `add ${listed(groups)} to SELECT${named === undefined ? '' : ' and remove "key"'}: rows are then written by these, the columns of GROUP BY`;
}

/** Any column without nulls is a key of one row: a row with a null key would not be written. */
function oneRowHint({ columns }: NodeColumns): string {
  const whole = columns.find(({ type, nulls }) => type?.nullable === false && nulls?.kind !== 'made');
  if (whole !== undefined && whole.written === undefined)
    return `the query gives one row, so that any column without nulls can be its key: write "key: ${whole.name}"`;
  return 'the query gives one row: add COUNT(*) AS n to SELECT, and write "key: n"';
}

/** Adds to a hint how to keep rows whose key columns can be null in the topic. */
function wholeHint(key: Key, { columns }: NodeColumns): string {
  const open = key.flatMap((at) => {
    const column = columns[at];
    return column?.nulls?.kind === 'made' && column.type?.nullable !== false ? column : [];
  });
  if (open.length === 0) return '';
  const names = open.map(({ written, name }) => quote(written ?? name)).join(' and ');
  return `; ${names} can be null, and such rows are not written: write ${open.map(wholeColumn).join(' and ')} before, with a value that no row has`;
}

/** What to write where each row has its own values of these columns, which the engine does not derive. */
function uniqueHint(names: readonly string[], named: string | undefined): string {
  const [only, another] = names;
  if (another === undefined) return `write "key: ${only}", which differs in every row`;
  const number = `number the rows with ROW_NUMBER() OVER (PARTITION BY ${names.join(', ')} ...) and keep the first ones`;
  return `${number}: each row has its own ${listed(names)}${named === undefined ? '' : ', so that none is lost; then remove "key"'}`;
}

function namesOf(key: Key, { columns }: NodeColumns): readonly string[] | undefined {
  const found = key.map((at) => columns[at]);
  return found.some((column) => column === undefined || column.written !== undefined)
    ? undefined
    : found.flatMap((column) => column?.name ?? []);
}

function listed(names: readonly string[]): string {
  const quoted = names.map(quote);
  return quoted.length < 3 ? quoted.join(' and ') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
}

/** Which columns distinguish the rows of a query, as the end of "the columns". */
function originOf(query: Query, model: ResolvedModel): string {
  const { body } = query;
  if (body.kind === 'query') return originOf(body, model);
  if (body.kind === 'set-operation') return `of ${body.operator}`;
  const by = 'by which its rows are updated';
  if (body.kind !== 'select') return by;
  if (body.quantifier === 'DISTINCT') return 'of DISTINCT';
  if (body.groupBy !== undefined) return 'of GROUP BY';
  if (body.qualify !== undefined) return 'of PARTITION BY';
  const { from } = body;
  if (from?.kind !== 'table') return by;
  if (from.source.kind === 'macro' && from.source.macro === 'ref' && !isSqlReplaced(model))
    return `that model ${quote(from.source.name)} is written by`;
  const inner = innerQuery(from.source, query);
  if (inner === undefined) return by;
  return isRanked(inner) ? 'of PARTITION BY' : originOf(inner, model);
}

function innerQuery(
  source: Extract<NonNullable<Select['from']>, { kind: 'table' }>['source'],
  { with: common }: Query,
): Query | undefined {
  if (source.kind === 'derived-table') return source.query;
  if (source.kind !== 'table-name' || source.path.length > 1) return undefined;
  const [name] = source.path;
  return common.find((table) => table.name.name === name?.name)?.query;
}

/** Whether a query numbers its rows, as those of which the first are taken. */
function isRanked({ body }: Query): boolean {
  return (
    body.kind === 'select' &&
    body.items.some(({ expression }) => expression.kind === 'call' && expression.over !== undefined)
  );
}

/** Columns of GROUP BY that the query does not select, or only some of; undefined where it groups by something else. */
function groupsOf({ body }: Query, model: ResolvedModel): readonly string[] | undefined {
  if (body.kind === 'query') return groupsOf(body, model);
  if (body.kind !== 'select' || body.groupBy === undefined || isSqlReplaced(model)) return undefined;
  if (body.groupBy.items.some(({ kind }) => kind === 'grouping-sets')) return undefined;
  const groups = groupedExpressions(body.groupBy.items);
  const names = groups.flatMap((item) => (item.kind === 'column' ? (item.path.at(-1)?.name ?? []) : []));
  return names.length === groups.length && names.length > 0 ? [...new Set(names)] : undefined;
}

function isSqlReplaced({ sql }: ResolvedModel): boolean {
  return sql !== undefined && isReplaced(sql.leaf);
}
