import { checkOptions } from '../config/option-checks.ts';
import { type SourceEventName, sourceEventNames } from '../contract/source-event.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { SourceStatus } from '../diagnostics/polled-metrics.ts';
import { nearest } from '../text/nearest.ts';
import type { Clock } from '../time/clock.ts';
import type { LibraryRun } from './library-run.ts';
import type { EndRule } from './records/ending.ts';
import { RecordReader } from './records/record-reader.ts';
import {
  bytesRecord,
  decodedRecord,
  jsonRecord,
  plainRecord,
  type RecordDecoder,
  textRecord,
} from './records/record-values.ts';
import { limitRule, recordsOf, untilRule } from './records/records.ts';
import { decodeChecks } from './service-options.ts';
import { type ConsumerReading, consumerOf } from './source-consumer.ts';
import type { DecodeOptions, LimitedSource, SourceHandle } from './source-handle.ts';

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
  const limited = <V>(reading: ConsumerReading<V>): LimitedSource<V, M> => {
    const addRule = (rule: EndRule<SourceRecord<V>>): LimitedSource<V, M> =>
      limited({ ...reading, rules: [...reading.rules, rule] });
    return {
      name,
      produces,
      ...recordsOf(origin, reading, reading.rules),
      limit: (count) => addRule(limitRule(count)),
      until: (condition) => addRule(untilRule(condition)),
      status: () => run.metrics.snapshot() as SourceStatus<M>,
      health: () => run.health(),
      consumer: () => consumerOf(run, reading),
      close: (options) => run.close(options),
    };
  };
  const handle = <V>(decode: RecordDecoder<V>, options: DecodeOptions = {}): SourceHandle<V, M, E> => {
    checkOptions(decodeChecks, options);
    const { onInvalid } = options;
    const checksValues = onInvalid !== undefined;
    return {
      ...limited({ source: name, decode, onInvalid: onInvalid ?? 'throw', checksValues, rules: [] }),
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
      ready: () => run.ready(),
      json: <T>(options?: DecodeOptions) => handle(jsonRecord as RecordDecoder<T>, options),
      text: (options) => handle(textRecord, options),
      bytes: (options) => handle(bytesRecord, options),
      decode: (decoder, options) => handle(decodedRecord(decoder), options),
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
