import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pipe } from '@levada/connect-runtime-core';
import { logSink } from '@levada/connect-runtime-core/sinks';
import { openEmbeddedPlatform, openEmbeddedReader } from '@levada/platform-embedded';
import { runProgram } from '@levada/test-peers/programs';
import { otlpSource } from '../../src/index.ts';
import type { SdkProtocol } from './sdk-exporters.ts';
import type { StorySignal } from './sender.ts';

/** What a program sent of one signal, and what the topic of that signal has. */
export interface SentAndStored {
  readonly signal: StorySignal;
  /** Exports in protobuf, in order. */
  readonly sent: readonly Uint8Array[];
  /** Values of records, in order. */
  readonly stored: readonly string[];
}

const script = fileURLToPath(new URL('program.ts', import.meta.url));
const signals: readonly StorySignal[] = ['traces', 'metrics', 'logs'];

/** Runs the program against a receiver whose records go into an embedded log, and reads its three topics. */
export async function runIntoLog(protocol: SdkProtocol): Promise<readonly SentAndStored[]> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-otlp-program-'));
  try {
    const exports = await runOnce(folder, protocol);
    return await Promise.all(
      signals.map(async (signal) => ({
        signal,
        sent: exports.filter((one) => one.signal === signal).map(({ wire }) => Buffer.from(wire, 'base64')),
        stored: await valuesOf(folder, `otlp-${signal}`),
      })),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface PrintedExport {
  readonly signal: StorySignal;
  readonly wire: string;
}

async function runOnce(folder: string, protocol: SdkProtocol): Promise<readonly PrintedExport[]> {
  const platform = await openEmbeddedPlatform({ folder });
  const source = otlpSource({ address: '127.0.0.1', grpcPort: 0, httpPort: 0 });
  const run = pipe(source, logSink(await platform.producer({ clientId: 'otlp' })));
  try {
    await source.ready();
    const { GrpcPort, HttpPort } = source.status();
    const lines = await runProgram({
      command: process.execPath,
      args: [script],
      env: {
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${protocol === 'grpc' ? GrpcPort : HttpPort}`,
      },
    });
    return lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as PrintedExport);
  } finally {
    await run.close();
    await platform.close();
  }
}

async function valuesOf(folder: string, topic: string): Promise<readonly string[]> {
  const reader = await openEmbeddedReader({ folder });
  const values: string[] = [];
  for await (const { value } of reader.read({ topic, from: 'start' }))
    values.push(Buffer.from(value ?? []).toString());
  await reader.close();
  return values;
}
