// Log events of a whole task that no other test shows.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawConfig, systemClock } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { logSaying, postExport, spanNamed, sumNamed } from '@levada/test-peers/otlp';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { otlpEvents } from '../src/model/events.ts';
import { openSpool } from '../src/spool/open-spool.ts';
import { encodeEntry } from '../src/spool/spooled-export.ts';
import { type RunningTask, startTask } from './running-task.ts';

type EventName = keyof typeof otlpEvents;

const linesOf = ({ logger }: RunningTask, event: EventName) =>
  logger
    .withEvent(event)
    .map(({ level, message, fields }): Readonly<Record<string, unknown>> => ({ level, message, ...fields }));

const profiles = { resourceProfiles: [{ scopeProfiles: [{ profiles: [{}, {}] }] }] };
const SIGNALS = { 'otlp.signals': 'traces,metrics,logs,profiles' };

async function postProfiles({ httpPort }: RunningTask): Promise<void> {
  await fetch(`http://127.0.0.1:${httpPort}/v1development/profiles`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(profiles),
  });
}

function spoolConfig(): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-events-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { 'otlp.ack.mode': 'spool', 'otlp.spool.path': folder };
}

/** What finds no room is answered at once. */
const queueOf = (messages: number): RawConfig => ({
  'otlp.message.queue.size': String(messages),
  'otlp.queue.full.grace.ms': '0',
});

