import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpConfig } from '../config/config.ts';
import { liveSettings } from '../config/live-settings.ts';
import { createCheckExport } from '../export/check-export.ts';
import { createJsonToExport } from '../export/json-to-export.ts';
import { createSplitExport } from '../export/split-export.ts';
import { otlpSchema } from '../model/otlp-schema.ts';
import type { PreparedExport } from '../model/prepared-export.ts';
import type { BodyForm } from '../receive/admission/export-intake.ts';
import { RecordValues } from '../record/record-values.ts';
import { prepareExport } from './prepare-export.ts';

const schema = otlpSchema();
const preparation = {
  checkExport: createCheckExport(schema),
  splitExport: createSplitExport(schema),
  jsonToExport: createJsonToExport(schema),
  values: new RecordValues(schema, undefined),
};
const json = Buffer.from(
  JSON.stringify({
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x'.repeat(9000) } }] }] }],
  }),
);

function prepare(bytes: Uint8Array, form: BodyForm, mode: 'request' | 'resource' | 'item'): PreparedExport {
  const settings = liveSettings(otlpConfig.parse({ 'otlp.record.mode': mode }));
  return prepareExport(preparation, { signal: 'logs', bytes, form }, { settings, ready: undefined });
}

/** Bytes that the parts keep alive while they wait in a queue, and how many they are themselves. */
function memoryOf({ parts }: PreparedExport): { readonly held: number; readonly used: number } {
  const buffers = new Set(parts.map(({ request }) => request.buffer));
  return {
    held: [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0),
    used: parts.reduce((sum, { request }) => sum + request.length, 0),
  };
}

/** A body as it lies within what a socket read at once. */
function within(chunkBytes: number, body: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(chunkBytes);
  chunk.set(body, 100);
  return chunk.subarray(100, 100 + body.length);
}

const small = realisticRequest(schema, 'logs', 1);
const large = realisticRequest(schema, 'logs', 100);

describe('prepareExport', () => {
  it.each([
    ['one short log record', small, 'protobuf', 'request', 1],
    ['one of several resources', large, 'protobuf', 'resource', 1],
    ['a hundred log records', large, 'protobuf', 'request', 1],
    ['each of a hundred log records', large, 'protobuf', 'item', 100],
    ['JSON', json, 'json', 'request', 1],
  ] as const)('prepareExport keeps no memory alive beyond that of %s', (_, body, form, mode, count) => {
    for (let turn = 0; turn < 5; turn += 1) {
      const prepared = prepare(within(256 * 1024, body), form, mode);
      const { held, used } = memoryOf(prepared);
      expect(prepared.parts).toHaveLength(count);
      expect(held).toBe(used);
    }
  });

  it('prepareExport copies nothing of a chunk that holds little else', () => {
    const body = within(large.length + 200, large);
    expect(prepare(body, 'protobuf', 'request').parts[0]?.request).toBe(body);
    expect(prepare(body, 'protobuf', 'resource').parts[0]?.request.buffer).toBe(body.buffer);
  });
});
