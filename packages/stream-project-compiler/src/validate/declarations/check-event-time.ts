import type { NodeColumns } from '../../columns/nodes/node-columns.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { objectAt, textAt } from '../../parse/known-value.ts';
import { printType } from '../../types/print-type.ts';
import type { SqlType } from '../../types/sql-type.ts';
import type { ColumnHint } from '../column-hints.ts';
import { findingAt, rangeBelow, wordsOf } from '../finding-at.ts';
import { lookUpColumn } from '../look-up-column.ts';
import { shown } from '../shown-value.ts';
import type { DeclaredColumn } from './declared-columns.ts';

/** The most digits behind the second that a watermark can be for. */
const MAX_DIGITS = 3;

/** What a source declares, and what may be meant by a name that is not declared. */
export interface SourceFacts {
  readonly source: Definition<'source'>;
  readonly declared: readonly DeclaredColumn[];
  readonly columns: NodeColumns | undefined;
  readonly hint: ColumnHint;
}

/** Reports an event time for which the engine takes no watermark. */
export function checkEventTime({ source, declared, columns, hint }: SourceFacts): readonly Diagnostic[] {
  const eventTime = objectAt(source.node, 'event_time');
  const name = eventTime === undefined ? undefined : textAt(eventTime, 'column');
  if (name === undefined) return [];
  const path = ['event_time', 'column'];
  const found = lookUpColumn(columns, name.value);
  const start = `the event time of ${wordsOf(source)} is the column ${quote(shown(name))}`;
  if (found?.is === 'nothing') {
    const message = `${start}, which is not declared`;
    return [findingAt('event-time-column', source, { path, message, hint: hint(columns, name.value) })];
  }
  if (found === undefined) return [];
  const column = declared.find((one) => one.name.value === found.column.name);
  const at = column === undefined ? undefined : rangeBelow(source, [...column.path, 'name']);
  const related = at === undefined ? [] : [{ message: 'the column', range: at }];
  if (found.column.time === 'processing') {
    const message = `${start}, which is the time of processing`;
    return [findingAt('event-time-column', source, { path, message, related })];
  }
  if (found.type === undefined || takesWatermark(found.type)) return [];
  const message = `${start}, which is ${printType(found.type, { notNull: false })}, expected TIMESTAMP or TIMESTAMP_LTZ with at most 3 digits`;
  const facts = { path, message, related, hint: hintFor(found.type) };
  return [findingAt('event-time-type', source, facts)];
}

function takesWatermark(type: SqlType): boolean {
  return (type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_LTZ') && type.precision <= MAX_DIGITS;
}

function hintFor({ name }: SqlType): string {
  const type = name === 'TIMESTAMP_LTZ' || name === 'BIGINT' ? 'TIMESTAMP_LTZ(3)' : 'TIMESTAMP(3)';
  return `declare it as ${type}`;
}
