import { waitFor } from '@levada/connect-runtime-core/testing';
import { freePorts } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it } from 'vitest';
import { floods } from './flood.ts';
import { grpcConfig } from './grpc-feed.ts';
import type { Attributes, ObservedWorker } from './observed-worker.ts';
import { randomIntegers } from './random.ts';
import { stage } from './stage.ts';
import { clusterLog, embeddedLog, type StoredLog, type StoredRecord } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const KILLS = 20;
/** On the embedded log, which is the lesser part of what is tried here. */
const FEW_KILLS = 6;
const SEED = Number(process.env['LEVADA_E2E_SEED'] ?? 20261121);
/** Smaller than the larger bursts of the server. */
const QUEUE = 100;

const { newFolder } = stage();
const { startFlood } = floods();

/** State after the server was killed repeatedly and the connector paused. */
interface Outcome {
  readonly worker: ObservedWorker;
  readonly records: readonly StoredRecord[];
  readonly attributes: Attributes;
}

interface Kills {
  readonly count: number;
  /** For how long a full queue holds the server up. */
  readonly graceMs: number;
}

async function killServer(
  log: StoredLog,
  folder: string,
  { count: kills, graceMs }: Kills,
): Promise<Outcome> {
  const random = randomIntegers(SEED);
  const worker = await startWorkerProcess(folder, log.properties);
  await worker.ready();
  const [port = 0] = await freePorts(1);
  let server = await startFlood('0', port);
  const config = grpcConfig(port, {
    'grpc.message.queue.size': String(QUEUE),
    'grpc.queue.full.grace.ms': String(graceMs),
    'grpc.reconnect.interval.ms': '10',
    'grpc.reconnect.backoff.max.ms': '200',
    'record.headers.enabled': 'true',
    'platform.topic': 'flooded',
  });
  expect((await worker.call('PUT', '/connectors/flooded/config', config)).status).toBe(201);
  await worker.untilState('flooded', 'RUNNING');
  for (let kill = 1; kill <= kills; kill += 1) {
    await receives(worker, { session: kill, count: random(1, 4000) });
    await server.kill();
    server = await startFlood(String(kill), port);
  }
  await receives(worker, { session: kills + 1, count: 1000 });
  await worker.call('PUT', '/connectors/flooded/pause');
  await worker.untilState('flooded', 'PAUSED');
  const attributes = await worker.attributes('flooded');
  return { worker, attributes, records: await log.records('flooded') };
}

/**
 * Waits until the connection of that session, from 1, has brought that many messages. A worker that is held up still reads what
 * a server sent that is killed by then.
 */
async function receives(
  worker: ObservedWorker,
  { session, count }: { readonly session: number; readonly count: number },
): Promise<void> {
  await waitFor(() => worker.logged('session_initialized').length >= session, {
    timeoutMs: 30_000,
    what: () => `session ${session}: ${worker.output()}`,
  });
  const { MessagesReceived = 0 } = await worker.attributes('flooded');
  await worker.untilAttribute('flooded', 'MessagesReceived', (n) => n >= MessagesReceived + count);
}

/** The events of a connection's life as one letter each, in the order of the log. */
function life(worker: ObservedWorker): string {
  const letters: Readonly<Record<string, string>> = {
    streaming_started: 'S',
    session_initialized: 'I',
    connection_closed: 'C',
    connection_failed: 'F',
    reconnect_scheduled: 'w',
    reconnect_executing: 'x',
    task_stopping: 'T',
    task_stopped: 't',
  };
  return worker.lines.map(({ event }) => letters[String(event)] ?? '').join('');
}

/** What must not be. */
function faults({ worker, records }: Outcome) {
  const begun = worker.logged('session_initialized');
  const sessions = begun.map((line) => String(line['session_id']));
  const starts = new Map(begun.map((line) => [line['session_id'], Number(line['starting_sequence'])]));
  const sequences = records.map(({ headers }) => Number(headers['sequence']));
  const seen = records.map(({ headers }) => headers['session.id'] ?? '');
  const order = seen.filter((id, i) => id !== seen[i - 1]);
  return {
    repeatedSessions: sessions.length - new Set(sessions).size,
    sessionsOutOfOrder: order.filter((id, i) => id !== sessions.filter((each) => order.includes(each))[i]),
    notRising: sequences.filter((n, i) => n <= (sequences[i - 1] ?? 0)),
    // Sequence and the server's own number run alike: within a session nothing is missing but what was dropped.
    shifted: records.filter(({ headers, value }) => {
      const [, number] = (JSON.parse(value).payload as string).split(':');
      return Number(headers['sequence']) - (starts.get(headers['session.id']) ?? 0) !== Number(number) - 1;
    }),
  };
}

const none = { repeatedSessions: 0, sessionsOutOfOrder: [], notRising: [], shifted: [] };

/** The attributes that follow from what was stored, when every message is accounted for. */
function accounted({ worker, records, attributes }: Outcome) {
  const dropped = (attributes['MessagesReceived'] ?? 0) - records.length;
  return {
    RecordsProduced: records.length,
    MessagesDropped: dropped,
    DroppedQueueFull: dropped,
    SequenceGaps: dropped,
    TotalReconnects: worker.logged('reconnect_executing').length,
    QueueSize: 0,
    InFlightCount: 0,
    UnaccountedCount: 0,
    IsConnected: false,
  };
}

/** A connection, which is closed, and attempts until the server is back, as often as it was killed; a last one and its end. */
const lives = (kills: number): RegExp => new RegExp(`^SI(Cwx(Fwx)*SI){${kills}}TC?t$`);

describe('a gRPC connector on the embedded log, whose server is killed', () => {
  it('makes a new session each time, and accounts for every message', async () => {
    const folder = await newFolder();
    const kills = { count: FEW_KILLS, graceMs: 0 };
    const outcome = await killServer(embeddedLog(folder), folder, kills);
    expect(life(outcome.worker)).toMatch(lives(FEW_KILLS));
    expect(faults(outcome)).toEqual(none);
    expect(outcome.attributes).toMatchObject(accounted(outcome));
    expect(outcome.attributes['MessagesDropped']).toBeGreaterThan(0);
    expect(outcome.worker.logged('queue_full').length).toBeGreaterThan(0);
    expect(outcome.worker.logged('sequence_gap').length).toBeGreaterThan(0);
  });
});

describeWithSharedBroker('a gRPC connector on a broker, whose server is killed', {}, (broker) => {
  it('makes a new session each time, and loses nothing that it received', async () => {
    // A broker on a busy machine may need longer than a second.
    const kills = { count: KILLS, graceMs: 60_000 };
    const outcome = await killServer(clusterLog(broker(), 'flooded-worker'), await newFolder(), kills);
    expect(life(outcome.worker)).toMatch(lives(KILLS));
    expect(faults(outcome)).toEqual(none);
    expect(outcome.attributes).toMatchObject(accounted(outcome));
    expect(outcome.attributes['MessagesDropped']).toBe(0);
    expect(outcome.attributes['HeldUpMillis']).toBeGreaterThan(0);
  });
});
