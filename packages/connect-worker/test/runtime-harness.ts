import type { RawConfig } from '@levada/connect-runtime-core';
import type { ConfigProvider } from '@levada/connect-runtime-core/config';
import { builtInConverters } from '@levada/connect-runtime-core/host';
import {
  createManualClock,
  createRecordingLogger,
  createScriptedLog,
  type ManualClock,
  type RecordingLogger,
  type ScriptedLog,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { createConnectRuntime } from '../src/create-connect-runtime.ts';
import type { ConnectRuntime, ConnectRuntimeOptions } from '../src/port/connect-runtime.ts';
import type { Herder } from '../src/port/herder.ts';
import type { RunState } from '../src/port/status.ts';
import { type ScriptedSource, scriptedSource } from './scripted-connector.ts';

/** A worker over a scripted log, for tests. */
export interface RuntimeHarness {
  readonly log: ScriptedLog;
  readonly clock: ManualClock;
  readonly logger: RecordingLogger;
  readonly source: ScriptedSource;
  readonly runtime: ConnectRuntime;
  readonly herder: Herder;
  readonly options: ConnectRuntimeOptions;
  /** Another worker over the same log, as after a restart of the process. */
  readonly again: (overrides?: Partial<ConnectRuntimeOptions>) => RuntimeHarness;
  /** Waits until the connector and its tasks are in these states. */
  readonly states: (name: string, connector: RunState, ...tasks: readonly RunState[]) => Promise<void>;
  /** Creates a connector with one task and waits until it runs. */
  readonly running: (name?: string, config?: RawConfig) => Promise<void>;
  /** Moves the clock step by step until the promise settles. */
  readonly advanceUntil: <T>(promise: Promise<T>) => Promise<T>;
  /** Waits until the topic holds that many records. */
  readonly stored: (count: number, topic?: string) => Promise<readonly (string | null)[]>;
}

export const stringConverter = 'org.apache.kafka.connect.storage.StringConverter';

/** Minimal configuration of the scripted connector. */
export function configOf(name: string, more: RawConfig = {}): RawConfig {
  return { name, 'connector.class': 'test.ArraySourceConnector', topic: 't', ...more };
}

/** Makes a worker that is not started yet. */
export function runtimeHarness(
  overrides: Partial<ConnectRuntimeOptions> = {},
  parts: { readonly log?: ScriptedLog; readonly clock?: ManualClock; readonly source?: ScriptedSource } = {},
): RuntimeHarness {
  const clock = parts.clock ?? createManualClock();
  const log = parts.log ?? createScriptedLog({ clock });
  const source = parts.source ?? scriptedSource();
  const logger = createRecordingLogger();
  const options = {
    ...defaults(),
    platform: log.connect(),
    clock,
    logger,
    connectors: [source.connector],
    ...overrides,
  };
  const runtime = createConnectRuntime(options);
  const { herder } = runtime;
  const states = async (name: string, ...expected: readonly RunState[]): Promise<void> => {
    let seen: readonly string[] = [];
    await waitFor(
      async () => {
        const status = await herder.status(name).catch(() => undefined);
        seen = status === undefined ? [] : [status.connector, ...status.tasks].map(({ state }) => state);
        return seen.join() === expected.join();
      },
      { what: () => `${name} is ${expected.join()}, it is ${seen.join()}` },
    );
  };
  return {
    log,
    clock,
    logger,
    source,
    runtime,
    herder,
    options,
    states,
    again: (more = {}) =>
      runtimeHarness({ ...overrides, ...more }, { log, clock, source: scriptedSourceLike(source) }),
    running: async (name = 'a', config = {}) => {
      await herder.create(name, configOf(name, config));
      await states(name, 'RUNNING', 'RUNNING');
    },
    advanceUntil: async (promise) => {
      let over = false;
      const mark = (): void => {
        over = true;
      };
      promise.then(mark, mark);
      for (let i = 0; i < 2000 && !over; i += 1) await clock.advance(100);
      return await promise;
    },
    stored: async (count, topic = 't') => {
      await waitFor(() => log.values(topic).length >= count, {
        what: () => `${count} records in ${topic}, there are ${log.values(topic).length}`,
      });
      return log.values(topic);
    },
  };
}

function scriptedSourceLike(source: ScriptedSource): ScriptedSource {
  const next = scriptedSource();
  Object.assign(next.script, source.script);
  return next;
}

function defaults(): Omit<ConnectRuntimeOptions, 'platform' | 'clock' | 'logger' | 'connectors'> {
  const choice = { className: stringConverter, config: {} };
  return {
    workerId: '127.0.0.1:8083',
    workerUrl: 'http://127.0.0.1:8083/',
    groupId: 'g',
    sessionTimeoutMs: 10_000,
    heartbeatIntervalMs: 3_000,
    rebalanceTimeoutMs: 60_000,
    groupProtocol: 'sessioned',
    scheduledRebalanceMaxDelayMs: 300_000,
    workerSyncTimeoutMs: 3_000,
    workerUnsyncBackoffMs: 300_000,
    requestSigning: {
      keyAlgorithm: 'HmacSHA256',
      keyBits: null,
      signatureAlgorithm: 'HmacSHA256',
      verificationAlgorithms: ['HmacSHA256'],
      keyTtlMs: 3_600_000,
    },
    version: '0.1.0',
    converters: builtInConverters,
    configProviders: new Map<string, ConfigProvider>(),
    keyConverter: choice,
    valueConverter: choice,
    headerConverter: {
      className: 'org.apache.kafka.connect.storage.SimpleHeaderConverter',
      config: {},
    },
    configTopic: { name: 'connect-configs', partitions: 1 },
    offsetTopic: { name: 'connect-offsets', partitions: 25 },
    statusTopic: { name: 'connect-status', partitions: 5 },
    offsetFlushIntervalMs: 60_000,
    offsetFlushTimeoutMs: 5_000,
    taskShutdownGracefulTimeoutMs: 5_000,
    topicTrackingEnabled: true,
    topicTrackingAllowReset: true,
    topicCreationEnabled: true,
    producerConfig: {},
    overridePolicy: 'Allowlist',
  };
}
