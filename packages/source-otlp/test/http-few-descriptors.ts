// A receiver in a process that may have few files open. Prints its port, then each error that is reported to no client.
import { systemClock } from '@levada/connect-runtime-core';
import { defaultHttpTimeouts } from '../src/receive/http/http-receiver-options.ts';
import { openHttpReceiver } from '../src/receive/http/open-http-receiver.ts';
import { createScriptedIntake } from './http-intake.ts';

const receiver = await openHttpReceiver({
  intake: createScriptedIntake(),
  signals: new Set(['traces']),
  paths: new Map([['/v1/traces', 'traces']]),
  address: '127.0.0.1',
  port: 0,
  tls: undefined,
  cors: undefined,
  timeouts: defaultHttpTimeouts,
  maxRequestBytes: 1024,
  maxCompressedBytes: 1024,
  maxConnections: 10_000,
  clock: systemClock,
  socketMode: 0o660,
  includedHeaders: new Set(),
  connectionAge: undefined,
  onConnectionFailure: () => undefined,
  http2: 'levada',
  elsewhere: () => undefined,
  onError: (error) => process.stdout.write(`${error.message}\n`),
});
process.stdin.on('end', () => process.exit()).resume();
process.stdout.write(`${receiver.port}\n`);
