import { eventLog, MetricGroup } from '@levada/connect-runtime-core';
import { BoundedQueue } from '@levada/connect-runtime-core/source-kit';
import { createManualClock, createRecordingLogger } from '@levada/connect-runtime-core/testing';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpConfig } from '../config/config.ts';
import { liveSettings } from '../config/live-settings.ts';
import { createCheckExport } from '../export/check-export.ts';
import { createJsonToExport } from '../export/json-to-export.ts';
import { createPlainExports } from '../export/plain-exports.ts';
import { createSplitExport } from '../export/split-export.ts';
import { otlpEvents } from '../model/events.ts';
import { otlpMetrics } from '../model/metrics.ts';
import { otlpSchema } from '../model/otlp-schema.ts';
import type { WaitingExport } from '../model/waiting-export.ts';
import type { ExportOutcome } from '../receive/admission/export-outcome.ts';
import { RecordValues } from '../record/record-values.ts';
import { type Arrival, ExportTaker } from './export-taker.ts';
import { SignalLane } from './signal-lane.ts';

const schema = otlpSchema();
const plain = createPlainExports(schema);
const request = realisticRequest(schema, 'logs', 3);
const CAPACITY_BYTES = 1024 * 1024;

/** A taker for logs whose values are made at receipt, and an export that carries so many bytes of request headers. */
function setUp(raw: Readonly<Record<string, string>>) {
  const clock = createManualClock();
  const metrics = new MetricGroup(otlpMetrics);
  const queue = new BoundedQueue<WaitingExport>({ capacity: 1000, capacityBytes: CAPACITY_BYTES });
  const lane = new SignalLane({
    signal: 'logs',
    clock,
    metrics,
    queue,
    capacityBytes: CAPACITY_BYTES,
    spool: undefined,
    onDamaged: () => undefined,
    onHeldChange: () => undefined,
    onGraceOver: () => undefined,
    waits: undefined,
    plain,
    sequence: 0,
  });
  const taker = new ExportTaker({
    lanes: new Map([['logs', lane]]),
    preparation: {
      checkExport: createCheckExport(schema, plain),
      splitExport: createSplitExport(schema),
      jsonToExport: createJsonToExport(schema),
      values: new RecordValues(schema, plain),
    },
    settings: liveSettings(otlpConfig.parse(raw)),
    spoolWrites: undefined,
    metrics,
    clock,
    log: eventLog(otlpEvents, createRecordingLogger(), clock),
    emit: () => undefined,
    onQueued: () => undefined,
  });
  let leave: (() => void) | undefined;
  const arrival = (metadata: number): Arrival => ({
    head: {
      signal: 'logs',
      transport: 'grpc',
      authorization: undefined,
      host: undefined,
      peer: '127.0.0.1',
      declaredBytes: request.length,
      timeoutMs: undefined,
      metadata: new Map([['x', 'y'.repeat(metadata)]]),
    },
    turn: 'new',
    onHeld: (release) => {
      leave = release;
    },
  });
  const take = (metadata: number): ExportOutcome | Promise<ExportOutcome> =>
    taker.take(arrival(metadata), Uint8Array.from(request), 'protobuf');
  return { queue, lane, taker, arrival, take, leave: () => leave?.(), clock };
}

describe('exports that wait for room in a queue', () => {
  it('keep their order although the values of those before them are longer than the requests were', async () => {
    const large = realisticRequest(schema, 'logs', 800);
    const { queue, lane, taker, arrival, clock } = setUp({});
    const sent = Array.from({ length: 30 }, (_, number) => number);
    for (const number of sent) void taker.take(arrival(number), Uint8Array.from(large), 'protobuf');
    expect(lane.room.size).toBeGreaterThan(20);
    const taken: (number | undefined)[] = [];
    while (taken.length < sent.length) {
      for (const { stamp } of await queue.take(1000)) taken.push(stamp.metadata?.get('x')?.length);
      lane.room.made();
      await clock.advance(0);
    }
    expect(taken).toEqual(sent);
  });
});

describe('the value of an export that was made at receipt', () => {
  const half = CAPACITY_BYTES / 2;

  it('is in use until its message is settled', async () => {
    const { lane, take, queue } = setUp({});
    expect(await take(0)).toMatchObject({ kind: 'accepted' });
    expect(lane.ready?.inUse).toBe(1);
    const [message] = await queue.take(1);
    message?.ready?.release?.();
    expect(lane.ready?.inUse).toBe(0);
  });

  it('is not in use any more when the export is dropped, because its headers have no room', async () => {
    const { lane, take } = setUp({ 'otlp.queue.full.grace.ms': '0' });
    await take(half);
    expect(await take(half)).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(lane.ready?.inUse).toBe(1);
  });

  it('is not in use any more when the export can never be queued', async () => {
    const { lane, take } = setUp({});
    expect(await take(CAPACITY_BYTES)).toMatchObject({ kind: 'refused', reason: 'too_large' });
    expect(lane.ready?.inUse).toBe(0);
  });

  it('is not in use any more when the client leaves while the export is held', async () => {
    const { lane, take, leave } = setUp({});
    await take(half);
    const held = take(half);
    expect(lane.ready?.inUse).toBe(2);
    leave();
    expect(await held).toMatchObject({ kind: 'refused' });
    expect(lane.ready?.inUse).toBe(1);
  });
});
