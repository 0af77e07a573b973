import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pipe } from '@levada/connect-runtime-core';
import { openEmbeddedPlatform, openEmbeddedReader } from '@levada/platform-embedded';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { otlpSource } from '../../src/index.ts';
import { comparable, comparableJson } from './comparable-request.ts';
import { describeProgram } from './describe-program.ts';
import { goProgram, goUnavailable } from './go-program.ts';
import { runProgram } from './run-program.ts';
import { type SdkProtocol, sdkProtocols } from './sdk-exporters.ts';

const signals = ['traces', 'metrics', 'logs'] as const;
type Signal = (typeof signals)[number];
const script = fileURLToPath(new URL('program.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-otlp-program-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** What a program that is sent to a receiver on the embedded log exported, in order, by signal. */
async function runInto(protocol: SdkProtocol): Promise<ReadonlyMap<Signal, readonly Uint8Array[]>> {
  const platform = await openEmbeddedPlatform({ folder });
  const source = otlpSource({ address: '127.0.0.1', grpcPort: 0, httpPort: 0 });
  const run = pipe(source, await platform.producer({ clientId: 'otlp' }));
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
    const exports = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly signal: Signal; readonly wire: string });
    const bytes = ({ wire }: { readonly wire: string }): Uint8Array => Buffer.from(wire, 'base64');
    return new Map(
      [...Map.groupBy(exports, ({ signal }) => signal)].map(([name, list]) => [name, list.map(bytes)]),
    );
  } finally {
    await run.close();
    await platform.close();
  }
}

/** Values of a topic, in order. */
async function valuesOf(topic: string): Promise<readonly string[]> {
  const reader = await openEmbeddedReader({ folder });
  const values: string[] = [];
  for await (const { value } of reader.read({ topic, from: 'start' }))
    values.push(Buffer.from(value ?? []).toString());
  await reader.close();
  return values;
}

describe('a program with the JavaScript SDK', () => {
  it.each(sdkProtocols)(
    'fills the three topics over %s with what it exported, in order',
    async (protocol) => {
      const sent = await runInto(protocol);
      for (const signal of signals) {
        const wires = sent.get(signal) ?? [];
        const values = await valuesOf(`otlp-${signal}`);
        expect(values.length).toBeGreaterThan(1);
        const written = values.map((value) => comparableJson(signal, value));
        expect(written).toEqual(wires.map((wire) => comparable(signal, wire)));
      }
    },
  );
});

describeProgram(
  'the decoder of the Collector',
  { unavailable: goUnavailable, make: goProgram },
  (program) => {
    it.each(['grpc', 'http/protobuf'] as const)(
      'reads in the three topics what a program with the JavaScript SDK exported over %s',
      async (protocol) => {
        const sent = await runInto(protocol);
        for (const signal of signals) {
          const wires = sent.get(signal) ?? [];
          const values = await valuesOf(`otlp-${signal}`);
          const read = await program().decode(values.map((value) => ({ signal, value })));
          expect(wires.length).toBeGreaterThan(1);
          expect(read.map((wire) => comparable(signal, wire))).toEqual(
            wires.map((wire) => comparable(signal, wire)),
          );
        }
      },
    );
  },
);
