import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type EventLog, eventLog, type MetricGroup } from '@levada/connect-runtime-core';
import { BoundedQueue, HeldTime, printable } from '@levada/connect-runtime-core/source-kit';
import type { OtlpConfig } from './config/config.ts';
import { createPlainExports, type PlainExports } from './export/plain-exports.ts';
import { otlpEvents } from './model/events.ts';
import type { OtlpContext, otlpMetrics } from './model/metrics.ts';
import { otlpSchema } from './model/otlp-schema.ts';
import { type SignalName, signalNames } from './model/signals.ts';
import type { WaitingExport } from './model/waiting-export.ts';
import { AckWaits } from './queue/ack-waits.ts';
import { SignalLane } from './queue/signal-lane.ts';
import { restoredSequence, sourcePartition } from './record/offsets.ts';
import { FIRST_START_MS, type InUse, type Patience, retryWhileInUse } from './retry-while-in-use.ts';
import { OtlpRun } from './run.ts';
import { openSpool } from './spool/open-spool.ts';
import type { Spool } from './spool/spool.ts';
import { spooledSequence } from './spool/spooled-export.ts';

/** Arguments for opening lanes. */
interface Opening {
  readonly config: OtlpConfig;
  readonly context: OtlpContext;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  /** Of the lane alone: the limits of lines hold for each signal. */
  readonly log: EventLog<typeof otlpEvents>;
  readonly patience: Patience;
  readonly plain: PlainExports | undefined;
  readonly onHeldChange: () => void;
}

/** What the start of a task is bound to, and what it shows of it. */
export interface StartOptions {
  /** The task was stopped: nothing is waited for any longer. */
  readonly signal: AbortSignal;
  /** What is waited for; undefined: nothing any more. */
  readonly onWait: (wait: InUse | undefined) => void;
}

/** Reads TLS files, opens spools and binds the ports. Rejects with nothing left open. */
export async function openSourceRun(
  config: OtlpConfig,
  context: OtlpContext,
  start: StartOptions,
): Promise<OtlpRun> {
  const newLog = (): EventLog<typeof otlpEvents> => eventLog(otlpEvents, context.logger, context.clock);
  const log = newLog();
  const { metrics } = context;
  const topics = signalNames
    .filter((signal) => config['otlp.signals'].includes(signal))
    .map((signal) => config[`platform.topic.${signal}`]);
  log('task_starting', {
    connector_name: context.connectorName,
    grpc_port: config['otlp.grpc.port'],
    http_port: config['otlp.http.port'],
    topics: topics.join(),
  });
  const lanes: SignalLane[] = [];
  try {
    const sequences = new Map<SignalName, number>();
    for (const signal of signalNames) {
      if (config['otlp.signals'].includes(signal) || hasSpool(signal, config))
        sequences.set(signal, await restored(signal, { context, log }));
    }
    const continues = [...sequences.values()].some((sequence) => sequence > 0);
    const waitMs = continues ? config['otlp.takeover.wait.ms'] : FIRST_START_MS;
    const patience = patienceOf({ context, log, start, waitMs });
    const plain = createPlainExports(otlpSchema());
    const heldTime = new HeldTime(context);
    const onHeldChange = (): void =>
      lanes.some(({ room }) => room.size > 0) ? heldTime.begin() : heldTime.end();
    const opening = { config, context, metrics, patience, plain, onHeldChange };
    for (const [signal, sequence] of sequences)
      lanes.push(await openLane(signal, sequence, { ...opening, log: newLog() }));
    const run = new OtlpRun({
      config,
      context,
      metrics,
      log,
      lanes,
      heldTime,
      plain,
      sessionId: randomUUID(),
      patience,
    });
    await run.start();
    return run;
  } catch (thrown) {
    await Promise.all(lanes.map(async ({ spool }) => spool?.close()));
    throw thrown;
  }
}

/** Whether an earlier run, that received the signal, may have left something of it. */
function hasSpool(signal: SignalName, config: OtlpConfig): boolean {
  const path = config['otlp.spool.path'] ?? '';
  return path !== '' && existsSync(join(path, signal));
}

