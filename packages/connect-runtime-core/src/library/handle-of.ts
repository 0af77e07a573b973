import { type SourceEventName, sourceEventNames } from '../contract/source-event.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { SourceStatus } from '../diagnostics/polled-metrics.ts';
import { nearest } from '../text/nearest.ts';
import type { Clock } from '../time/clock.ts';
import type { LibraryRun } from './library-run.ts';
import { RecordReader } from './records/record-reader.ts';
import {
  bytesRecord,
  decodedRecord,
  jsonRecord,
  plainRecord,
  type RecordDecoder,
  textRecord,
} from './records/record-values.ts';
import { type Records, recordsOf } from './records/records.ts';
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
  const read = <V>(decode: RecordDecoder<V>, { onInvalid = 'throw' }: DecodeOptions = {}): Records<V> =>
    recordsOf(origin, { source: name, decode, onInvalid });
  return {
    name,
    produces,
    ...read(plainRecord),
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
    json: <T>(options?: DecodeOptions) => read(jsonRecord as RecordDecoder<T>, options),
    text: (options) => read(textRecord, options),
    bytes: (options) => read(bytesRecord, options),
    decode: (decoder, options) => read(decodedRecord(decoder), options),
    consumer: () => consumerOf(run),
    close: (options) => run.close(options),
    [Symbol.asyncDispose]: async () => {
      await run.close();
    },
  };
}

function checkEvent(name: string): void {
  if (sourceEventNames.some((each) => each === name)) return;
  const near = nearest(name, sourceEventNames);
  const hint = near === undefined ? `; events are ${sourceEventNames.join(', ')}` : `, did you mean ${near}?`;
  throw new ConnectorError('config_invalid', `${name} is not an event of a source${hint}`);
}

function consumerOf(run: LibraryRun): SourceConsumer {
  run.consume();
  return {
    closed: run.closed,
    next: () => run.next(),
    produced: (count) => run.produced(count),
    dropped: (cause, count) => run.dropped(cause, count),
    offsets: run.tracker,
    rereads: run.rereads,
    committed: (records, dropped = new Map()) => run.committed(records, dropped),
  };
}
