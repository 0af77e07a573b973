import { functionKind, type Select, walkSql } from '@levada/stream-sql';
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
      const name = node.name.at(-1)?.name.toUpperCase() ?? '';
      if (node.over === undefined && functionKind(name) === 'aggregate') return 'skip';
      const isOfText = name === 'UNIX_TIMESTAMP' && node.arguments.length > 0;
      if (varying.has(name) && !isOfText) vary?.(name);
      return undefined;
    });
  }
}
