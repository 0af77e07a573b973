import { systemClock } from '@levada/connect-runtime-core';
import { onTestFinished } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import type { ExportIntake } from '../src/receive/admission/export-intake.ts';
import type { Receiver } from '../src/receive/admission/receiver.ts';
import { type GrpcReceiverOptions, openGrpcReceiver } from '../src/receive/grpc/open-grpc-receiver.ts';
import { lastRefusal } from '../src/receive/http/last-answer.ts';

/** Opens a receiver on a port of its own, and closes it when the test is over. */
export async function openedReceiver(
  intake: ExportIntake,
  options: Partial<GrpcReceiverOptions> = {},
): Promise<Receiver> {
  const receiver = await openGrpcReceiver({
    intake,
    signals: new Set(['traces', 'metrics', 'logs']),
    address: '127.0.0.1',
    port: 0,
    tls: undefined,
    maxRequestBytes: 1024 * 1024,
    maxCompressedBytes: 256 * 1024,
    maxConnections: 100,
    clock: systemClock,
    schema: otlpSchema(),
    onError: (error) => {
      throw error;
    },
    socketMode: 0o660,
    includedHeaders: new Set(),
    connectionAge: undefined,
    onConnectionFailure: () => undefined,
    answerHttp1: lastRefusal,
    http2: 'levada',
    elsewhere: () => 'port 4318',
    ...options,
  });
  onTestFinished(() => receiver.close({ graceMs: 0 }));
  return receiver;
}
