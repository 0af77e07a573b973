import { systemClock } from '@levada/connect-runtime-core';
import { onTestFinished } from 'vitest';
import { signalNames, signals } from '../src/model/signals.ts';
import type { ConnectionFailure } from '../src/receive/admission/connection-failure.ts';
import type { Receiver } from '../src/receive/admission/receiver.ts';
import { defaultHttpTimeouts, type HttpReceiverOptions } from '../src/receive/http/http-receiver-options.ts';
import { openHttpReceiver } from '../src/receive/http/open-http-receiver.ts';
import { createScriptedIntake, type ScriptedIntake } from './http-intake.ts';

/** A receiver over a scripted intake. */
export interface TestReceiver {
  readonly receiver: Receiver;
  readonly intake: ScriptedIntake;
  /** Errors that are reported to no client. */
  readonly errors: Error[];
  /** Connections that failed before they carried a request. */
  readonly failures: readonly ConnectionFailure[];
  readonly url: string;
}

/** Opens one on a port of the system's choice, until the test ends. */
export async function openTestReceiver(options: Partial<HttpReceiverOptions> = {}): Promise<TestReceiver> {
  const intake = createScriptedIntake();
  const errors: Error[] = [];
  const failures: ConnectionFailure[] = [];
  const receiver = await openHttpReceiver({
    intake,
    signals: new Set(signalNames),
    paths: new Map(signalNames.map((name) => [signals[name].path, name])),
    address: '127.0.0.1',
    port: 0,
    tls: undefined,
    cors: undefined,
    timeouts: defaultHttpTimeouts,
    maxRequestBytes: 1024 * 1024,
    maxCompressedBytes: 256 * 1024,
    maxConnections: 100,
    clock: systemClock,
    http2: 'levada',
    onError: (error) => errors.push(error),
    socketMode: 0o660,
    includedHeaders: new Set(),
    connectionAge: undefined,
    onConnectionFailure: (failure) => failures.push(failure),
    elsewhere: () => 'port 4317',
    ...options,
  });
  onTestFinished(() => receiver.close({ graceMs: 0 }));
  const scheme = options.tls === undefined ? 'http' : 'https';
  return { receiver, intake, errors, failures, url: `${scheme}://127.0.0.1:${receiver.port}` };
}
