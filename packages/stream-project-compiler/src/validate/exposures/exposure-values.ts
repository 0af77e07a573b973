import { nearestName } from '@levada/stream-project-schema';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../diagnostics/quote.ts';
import type { Definition } from '../../parse/definition.ts';
import { objectAt, textAt } from '../../parse/known-value.ts';
import { parseCodes } from '../../parse/parse-codes.ts';
import { isReplaced, valuePlaces } from '../../resolve/place-in-file.ts';
import type { ResolvedExposure } from '../../resolve/resolved-project.ts';
import { at, finding, named } from '../finding.ts';
import { checkOrder } from '../number-order.ts';
import { shown } from '../written-value.ts';
import { isOpen, lists } from './check-exposures.ts';
import { cronProblem } from './cron.ts';
import { exposureCodes } from './exposure-codes.ts';

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
    const message = `"${key}" of ${named(definition)} has no effect without "${needs[key]}"`;
    return [finding(exposureCodes['sla-without-effect'], at(definition, ['sla', key], 'key'), { message })];
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
  return [...idle, ...order, ...checkAvailability(definition)];
}

/** A share of time is a number of at most 100, with or without "%". */
function checkAvailability(definition: Definition<'exposure'>): readonly Diagnostic[] {
  const sla = objectAt(definition.node, 'sla');
  const text = sla === undefined ? undefined : textAt(sla, 'availability');
  if (text === undefined) return [];
  const share = /^\s*(\d{1,3}(?:\.\d+)?)\s*%?\s*$/.exec(text.value)?.[1];
  if (share !== undefined && Number(share) <= 100) return [];
  const message = `"sla.availability" of ${named(definition)} is ${quote(shown(text))}, expected a percentage such as "99.9%"`;
  return [finding(parseCodes['unusual-value'], at(definition, ['sla', 'availability']), { message })];
}

/** Reports a valid schedule that never runs. */
export function checkSchedule({ definition }: ResolvedExposure): readonly Diagnostic[] {
  const schedule = textAt(definition.node, 'schedule');
  const problem = schedule === undefined ? undefined : cronProblem(schedule.value);
  if (schedule === undefined || problem === undefined) return [];
  const what = isReplaced(schedule)
    ? 'a field is out of range after variables were replaced'
    : problem.message;
  const place = {
    ...at(definition, 'schedule'),
    range: valuePlaces(definition, schedule).rangeOf(problem),
  };
  return [
    finding(exposureCodes['schedule-never'], place, {
      message: `"schedule" of ${named(definition)} never runs: ${what}`,
    }),
  ];
}

/** Reports a URL that is not valid. URLs in variables are often placeholders where a project is only checked. */
export function checkUrl({ definition }: ResolvedExposure): readonly Diagnostic[] {
  const url = textAt(definition.node, 'url');
  if (
    url === undefined ||
    url.value === '' ||
    isReplaced(url) ||
    /^[A-Za-z][\w+.-]*:\/\/[^\s/?#]\S*$/.test(url.value)
  )
    return [];
  const message = `"url" of ${named(definition)} is ${quote(url.value)}, expected a URL with a scheme`;
  const hint = /^[\w-]+(?:\.[\w-]+)+(?:[:/]\S*)?$/.test(url.value)
    ? `write "https://${url.value}"`
    : undefined;
  return [finding(parseCodes['unusual-value'], at(definition, ['url']), { message, hint })];
}

/** Reports a mode of compatibility that is nearly one that registries know. */
export function checkContracts({ definition }: ResolvedExposure): readonly Diagnostic[] {
  const contracts = objectAt(definition.node, 'contracts');
  const mode = contracts === undefined ? undefined : textAt(contracts, 'compatibility');
  if (mode === undefined || mode.row.type !== 'text' || isReplaced(mode)) return [];
  const { suggestions = [] } = mode.row;
  const near = suggestions.includes(mode.value) ? undefined : nearestName(mode.value, suggestions);
  if (near === undefined) return [];
  const message = `${named(definition)}: unknown compatibility mode ${quote(mode.value)}`;
  const hint = `did you mean "${near}"?`;
  return [
    finding(parseCodes['unusual-value'], at(definition, ['contracts', 'compatibility']), { message, hint }),
  ];
}
