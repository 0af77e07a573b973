import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { InferredProject } from '../../infer/infer-project.ts';
import { textAt } from '../../parse/known-value.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import { type PlacedAssertion, targetWords } from '../../test-jobs/assertion.ts';
import { lookUpColumn } from '../column-lookup.ts';
import { at, finding, named } from '../finding.ts';
import type { RuleContext } from '../rule.ts';
import { shown } from '../written-value.ts';
import { testCodes } from './test-codes.ts';

/** Reports lag and age of a column that the engine computes while it reads: it never lags. */
export function checkLag(
  { project }: RuleContext,
  { test, kind, node, path }: PlacedAssertion,
): readonly Diagnostic[] {
  const column = textAt(node, 'column');
  if (column === undefined || test.target === undefined) return [];
  const found = lookUpColumn(project.columns.get(test.target), column.value);
  if (found?.is !== 'column' || found.column.time !== 'processing') return [];
  const message = `"${kind}" of ${named(test.definition)}: column ${quote(shown(column))} is a processing time, so it never lags`;
  const hint = 'use the event time column';
  return [
    finding(testCodes['lag-of-processing-time'], at(test.definition, [...path, 'column']), { message, hint }),
  ];
}

/** Reports a window of a continuous test whose target has no event time: it can only be one of processing time. */
export function checkWindow(
  { project }: RuleContext,
  { test, kind, node, path }: PlacedAssertion,
): readonly Diagnostic[] {
  const { definition, target } = test;
  if (!node.entries.has('window') || textAt(definition.node, 'type')?.value !== 'continuous') return [];
  if (target === undefined || project.eventTimes.has(target)) return [];
  const columns = project.columns.get(target);
  const complete = columns?.incomplete === undefined ? columns : undefined;
  if (complete === undefined || isPerhapsTimed(project, target)) return [];
  const message = `"window" of "${kind}" of ${named(definition)} uses processing time, because ${targetWords(target)} has no event time`;
  const hint = 'select the event time of its input unchanged, or declare it with "event_time"';
  return [
    finding(testCodes['window-without-event-time'], at(definition, [...path, 'window']), { message, hint }),
  ];
}

/** Whether a column is one of event time, or may be: where what it comes from is not known. */
function isPerhapsTimed({ nodes }: InferredProject, target: NodeId): boolean {
  const columns = nodes.get(target)?.relation.columns ?? [];
  return columns.some(({ time }) => time === 'event' || time === 'uncertain');
}
