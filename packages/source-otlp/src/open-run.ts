import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type EventLog, eventLog, type MetricGroup } from '@levada/connect-runtime-core';
import { HeldTime, printable } from '@levada/connect-runtime-core/source-kit';
import type { OtlpConfig } from './config/config.ts';
import { createPlainExports, type PlainExports } from './export/plain-exports.ts';
import { otlpEvents } from './model/events.ts';
import type { OtlpContext, otlpMetrics } from './model/metrics.ts';
import { otlpSchema } from './model/otlp-schema.ts';
import { type SignalName, signalNames } from './model/signals.ts';
import { AckWaits } from './queue/ack-waits.ts';
import { MemoryQueue } from './queue/memory-queue.ts';
import { SignalCounts } from './queue/signal-counts.ts';
import { SignalQueue } from './queue/signal-queue.ts';
import { SpoolQueue } from './queue/spool-queue.ts';
import { sequenceOfOffset, sourcePartition } from './record/offsets.ts';
import { FIRST_START_MS, type InUse, type Patience, retryWhileInUse } from './retry-while-in-use.ts';
import { OtlpRun } from './run.ts';
import { openSpool } from './spool/open-spool.ts';
import type { Spool } from './spool/spool.ts';
import { readSequence } from './spool/spooled-export.ts';

/** What the queues of all signals are opened with. */
interface Opening {
  readonly config: OtlpConfig;
  readonly context: OtlpContext;
  readonly metrics: MetricGroup<typeof otlpMetrics>;
  /** Of the whole task: limits of lines hold for all signals together. */
  readonly log: EventLog<typeof otlpEvents>;
  /** Of one signal: limits of lines hold for it alone. */
  readonly signalLog: EventLog<typeof otlpEvents>;
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
  const queues: SignalQueue[] = [];
  try {
    const sequences = new Map<SignalName, number>();
    for (const signal of signalNames) {
      if (config['otlp.signals'].includes(signal) || hasSpool(signal, config))
        sequences.set(signal, await restoreSequence(signal, { context, log }));
    }
    const continues = [...sequences.values()].some((sequence) => sequence > 0);
    const waitMs = continues ? config['otlp.takeover.wait.ms'] : FIRST_START_MS;
    const patience = patienceOf({ context, log, start, waitMs });
    const plain = createPlainExports(otlpSchema());
    const heldTime = new HeldTime(context);
    const onHeldChange = (): void =>
      queues.some(({ memory }) => memory.heldRequests > 0) ? heldTime.begin() : heldTime.end();
    const opening = { config, context, metrics, log, patience, plain, onHeldChange };
    for (const [signal, sequence] of sequences)
      queues.push(await openQueue(signal, sequence, { ...opening, signalLog: newLog() }));
    const run = new OtlpRun({
      config,
      context,
      metrics,
      log,
      queues,
      heldTime,
      plain,
      sessionId: randomUUID(),
      patience,
    });
    await run.start();
    return run;
  } catch (thrown) {
    await Promise.all(queues.map(async ({ spool }) => spool?.close()));
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

async function openQueue(signal: SignalName, sequence: number, opening: Opening): Promise<SignalQueue> {
  const { config, metrics } = opening;
  const files = await openSpoolOf(signal, opening);
  const left = files?.recovery.last;
  const spooled = left === undefined ? 0 : readSequence(left);
  const counts = new SignalCounts(signal, metrics, Math.max(sequence, spooled));
  const memory = memoryQueue(counts, opening);
  const spool = files && spoolQueue(counts, files, opening);
  const input = config['otlp.ack.mode'] === 'spool' && spool !== undefined ? spool : memory;
  return new SignalQueue({ counts, memory, spool, input });
}

function memoryQueue(counts: SignalCounts, opening: Opening): MemoryQueue {
  const { config, context, log, signalLog } = opening;
  const { signal } = counts;
  const queue: MemoryQueue = new MemoryQueue({
    counts,
    bounds: {
      capacity: config['otlp.message.queue.size'],
      capacityBytes: config['otlp.message.queue.bytes'],
    },
    ackWaits: config['otlp.ack.mode'] === 'produced' ? ackWaits(signal, opening) : undefined,
    plain: opening.plain,
    holds: {
      throttledUntil: context.throttledUntil,
      onChange: opening.onHeldChange,
      onGraceOver: (grace_ms) => {
        const { size, capacity } = queue;
        signalLog('queue_grace_over', { signal, grace_ms, queue_size: size, queue_capacity: capacity });
      },
    },
    clock: context.clock,
    log,
  });
  return queue;
}

function spoolQueue(counts: SignalCounts, spool: Spool, opening: Opening): SpoolQueue {
  const { config, context, metrics, log, signalLog } = opening;
  return new SpoolQueue({
    counts,
    spool,
    timeoutMs: config['otlp.ack.timeout.ms'],
    ackedLate: metrics.counter('AckedLate'),
    onDamaged: (entries) => {
      metrics.counter('DroppedSpoolDamaged').value += entries;
      signalLog('spool_damaged', { signal: counts.signal, discarded_bytes: 0, damaged_entries: entries });
    },
    clock: context.clock,
    log,
  });
}

function ackWaits(signal: SignalName, { config, context, metrics, signalLog }: Opening): AckWaits {
  return new AckWaits({
    clock: context.clock,
    timeoutMs: config['otlp.ack.timeout.ms'],
    onLate: (waitedMs) => signalLog('acknowledgement_late', { signal, waited_ms: waitedMs }),
    onStoredLate: () => {
      metrics.counter('AckedLate').value += 1;
    },
  });
}

/** Where an earlier run ended. */
async function restoreSequence(
  signal: SignalName,
  { context, log }: Pick<Opening, 'context' | 'log'>,
): Promise<number> {
  const offset = await context.offsets.offset(sourcePartition(context.connectorName, signal));
  const signal_type = signal.toUpperCase();
  if (offset === undefined) {
    log('no_previous_offset', { signal_type });
    return 0;
  }
  const sequence = sequenceOfOffset(offset);
  if (sequence === undefined) {
    log('offset_restore_error', { signal_type, offset: printable([])(JSON.stringify(offset)) });
    return 0;
  }
  log('offset_restored', { signal_type, session_id: String(offset['session_id'] ?? ''), sequence });
  return sequence;
}

/** With a path there is one in every mode: what an earlier run left in it must come out. */
async function openSpoolOf(
  signal: SignalName,
  { config, context, signalLog, patience }: Opening,
): Promise<Spool | undefined> {
  const path = config['otlp.spool.path'];
  if (path === null || path === '') return undefined;
  const open = () =>
    openSpool({
      folder: join(path, signal),
      maxBytes: config['otlp.spool.bytes'],
      clock: context.clock,
      signal: context.signal,
      onError: (error) => signalLog('spool_write_failed', { signal, error: error.message }),
    });
  const spool = await retryWhileInUse('log_in_use', patience, open);
  const { entries, bytes, discardedBytes, damagedEntries } = spool.recovery;
  const damage = { discarded_bytes: discardedBytes, damaged_entries: damagedEntries };
  signalLog('spool_opened', { signal, entries, bytes, ...damage });
  if (damagedEntries > 0) signalLog('spool_damaged', { signal, ...damage });
  return spool;
}
