import { type Call, functionKind, type Query, type Select, walkSql } from '@levada/stream-sql';
import type { ChangesContext } from './changes-context.ts';

/** Functions whose value is another one for the row that is withdrawn than it was for the row that was written. */
const varying: ReadonlySet<string> = new Set([
  'CURRENT_DATE',
  'CURRENT_ROW_TIMESTAMP',
  'CURRENT_TIME',
  'CURRENT_TIMESTAMP',
  'CURRENT_WATERMARK',
  'LOCALTIME',
  'LOCALTIMESTAMP',
  'NOW',
  'PROCTIME',
  'RAND',
  'RAND_INTEGER',
  'UNIX_TIMESTAMP',
  'UUID',
]);

/** Reports such functions of a SELECT whose rows change. What is aggregated was given its value before. */
export function reportVarying({ items }: Select, { vary }: Pick<ChangesContext, 'vary'>): void {
  for (const { expression } of items) {
    walkSql(expression, (node) => {
      if (node.kind === 'query') return 'skip';
      if (node.kind !== 'call') return undefined;
      const name = nameOf(node);
      if (node.over === undefined && functionKind(name) === 'aggregate') return 'skip';
      if (isVarying(node)) vary?.(name);
      return undefined;
    });
  }
}

/** Whether a query has such a function: computed a second time, its rows have other values. */
export function hasVaryingCall(query: Query): boolean {
  let found = false;
  walkSql(query, (node) => {
    found ||= node.kind === 'call' && isVarying(node);
    return found ? 'skip' : undefined;
  });
  return found;
}

function isVarying(call: Call): boolean {
  const name = nameOf(call);
  return varying.has(name) && !(name === 'UNIX_TIMESTAMP' && call.arguments.length > 0);
}

function nameOf({ name }: Call): string {
  return name.at(-1)?.name.toUpperCase() ?? '';
}
