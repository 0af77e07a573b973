import { type NodeColumns, takesWatermark } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { textAt } from '../../parse/known-value.ts';
import { typeName } from '../../types/print-type.ts';
import type { SqlType } from '../../types/sql-type.ts';
import { type ColumnHint, lookUpColumn } from '../column-lookup.ts';
import { at, finding, named } from '../finding.ts';
import { shown } from '../written-value.ts';
import { declarationCodes } from './declaration-codes.ts';

/** What a source or a model says of its time, and what may be meant by a name that is no column of it. */
export interface EventTimeFacts {
  readonly definition: Definition<'source'> | Definition<'model'>;
  /** Where it says it. */
  readonly section: readonly string[];
  readonly columns: NodeColumns | undefined;
  readonly hint: ColumnHint;
}

/** Reports an event time for which the engine takes no watermark. */
export function checkEventTime({
  definition,
  section,
  columns,
  hint,
}: EventTimeFacts): readonly Diagnostic[] {
  const path = [...section, 'column'];
  const name = textAt(definition.node, path);
  if (name === undefined) return [];
  const found = lookUpColumn(columns, name.value);
  const start = `${named(definition)}: event time column ${quote(shown(name))}`;
  if (found?.is === 'nothing') {
    const message = `${start} is not ${definition.kind === 'source' ? 'declared' : 'selected by its SQL'}`;
    return [
      finding(declarationCodes['event-time-column'], at(definition, path), {
        message,
        hint: hint(columns, name.value),
      }),
    ];
  }
  if (found === undefined) return [];
  const related = [{ message: 'column defined here', range: found.column.range() }];
  if (found.column.time === 'processing') {
    const message = `${start} is a processing time`;
    return [finding(declarationCodes['event-time-column'], at(definition, path), { message, related })];
  }
  if (found.type === undefined || takesWatermark(found.type)) return [];
  const message = `${start} has type ${typeName(found.type)}, expected TIMESTAMP or TIMESTAMP_LTZ with at most 3 digits`;
  const write = definition.kind === 'source' ? `declare it as ${typeFor(found.type)}` : hintFor(found.type);
  return [
    finding(declarationCodes['event-time-type'], at(definition, path), { message, related, hint: write }),
  ];
}

/** How SQL makes a time of a value that has none. */
function hintFor(type: SqlType): string {
  if (type.name === 'BIGINT') return 'select TO_TIMESTAMP_LTZ(..., 3)';
  return `select CAST(... AS ${typeFor(type)})`;
}

function typeFor({ name }: SqlType): string {
  return name === 'TIMESTAMP_LTZ' || name === 'BIGINT' ? 'TIMESTAMP_LTZ(3)' : 'TIMESTAMP(3)';
}
