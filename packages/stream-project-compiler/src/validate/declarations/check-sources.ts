import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Definition } from '../../parse/definition.ts';
import { objectAt } from '../../parse/known-value.ts';
import { nodeId } from '../../resolve/node-id.ts';
import { checkOrder } from '../check-order.ts';
import { type ColumnHint, columnHints } from '../column-hints.ts';
import type { Rule } from '../rule.ts';
import { checkEventTime } from './check-event-time.ts';
import { checkColumnNames } from './check-names.ts';
import { checkProcessingTime, isProcessingTime } from './check-processing-time.ts';
import { checkSchema } from './check-schema.ts';
import { checkType } from './check-type.ts';
import { declarationCodes } from './declaration-codes.ts';
import { declaredColumns } from './declared-columns.ts';

/** What each source declares. */
export const checkSources: Rule = ({ project, memory }) => {
  const hint = columnHints();
  return [...project.resolved.sources].flatMap(([name, source]) => {
    const columns = project.columns.get(nodeId('source', name));
    const check = () => checkSource(source, columns, hint);
    return memory.check('declared', { object: source, needs: [columns] }, check);
  });
};

function checkSource(
  source: Definition<'source'>,
  columns: NodeColumns | undefined,
  hint: ColumnHint,
): readonly Diagnostic[] {
  const declared = declaredColumns(source, ['columns']);
  const freshness = objectAt(source.node, 'freshness');
  return [
    ...checkColumnNames(source, declared, declarationCodes['duplicate-column']),
    ...declared.flatMap((column) =>
      isProcessingTime(column)
        ? checkProcessingTime(source, column)
        : checkType(source, column, columns?.byName.get(column.name.value)?.type),
    ),
    ...checkEventTime({ definition: source, section: ['event_time'], columns, hint }),
    ...checkSchema(source),
    ...(freshness === undefined
      ? []
      : checkOrder({
          definition: source,
          node: freshness,
          path: ['freshness'],
          low: 'warn_after_seconds',
          high: 'max_lag_seconds',
          because: 'so the error comes before the warning',
          entry: declarationCodes['freshness-order'],
        })),
  ];
}
