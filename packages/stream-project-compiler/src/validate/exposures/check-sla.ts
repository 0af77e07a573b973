import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import { objectAt, textAt } from '../../parse/known-value.ts';
import { parseCodes } from '../../parse/parse-codes.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { checkOrder } from '../check-order.ts';
import { findingAt, wordsOf } from '../finding-at.ts';
import { shown } from '../shown-value.ts';
import { exposureCodes } from './exposure-codes.ts';
import { isOpen, lists } from './exposure-lists.ts';

/** Limits that need a list of the exposure. */
const needs = {
  max_lag_messages: 'consumes',
  max_lag_minutes: 'consumes',
  max_produce_latency_ms: 'produces',
} as const;

/** Reports limits of an exposure that contradict each other, or what it does. */
export function checkSla({ definition }: ResolvedExposure): readonly Diagnostic[] {
  const sla = objectAt(definition.node, 'sla');
  if (sla === undefined) return [];
  // Reported as a whole, or an unknown key is meant for a list
  if (isOpen(definition)) return [];
  const idle = (Object.keys(needs) as (keyof typeof needs)[]).flatMap((key) => {
    if (!sla.entries.has(key) || lists(definition, needs[key])) return [];
    const message = `"${key}" of ${wordsOf(definition)} has no effect without "${needs[key]}"`;
    return [
      findingAt(exposureCodes['sla-without-effect'], definition, {
        path: ['sla', key],
        mark: 'key',
        message,
      }),
    ];
  });
  const order = checkOrder({
    definition,
    node: sla,
    path: ['sla'],
    low: 'max_produce_latency_ms',
    high: 'max_end_to_end_latency_ms',
    because: 'which includes it',
    entry: exposureCodes['sla-contradiction'],
  });
  return [...idle, ...order, ...checkAvailability({ definition })];
}

/** A share of time is a number of at most 100, with or without "%". */
function checkAvailability({ definition }: Pick<ResolvedExposure, 'definition'>): readonly Diagnostic[] {
  const sla = objectAt(definition.node, 'sla');
  const text = sla === undefined ? undefined : textAt(sla, 'availability');
  if (text === undefined) return [];
  const share = /^\s*(\d{1,3}(?:\.\d+)?)\s*%?\s*$/.exec(text.value)?.[1];
  if (share !== undefined && Number(share) <= 100) return [];
  const message = `"sla.availability" of ${wordsOf(definition)} is ${quote(shown(text))}, expected a share of time such as "99.9%"`;
  return [findingAt(parseCodes['unusual-value'], definition, { path: ['sla', 'availability'], message })];
}
