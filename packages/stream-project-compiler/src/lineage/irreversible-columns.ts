import { type Call, type Expression, outputColumns, type Query, walkSql } from '@levada/stream-sql';

/**
 * Functions whose result says nothing about a single value that goes in: how many there are, and one-way hashes, which is
 * what the mask `hash` becomes. The smallest, largest, first or average value of a group does say something: a group may
 * have one member.
 */
const IRREVERSIBLE: ReadonlySet<string> = new Set([
  'COUNT',
  'APPROX_COUNT_DISTINCT',
  'MD5',
  'SHA1',
  'SHA224',
  'SHA256',
  'SHA384',
  'SHA512',
  'SHA2',
]);

/**
 * Names of a query's output columns that are made of other columns only through such functions: `COUNT(email)`,
 * `CAST(SHA256(email) AS STRING)`. Only the outermost SELECT is considered.
 */
export function irreversibleColumns(query: Query): ReadonlySet<string> {
  if (isSetOperation(query)) return new Set();
  const columns = outputColumns(query);
  return new Set(
    columns.flatMap((column) => {
      if (column.kind === 'star' || column.name === undefined) return [];
      return isIrreversible(column.expression) ? [column.name] : [];
    }),
  );
}

/** Its operands may differ: what one of them hashes another one may hand on. */
function isSetOperation({ body }: Query): boolean {
  if (body.kind === 'query') return isSetOperation(body);
  return body.kind === 'set-operation';
}

function isIrreversible(expression: Expression): boolean {
  if (expression.kind === 'column') return false;
  let irreversible = false;
  let leaks = false;
  walkSql(expression, (node) => {
    if (node.kind === 'call' && isIrreversibleCall(node)) {
      irreversible = true;
      return 'skip';
    }
    if (node.kind === 'column' || node.kind === 'query') leaks = true;
    return undefined;
  });
  return irreversible && !leaks;
}

function isIrreversibleCall({ name }: Call): boolean {
  return name.length === 1 && IRREVERSIBLE.has(name[0]?.name.toUpperCase() ?? '');
}
