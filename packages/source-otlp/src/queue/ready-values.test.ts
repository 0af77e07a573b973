import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpConfig } from '../config/config.ts';
import { type LiveSettings, liveSettings } from '../config/live-settings.ts';
import { createPlainExports, type PlainExports } from '../export/plain-exports.ts';
import { otlpSchema } from '../model/otlp-schema.ts';
import { type MadeValue, ReadyValues } from './ready-values.ts';

const schema = otlpSchema();
const plain = createPlainExports(schema) as PlainExports;
const settings = (raw: Readonly<Record<string, string>> = {}): LiveSettings =>
  liveSettings(otlpConfig.parse(raw));
const logsOf = (count: number): Uint8Array => realisticRequest(schema, 'logs', count);

function makerOf(hasRoom: (bytes: number) => boolean = () => true): ReadyValues {
  return new ReadyValues({ plain, signal: 'logs', hasRoom });
}

const recordsIn = ({ bytes }: MadeValue): number => {
  const { resourceLogs } = JSON.parse(Buffer.from(bytes).toString());
  return resourceLogs.flatMap(({ scopeLogs }: { scopeLogs: object[] }) => scopeLogs).length;
};

describe('values that are made at receipt', () => {
  it('a ready value is the JSON of the request, with its items and its key', () => {
    const made = makerOf().make(logsOf(3), settings({ 'otlp.record.key': 'service_name' }));
    expect(made?.items).toBe(3);
    expect(made?.ready.key).toMatch(/./);
    expect(recordsIn(made as MadeValue)).toBeGreaterThan(0);
  });

  it('ready values keep their bytes until their release, then later values use the memory', () => {
    const values = makerOf();
    const request = logsOf(40);
    const waiting: MadeValue[] = [];
    const memory = new Set<ArrayBufferLike>();
    const expected = Buffer.from((values.make(request, settings()) as MadeValue).bytes).toString();
    for (let turn = 0; turn < 400; turn += 1) {
      const made = values.make(request, settings()) as MadeValue;
      memory.add(made.bytes.buffer);
      waiting.push(made);
      if (waiting.length < 30) continue;
      const oldest = waiting.shift() as MadeValue;
      expect(Buffer.from(oldest.bytes).toString()).toBe(expected);
      oldest.ready.release?.();
    }
    const bytes = [...memory].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes).toBeLessThan(100 * expected.length);
  });

  it('large ready values get separate memory', () => {
    const made = makerOf().make(logsOf(800), settings()) as MadeValue;
    expect(made.ready.release).toBeUndefined();
    expect(made.bytes.buffer.byteLength).toBe(made.bytes.length);
  });

  it.each([
    ['has to be divided', { 'otlp.record.mode': 'item' }, logsOf(3)],
    ['is too large for a record', { 'otlp.record.max.bytes': '2000' }, logsOf(10)],
    ['becomes another form', { 'otlp.message.format': 'protobuf' }, logsOf(3)],
    ['becomes JSON of another style', { 'otlp.json.style': 'snake_case' }, logsOf(3)],
    ['has no items', {}, new Uint8Array()],
    ['is not valid', {}, Uint8Array.of(10, 200)],
  ] as const)('no ready value is written for a request that %s', (_, raw, request) => {
    expect(makerOf().make(request, settings(raw))).toBeUndefined();
  });

  it('no ready value is written if the queue has no room for it', () => {
    const request = logsOf(10);
    expect(makerOf((bytes) => bytes <= request.length).make(request, settings())).toBeUndefined();
  });
});