describe('the lines of a task', () => {
  it('a task logs at DEBUG what arrived, with transport and number of items', async () => {
    const running = await startTask(SIGNALS);
    await postExport(running.httpPort, 'traces', spanNamed('a'));
    await postExport(running.httpPort, 'metrics', sumNamed('m'));
    await postExport(running.httpPort, 'logs', logSaying('l'));
    await postProfiles(running);
    const transport = 'http';
    expect(linesOf(running, 'trace_received')).toMatchObject([{ level: 'debug', transport, spans: 1 }]);
    expect(linesOf(running, 'metric_received')).toMatchObject([
      { level: 'debug', transport, data_points: 1 },
    ]);
    expect(linesOf(running, 'log_received')).toMatchObject([{ level: 'debug', transport, log_records: 1 }]);
    expect(linesOf(running, 'profile_received')).toMatchObject([{ level: 'debug', transport, profiles: 2 }]);
    await running.stop();
  });

  it('a task warns once a second of messages that a full queue drops, with the message of the product definition', async () => {
    const clock = createManualClock();
    const running = await startTask({ ...SIGNALS, ...queueOf(1) }, { clock });
    for (let i = 0; i < 4; i += 1) {
      await postExport(running.httpPort, 'traces', spanNamed('a'));
      await postExport(running.httpPort, 'metrics', sumNamed('m'));
      await postExport(running.httpPort, 'logs', logSaying('l'));
      await postProfiles(running);
    }
    const line = {
      level: 'warn',
      message: 'Queue full, dropping message',
      reason: 'queue_full',
      queue_size: 1,
      queue_capacity: 1,
      messages_dropped_total: 1,
    };
    for (const event of ['trace_dropped', 'metric_dropped', 'log_dropped', 'profile_dropped'] as const)
      expect(linesOf(running, event)).toMatchObject([line]);
    expect(running.metrics.read('TracesDropped')).toBe(3);
    await clock.advance(999);
    await postExport(running.httpPort, 'traces', spanNamed('a'));
    expect(linesOf(running, 'trace_dropped')).toHaveLength(1);
    await clock.advance(1);
    await postExport(running.httpPort, 'traces', spanNamed('a'));
    expect(linesOf(running, 'trace_dropped')).toMatchObject([line, { messages_dropped_total: 5 }]);
    await running.stop();
  });

  it('a task logs the status every 30 seconds, also without traffic', async () => {
    const clock = createManualClock();
    const running = await startTask(queueOf(10), { clock });
    const statuses = (): readonly unknown[] => linesOf(running, 'task_metrics').map((one) => one['status']);
    await clock.advance(30_000);
    expect(statuses()).toEqual(['HEALTHY']);
    for (let i = 0; i < 9; i += 1) await postExport(running.httpPort, 'traces', spanNamed('a'));
    await clock.advance(30_000);
    for (let i = 0; i < 2; i += 1) await postExport(running.httpPort, 'traces', spanNamed('a'));
    await clock.advance(30_000);
    expect(statuses()).toEqual(['HEALTHY', 'HIGH_QUEUE_UTILIZATION', 'DROPPING_MESSAGES']);
    expect(linesOf(running, 'task_metrics').at(-1)).toMatchObject({
      level: 'info',
      records_produced: 0,
      traces_queue_size: 10,
      queue_capacity: 10,
      traces_seq: 11,
    });
    await running.stop();
    expect(statuses()).toHaveLength(4);
  });

  it('a task warns of a queue that is more than 80 percent full', async () => {
    const running = await startTask(queueOf(10));
    for (let i = 0; i < 8; i += 1) await postExport(running.httpPort, 'logs', logSaying('l'));
    expect(linesOf(running, 'queue_high_utilization')).toEqual([]);
    await postExport(running.httpPort, 'logs', logSaying('l'));
    expect(linesOf(running, 'queue_high_utilization')).toMatchObject([
      { signal: 'logs', utilization_percent: 90 },
    ]);
    await running.stop();
  });

  it('a task warns of refused requests, and of items that are too large for a record', async () => {
    const running = await startTask({ 'otlp.record.max.bytes': '1024' });
    await postExport(running.httpPort, 'traces', []);
    expect(linesOf(running, 'request_refused')).toMatchObject([
      { level: 'warn', reason: 'invalid', signal: 'traces', transport: 'http' },
    ]);
    await postExport(running.httpPort, 'logs', logSaying('l'.repeat(2000)));
    expect(linesOf(running, 'items_rejected')).toMatchObject([
      { level: 'warn', signal: 'logs', count: 1, max_bytes: 1024 },
    ]);
    await running.stop();
  });

  it('a task logs the first sequence number of each signal', async () => {
    const offsets: Readonly<Record<string, object>> = {
      TRACES: { session_id: 'earlier', signal_type: 'TRACES', sequence: 42 },
      METRICS: { session_id: 'earlier', signal_type: 'METRICS', sequence: 'many' },
    };
    const running = await startTask(
      {},
      { offsets: { offset: async (partition) => offsets[String(partition['signal_type'])] as never } },
    );
    expect(linesOf(running, 'offset_restored')).toMatchObject([{ signal_type: 'TRACES', sequence: 42 }]);
    expect(linesOf(running, 'offset_restore_error')).toMatchObject([
      { level: 'warn', signal_type: 'METRICS' },
    ]);
    expect(linesOf(running, 'no_previous_offset')).toMatchObject([{ signal_type: 'LOGS' }]);
    expect(linesOf(running, 'task_started')).toMatchObject([{ traces_seq: 42, metrics_seq: 0, logs_seq: 0 }]);
    await running.stop();
  });

  it('a task logs at the end what was received and what is left', async () => {
    const running = await startTask(queueOf(2));
    for (let i = 0; i < 3; i += 1) await postExport(running.httpPort, 'traces', spanNamed('a'));
    await running.stop();
    expect(linesOf(running, 'task_stopping')).toMatchObject([{ queue_size: 2 }]);
    expect(linesOf(running, 'otlp_receiver_stopping')).toHaveLength(1);
    expect(linesOf(running, 'otlp_receiver_stopped')).toMatchObject([
      { traces_received: 3, traces_dropped: 1 },
    ]);
    expect(linesOf(running, 'task_stopped')).toMatchObject([{ queue_size: 2, spooled: 0 }]);
  });

  it('a task logs what the spool holds', async () => {
    const config = spoolConfig();
    const first = await startTask(config);
    await postExport(first.httpPort, 'logs', logSaying('l'));
    await first.stop();
    const next = await startTask(config);
    expect(linesOf(next, 'spool_opened')).toMatchObject([
      { signal: 'traces', entries: 0 },
      { signal: 'metrics', entries: 0 },
      { signal: 'logs', entries: 1 },
    ]);
    await next.stop();
  });

  it('a task logs, drops and counts a message that cannot be converted', async () => {
    const config = spoolConfig();
    const folder = join(config['otlp.spool.path'] ?? '', 'traces');
    const spool = await openSpool({ folder, maxBytes: 1024 * 1024, clock: systemClock });
    const form = { encoding: 'otlp_json', key: 'none', headers: false } as const;
    const stamp = { signal: 'traces', topic: 't', form, receivedAt: 1 } as const;
    for (const [index, value] of [Buffer.of(10, 200), Buffer.from('0a021200', 'hex')].entries())
      await spool.append([
        encodeEntry({ stamp, value, sequence: index + 1, items: 1, waiter: undefined, place: undefined }),
      ]);
    await spool.close();
    const running = await startTask(config);
    expect((await running.take(1)).map(({ sourceOffset }) => sourceOffset?.['sequence'])).toEqual([2]);
    expect(linesOf(running, 'message_conversion_failed')).toMatchObject([
      { level: 'error', signal: 'traces', sequence: 1, message_bytes: 2 },
    ]);
    expect(running.metrics.read('DroppedConversionError')).toBe(1);
    await running.stop();
  });

  it('a task logs a failed write to the spool, and asks clients to retry', async () => {
    const config = spoolConfig();
    const limits = { 'otlp.spool.bytes': '1048576', 'otlp.max.request.size': '1048576' };
    const running = await startTask({ ...config, ...limits });
    rmSync(config['otlp.spool.path'] ?? '', { recursive: true });
    const statuses: number[] = [];
    for (let i = 0; i < 9; i += 1)
      statuses.push((await postExport(running.httpPort, 'logs', logSaying('l'.repeat(90_000)))).status);
    expect(statuses).toContain(503);
    expect(linesOf(running, 'spool_write_failed')).toMatchObject([{ level: 'error', signal: 'logs' }]);
    await running.stop();
  });
});
