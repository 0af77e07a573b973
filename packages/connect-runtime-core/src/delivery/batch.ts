import type { SourceRecord } from '../contract/source-record.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { SendResult } from '../platform/log-platform.ts';
import type { DeliveryOptions } from './delivery-options.ts';
import type { OffsetTracking, SubmittedOffset } from './offset-tracker.ts';
import { RecordFailure } from './record-failure.ts';
import type { RecordRetry } from './record-retry.ts';
import { type Transformed, transformAll } from './transformation-chain.ts';

/** One polled batch on its way. */
export interface Batch {
  /** As the source made them. */
  readonly records: readonly SourceRecord[];
  readonly submitted: readonly (SubmittedOffset | undefined)[] | undefined;
  /** The index in `records` of each record that was handed to the producer; undefined when that was all of them. */
  sent: number[] | undefined;
  readonly topics: Set<string>;
  /** Why records were dropped, by index; made when there is one. */
  dropped: Map<number, DropCause> | undefined;
  /** Whether some of it is undelivered. */
  undelivered: boolean;
}

/** A settled batch, and how many of its sent records are stored. */
export interface Held {
  readonly batch: Batch;
  readonly stored: number;
  readonly sent: number;
}

/**
 * Bytes in the producer, not sent yet, from which on another batch would only wait there: four full requests of one partition, so that
 * requests are full until the next batch settles. Records live until they are acknowledged; what the queue or the peer keeps takes less.
 */
const ENOUGH_UNSENT_BYTES = 512 * 1024;

type Limits<T> = Pick<DeliveryOptions<T>, 'maxInFlightBatches' | 'maxInFlightBytes' | 'producer'>;
type Stages = Pick<DeliveryOptions, 'stages'>;
type Conversion<T> = Pick<DeliveryOptions<T>, 'convert' | 'now'>;

/** Whether one more batch may be taken while so many are on their way. */
export function takesAnother<T>(limits: Limits<T>, inFlightBatches: number): boolean {
  const { maxInFlightBatches, maxInFlightBytes, producer } = limits;
  if (inFlightBatches === 0) return true;
  if (inFlightBatches >= maxInFlightBatches || producer.pendingBytes >= maxInFlightBytes) return false;
  // It is asked again when a batch settles: a second one makes sure that there is something to send at that time.
  return inFlightBatches === 1 || (producer.unsentBytes ?? 0) < ENOUGH_UNSENT_BYTES;
}

/** What transformations make of the records of a batch. Undefined without any. */
export function transformedOnce(
  { stages }: Stages,
  records: readonly SourceRecord[],
): readonly Transformed[] | undefined {
  return stages === undefined ? undefined : transformAll(stages, records);
}

/** As {@link transformedOnce}, trying again what may succeed later. */
export async function transformedAgain(
  { stages }: Stages,
  records: readonly SourceRecord[],
  retry: RecordRetry,
): Promise<readonly Transformed[] | undefined> {
  return stages === undefined ? undefined : await retry.transformAll(stages, records);
}

/** For the records of one batch. */
export function converterOf<T>({ convert, now }: Conversion<T>): (record: SourceRecord) => T {
  const at = now();
  return (record) => convert(record, at);
}

/** Converts before anything of the batch is sent, trying again what may succeed later; answers with the results. */
export async function convertedAgain<T>(
  steps: Conversion<T> & { readonly tolerant: boolean },
  records: readonly Transformed[],
  retry: RecordRetry,
): Promise<(record: SourceRecord) => T> {
  const convert = converterOf(steps);
  const made = await retry.convertAll(records, convert, steps.tolerant);
  return (record) => {
    const result = made.get(record);
    if (result instanceof RecordFailure) throw result;
    return result ?? convert(record);
  };
}

/** The offsets of a batch on their way, by index; undefined when no record has one. */
export function submitOffsets(
  tracker: OffsetTracking,
  records: readonly SourceRecord[],
): (SubmittedOffset | undefined)[] | undefined {
  let submitted: (SubmittedOffset | undefined)[] | undefined;
  for (let i = 0; i < records.length; i += 1) {
    const one = tracker.submit(records[i] as SourceRecord);
    if (one === undefined) continue;
    submitted ??= new Array<SubmittedOffset | undefined>(records.length);
    submitted[i] = one;
  }
  return submitted;
}

/**
 * Throws unless each record of a batch is accounted for once. Checked before anything of the answer is counted: sinks are also written
 * by users.
 */
export function checkResult(result: SendResult | undefined, size: number): void {
  if (result === undefined || !Array.isArray(result.failures))
    throw wrongResult('must resolve with { stored, failures }');
  const { stored, failures } = result;
  if (failures.length === 0 && stored === size) return;
  const indexes = new Set<number>();
  for (const { index } of failures) {
    if (!Number.isInteger(index) || index < 0 || index >= size)
      throw wrongResult(`answered with a failure at index ${index} of a batch of ${size} records`);
    indexes.add(index);
  }
  if (indexes.size < failures.length) throw wrongResult('answered with several failures of one record');
  if (stored + failures.length !== size)
    throw wrongResult(`accounted for ${stored} stored and ${failures.length} failed of ${size} records`);
}

function wrongResult(what: string): ConnectorError {
  return new ConnectorError('internal', `send of the sink ${what}`);
}
