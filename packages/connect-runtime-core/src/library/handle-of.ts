import { checkOptions } from '../config/option-checks.ts';
import { type SourceEventName, sourceEventNames } from '../contract/source-event.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { SourceStatus } from '../diagnostics/polled-metrics.ts';
import { nearest } from '../text/nearest.ts';
import type { Clock } from '../time/clock.ts';
import type { LibraryRun } from './library-run.ts';
import { InvalidCalls } from './records/invalid-calls.ts';
import { RecordReader } from './records/record-reader.ts';
import {
  bytesRecord,
  decodedRecord,
  invalidRecord,
  jsonRecord,
  plainRecord,
  type RecordDecoder,
  textRecord,
} from './records/record-values.ts';
import { type Reading, recordsOf } from './records/records.ts';
import { SkippedOffsets } from './records/skipped-offsets.ts';
import { decodeChecks } from './service-options.ts';
import type { DecodeOptions, SourceConsumer, SourceHandle } from './source-handle.ts';

/** What a handle states, and what it reads with. */
interface HandleParts extends Pick<SourceHandle, 'name' | 'produces'> {
  readonly clock: Clock;
}

/** The handle of a run. Its methods do not depend on the object they are in, so that it may be spread into another one. */
export function handleOf<M extends MetricTable, E extends SourceEventName>(
  run: LibraryRun,
  { name, produces, clock }: HandleParts,
): SourceHandle<unknown, M, E> {
  const origin = {
    clock,
    open: () => {
      run.consume();
      return new RecordReader(run);
    },
  };
  const handle = <V>(decode: RecordDecoder<V>, options: DecodeOptions = {}): SourceHandle<V, M, E> => {
    checkOptions(decodeChecks, options);
    const { onInvalid: asked } = options;
    const onInvalid = asked ?? 'throw';
    const reading = { source: name, decode, onInvalid };
    return {
      name,
      produces,
      ...recordsOf(origin, reading),
      on(event, listener) {
        checkEvent(event);
        run.events.on(event, listener);
        return this;
      },
      off(event, listener) {
        checkEvent(event);
        run.events.off(event, listener);
        return this;
      },
      status: () => run.metrics.snapshot() as SourceStatus<M>,
      health: () => run.health(),
      ready: () => run.ready(),
      json: <T>(options?: DecodeOptions) => handle(jsonRecord as RecordDecoder<T>, options),
      text: (options) => handle(textRecord, options),
      bytes: (options) => handle(bytesRecord, options),
      decode: (decoder, options) => handle(decodedRecord(decoder), options),
      consumer: () => consumerOf(run, { ...reading, checksValues: asked !== undefined }),
      close: (options) => run.close(options),
      [Symbol.asyncDispose]: async () => {
        await run.close();
      },
    };
  };
  return handle(plainRecord);
}

function checkEvent(name: string): void {
  if (sourceEventNames.some((each) => each === name)) return;
  const near = nearest(name, sourceEventNames);
  const hint = near === undefined ? `; events are ${sourceEventNames.join(', ')}` : `, did you mean ${near}?`;
  throw new ConnectorError('config_invalid', `${name} is not an event of a source${hint}`);
}

function consumerOf<V>(
  run: LibraryRun,
  { source, decode, onInvalid, checksValues }: Reading<V> & Pick<SourceConsumer, 'checksValues'>,
): SourceConsumer<V> {
  run.consume();
  const calls = new InvalidCalls(onInvalid, run.closed);
  const offsets = new SkippedOffsets(run);
  let number = 0;
  return {
    closed: run.closed,
    checksValues,
    next: () => calls.orFailure(run.next()),
    read: (record) => {
      number += 1;
      try {
        return decode(record);
      } catch (thrown) {
        const skipped = invalidRecord(record, { source, number }, thrown);
        if (onInvalid === 'throw') throw skipped;
        offsets.hold(record, calls.call(record, skipped));
        return { skipped };
      }
    },
    produced: (count) => run.produced(count),
    dropped: (cause, count) => run.dropped(cause, count),
    offsets,
    rereads: run.rereads,
    committed: (records, dropped = new Map()) => run.committed(records, dropped),
  };
}
