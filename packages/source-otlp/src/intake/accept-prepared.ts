import type { EventLog, MetricGroup } from '@levada/connect-runtime-core';
import { MAX_ANY_VALUES } from '../export/export-rules.ts';
import type { otlpEvents } from '../model/events.ts';
import type { otlpMetrics } from '../model/metrics.ts';
import type { PreparedExport } from '../model/prepared-export.ts';
import type { SignalCounts } from '../queue/signal-counts.ts';
import { type Acceptance, accepted } from '../receive/admission/export-outcome.ts';

/** Where it is reported what an export lost before it was queued. */
export interface AcceptanceReports {
  readonly counts: SignalCounts;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  readonly log: EventLog<typeof otlpEvents>;
  readonly maxRecordBytes: number;
}

/** The answer to an export whose parts are in their queue. Counts and logs what was left out of it. */
export function acceptPrepared(
  { oversized, empty, cutValues }: PreparedExport,
  reports: AcceptanceReports,
): Acceptance {
  const { counts, metrics, log, maxRecordBytes } = reports;
  if (empty > 0) metrics.counter('EmptyIgnored').value += empty;
  const whole = cutValues === 0 ? accepted : acceptCut(cutValues, reports);
  if (oversized === 0) return whole;
  counts.itemsRejected.value += oversized;
  log('items_rejected', { signal: counts.signal, count: oversized, max_bytes: maxRecordBytes });
  const message = `larger than a record may be (${maxRecordBytes} bytes)`;
  return joinAcceptances({ kind: 'accepted', partial: { rejected: oversized, message } }, whole);
}

/** Nothing is rejected: OTLP has a message without a count for information that clients should have anyway. */
function acceptCut(cutValues: number, { counts, metrics, log }: AcceptanceReports): Acceptance {
  metrics.counter('ValuesCut').value += cutValues;
  log('values_cut', { signal: counts.signal, count: cutValues, max_depth: MAX_ANY_VALUES });
  const message = `values nested deeper than ${MAX_ANY_VALUES} AnyValues were left empty: ${cutValues}`;
  return { kind: 'accepted', partial: { rejected: 0, message } };
}

/** One answer of two: what the log said, and what was rejected before. */
export function joinAcceptances(later: Acceptance, earlier: Acceptance): Acceptance {
  if (earlier.partial === undefined) return later;
  if (later.partial === undefined) return earlier;
  const rejected = later.partial.rejected + earlier.partial.rejected;
  const message = `${earlier.partial.message}; ${later.partial.message}`;
  return { kind: 'accepted', partial: { rejected, message } };
}
