import type { SourceEvent, SourceEventMap } from '../contract/source-event.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords } from '../contract/source-task.ts';
import type { ConnectorError } from '../diagnostics/connector-error.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { CloseReport, SourceHealth } from './source-handle.ts';

/** The source that a message is about: the same object in all messages of one source. */
export interface SourceInfo {
  /** Its name in log lines. */
  readonly name: string;
  /** Class name of its connector. */
  readonly connector: string;
  /** The rows of {@link status}: kinds, units and meanings. */
  readonly metrics: MetricTable;
  /** All attributes as they are now. Works after the end, too. */
  status(): Readonly<Record<string, number | boolean>>;
  /** Whether it works, and if not, why. */
  health(): SourceHealth;
}

/** What is published beside events. */
interface LifeMessages {
  /** Used for the first time: it is about to connect, or to bind its port. */
  readonly started: object;
  /** Records are handed to the consumer. They are the consumer's: read them, and keep none. */
  readonly batch: { readonly records: readonly SourceRecord[] };
  /** The consumer has settled a batch: the same list of records, and which of them it gave up. */
  readonly settled: { readonly records: readonly SourceRecord[]; readonly dropped: DroppedRecords };
  /** It cannot continue. `closed` follows. */
  readonly failed: { readonly error: ConnectorError };
  /** Everything is closed. The last message. */
  readonly closed: CloseReport;
}

/** What is published, by the last part of the channel's name. */
type Payloads = SourceEventMap & LifeMessages;

/**
 * Channels of `node:diagnostics_channel` to what is published on each. Those of events are published when the event is
 * emitted. A message may be published for every batch, none for every record.
 */
export type SourceMessages = {
  readonly [Name in keyof Payloads as `levada:source:${Name}`]: {
    readonly source: SourceInfo;
  } & Payloads[Name];
};

/** Where a source publishes what happens to it. */
export interface SourceChannels {
  /** Costs a look at a flag when there is no subscriber. */
  publish<Name extends keyof Payloads>(name: Name, payload: Payloads[Name]): void;
  event(event: SourceEvent): void;
}

/** The part of `diagnostics_channel` that is used. Where there is none, as in browsers, there are no subscribers either. */
type Channel = { readonly hasSubscribers: boolean; publish(message: unknown): void };

const names = [
  'started',
  'connected',
  'disconnected',
  'reconnecting',
  'session',
  'gap',
  'dropped',
  'batch',
  'settled',
  'failed',
  'closed',
] as const satisfies readonly (keyof Payloads)[];

/** The channels, which all sources of a process share, for the messages of one source. */
export function sourceChannels(source: SourceInfo): SourceChannels {
  const channels = openChannels();
  const publish = <Name extends keyof Payloads>(name: Name, payload: Payloads[Name]): void => {
    const channel = channels?.[name];
    if (channel?.hasSubscribers === true) channel.publish({ source, ...payload });
  };
  return { publish, event: (event) => publish(event.type, event) };
}

function openChannels(): Readonly<Record<keyof Payloads, Channel>> | undefined {
  const node = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel');
  if (node === undefined) return undefined;
  const channels = names.map((name) => [name, node.channel(`levada:source:${name}`)] as const);
  return Object.fromEntries(channels) as unknown as Record<keyof Payloads, Channel>;
}