/** That something is in use is said once, however long it lasts. */
function patienceOf({
  context,
  log,
  start,
  waitMs,
}: Pick<Opening, 'context' | 'log'> & { readonly start: StartOptions; readonly waitMs: number }): Patience {
  let said = false;
  return {
    waitMs,
    clock: context.clock,
    signal: AbortSignal.any([context.signal, start.signal]),
    onInUse: (wait) => {
      start.onWait(wait);
      if (wait !== undefined && !said)
        log('waiting_while_in_use', { wait_ms: waitMs, error: wait.error.message });
      said = wait !== undefined;
    },
  };
}

async function openLane(signal: SignalName, sequence: number, opening: Opening): Promise<SignalLane> {
  const { config, context, metrics, log } = opening;
  const spool = await openLaneSpool(signal, opening);
  const left = spool?.recovery.last;
  const spooled = left === undefined ? 0 : spooledSequence(left);
  const capacityBytes = config['otlp.message.queue.bytes'];
  const queue = new BoundedQueue<WaitingExport>({
    capacity: config['otlp.message.queue.size'],
    capacityBytes,
  });
  return new SignalLane({
    signal,
    clock: context.clock,
    metrics,
    queue,
    capacityBytes,
    spool,
    onDamaged: (messages) => {
      metrics.counter('DroppedSpoolDamaged').value += messages;
      log('spool_damaged', { signal, discarded_bytes: 0, damaged_entries: messages });
    },
    throttledUntil: context.throttledUntil,
    onHeldChange: opening.onHeldChange,
    onGraceOver: (grace_ms) =>
      log('queue_grace_over', {
        signal,
        grace_ms,
        queue_size: queue.size,
        queue_capacity: queue.capacity,
      }),
    plain: opening.plain,
    waits: config['otlp.ack.mode'] === 'produced' ? ackWaits(signal, opening) : undefined,
    sequence: Math.max(sequence, spooled),
  });
}

function ackWaits(signal: SignalName, { config, context, metrics, log }: Opening): AckWaits {
  return new AckWaits({
    clock: context.clock,
    timeoutMs: config['otlp.ack.timeout.ms'],
    onLate: (waitedMs) => log('acknowledgement_late', { signal, waited_ms: waitedMs }),
    onStoredLate: () => {
      metrics.counter('AckedLate').value += 1;
    },
  });
}

/** Where an earlier run ended. */
async function restored(
  signal: SignalName,
  { context, log }: Pick<Opening, 'context' | 'log'>,
): Promise<number> {
  const offset = await context.offsets.offset(sourcePartition(context.connectorName, signal));
  const signal_type = signal.toUpperCase();
  if (offset === undefined) {
    log('no_previous_offset', { signal_type });
    return 0;
  }
  const sequence = restoredSequence(offset);
  if (sequence === undefined) {
    log('offset_restore_error', { signal_type, offset: printable([])(JSON.stringify(offset)) });
    return 0;
  }
  log('offset_restored', { signal_type, session_id: String(offset['session_id'] ?? ''), sequence });
  return sequence;
}

/** With a path there is one in every mode: what an earlier run left in it must come out. */
async function openLaneSpool(
  signal: SignalName,
  { config, context, log, patience }: Opening,
): Promise<Spool | undefined> {
  const path = config['otlp.spool.path'];
  if (path === null || path === '') return undefined;
  const open = () =>
    openSpool({
      folder: join(path, signal),
      maxBytes: config['otlp.spool.bytes'],
      clock: context.clock,
      signal: context.signal,
      onError: (error) => log('spool_write_failed', { signal, error: error.message }),
    });
  const spool = await retryWhileInUse('log_in_use', patience, open);
  const { entries, bytes, discardedBytes, damagedEntries } = spool.recovery;
  const damage = { discarded_bytes: discardedBytes, damaged_entries: damagedEntries };
  log('spool_opened', { signal, entries, bytes, ...damage });
  if (damagedEntries > 0) log('spool_damaged', { signal, ...damage });
  return spool;
}
