import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventLog, MetricGroup } from '@levada/connect-runtime-core';
import { createManualClock, createRecordingLogger } from '@levada/connect-runtime-core/testing';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otlpConfig } from '../config/config.ts';
import { liveSettings } from '../config/live-settings.ts';
import { createCheckExport } from '../export/check-export.ts';
import { createJsonToExport } from '../export/json-to-export.ts';
import { createPlainExports } from '../export/plain-exports.ts';
import { createSplitExport } from '../export/split-export.ts';
import { otlpEvents } from '../model/events.ts';
import { otlpMetrics } from '../model/metrics.ts';
import { otlpSchema } from '../model/otlp-schema.ts';
import { MemoryQueue } from '../queue/memory-queue.ts';
import { SignalCounts } from '../queue/signal-counts.ts';
import { SignalQueue } from '../queue/signal-queue.ts';
import { SpoolQueue } from '../queue/spool-queue.ts';
import { createAccess } from '../receive/admission/access.ts';
import type { ExportRequest } from '../receive/admission/export-intake.ts';
import type { ExportOutcome } from '../receive/admission/export-outcome.ts';
import { InFlight } from '../receive/admission/in-flight.ts';
import { RecordValues } from '../record/record-values.ts';
import { openSpool } from '../spool/open-spool.ts';
import type { Spool } from '../spool/spool.ts';
import { ExportAdmission } from './export-admission.ts';
import { OtlpIntake } from './otlp-intake.ts';

const schema = otlpSchema();
const plain = createPlainExports(schema);
const small = realisticRequest(schema, 'logs', 3);
const CAPACITY_BYTES = 1024 * 1024;
const MAX = Number.MAX_SAFE_INTEGER;

/** An intake of logs whose values are written at receipt, and requests that carry so many bytes of request headers. */
function setUp(raw: Readonly<Record<string, string>>, files?: Spool) {
  const clock = createManualClock();
  const metrics = new MetricGroup(otlpMetrics);
  const log = eventLog(otlpEvents, createRecordingLogger(), clock);
  const counts = new SignalCounts('logs', metrics, 0);
  const memory = new MemoryQueue({
    counts,
    bounds: { capacity: 1000, capacityBytes: CAPACITY_BYTES },
    ackWaits: undefined,
    plain,
    holds: { onChange: () => undefined, onGraceOver: () => undefined },
    clock,
    log,
  });
  const preparation = {
    checkExport: createCheckExport(schema, plain),
    splitExport: createSplitExport(schema),
    jsonToExport: createJsonToExport(schema),
    values: new RecordValues(schema, plain),
  };
  const context = { clock, metrics, emit: () => undefined };
  const admission = new ExportAdmission({
    access: createAccess({ tokens: [], users: [], hosts: [] }),
    rateLimit: () => true,
    inFlight: new InFlight({ requests: MAX, bytes: MAX, sharePercent: 100 }),
    settings: liveSettings(otlpConfig.parse(raw)),
    preparation,
    context,
    log,
  });
  const ackedLate = metrics.counter('AckedLate');
  const onDamaged = () => undefined;
  const spool =
    files && new SpoolQueue({ counts, spool: files, timeoutMs: 8000, ackedLate, onDamaged, clock, log });
  const queue = new SignalQueue({ counts, memory, spool, input: spool ?? memory });
  const queues = new Map([['logs' as const, queue]]);
  const intake = new OtlpIntake({ admission, preparation, queues, context, log });
  let latest: ExportRequest | undefined;
  const send = (metadata: number, body = small): ExportOutcome | Promise<ExportOutcome> => {
    const request = intake.admit({
      signal: 'logs',
      transport: 'grpc',
      authorization: undefined,
      host: undefined,
      peer: '127.0.0.1',
      declaredBytes: body.length,
      timeoutMs: undefined,
      metadata: new Map([['x', 'y'.repeat(metadata)]]),
    });
    if ('kind' in request) return { ...request, message: `unread: ${request.message}` };
    latest = request;
    return request.submit(Uint8Array.from(body), 'protobuf');
  };
  return { memory, metrics, send, leave: () => latest?.release(), clock };
}

describe('exports that wait for room in a queue', () => {
  it('waiting exports keep their order although the values of those before them are longer than the requests were', async () => {
    const large = realisticRequest(schema, 'logs', 800);
    const { memory, send, clock } = setUp({});
    const sent = Array.from({ length: 30 }, (_, number) => number);
    for (const number of sent) void send(number, large);
    expect(memory.heldRequests).toBeGreaterThan(20);
    const taken: (number | undefined)[] = [];
    while (taken.length < sent.length) {
      for (const { stamp } of await memory.take(1000, MAX)) taken.push(stamp.metadata?.get('x')?.length);
      await clock.advance(0);
    }
    expect(taken).toEqual(sent);
  });
});

describe('the value of an export that was made at receipt', () => {
  const half = CAPACITY_BYTES / 2;

  it('the value of an export is in use until its record is settled', async () => {
    const { memory, send } = setUp({});
    expect(await send(0)).toMatchObject({ kind: 'accepted' });
    expect(memory.readyValues?.inUse).toBe(1);
    const [exported] = await memory.take(1, MAX);
    exported?.ready?.release?.();
    expect(memory.readyValues?.inUse).toBe(0);
  });

  it('the value of an export is released when the export is dropped because its headers have no room', async () => {
    const { memory, send } = setUp({ 'otlp.queue.full.grace.ms': '0' });
    await send(half);
    expect(await send(half)).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(memory.readyValues?.inUse).toBe(1);
  });

  it('the value of an export is released when the export can never be queued', async () => {
    const { memory, send } = setUp({});
    expect(await send(CAPACITY_BYTES)).toMatchObject({ kind: 'refused', reason: 'too_large' });
    expect(memory.readyValues?.inUse).toBe(0);
  });

  it('the value of an export is released when the client leaves while the export is held', async () => {
    const { memory, send, leave } = setUp({});
    await send(half);
    const held = send(half);
    expect(memory.readyValues?.inUse).toBe(2);
    leave();
    expect(await held).toMatchObject({ kind: 'refused' });
    expect(memory.readyValues?.inUse).toBe(1);
  });
});

describe('a full spool', () => {
  it('a full spool refuses requests unread once the budget for looking at bodies is spent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-intake-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const spool = await openSpool({ folder, maxBytes: 100_000, clock: createManualClock() });
    onTestFinished(() => spool.close());
    for (const bytes of [10_000, 1000, 1])
      while ((await spool.append([new Uint8Array(bytes)])) !== undefined)
        expect(spool.isFull(1e6)).toBe(true);
    const { send, metrics } = setUp({}, spool);
    expect(await send(0)).toMatchObject({ reason: 'unavailable', message: 'queue full' });
    expect(await send(0, Buffer.alloc(5 * 1024 * 1024, 0xff))).toMatchObject({ reason: 'invalid' });
    expect(await send(0)).toMatchObject({ reason: 'unavailable', message: 'unread: queue full' });
    expect(metrics.read('LogsDropped')).toBe(2);
  });
});
