import { ConnectorError, type Timer } from '@levada/connect-runtime-core';
import { backoffDelay } from '@levada/connect-runtime-core/platform';
import { type Codec, codecs } from '../compression/codecs.ts';
import { errorName, reactionTo } from '../model/broker-errors.ts';
import { retryPolicy } from '../model/retrying.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import type { BrokerNode, BrokerNodes } from './broker-nodes.ts';
import type { PartitionState } from './partition-state.ts';
import type { PendingBatch } from './pending-batch.ts';
import {
  type BatchAnswer,
  type ProduceAnswer,
  produceRequest,
  readProduceResponse,
  type TopicBatches,
} from './produce-call.ts';
import type { ProducerContext } from './producer-context.ts';
import type { IdentitySource } from './producer-identity.ts';
import type { ProducerTransaction } from './transaction.ts';

const PRODUCE = 0;
/** The last version before flexible encoding. From 8 on, responses name refused records. */
const NEWEST_VERSION = 8;
/** Interval of asking whether the producer may send again, in milliseconds. */
const FENCE_LOOK_MS = 100;
/** Reactions after which the partition needs no pause. */
const withoutPause: ReadonlySet<string> = new Set(['stored', 'split', 'reject']);
const mayNotProduce = new ConnectorError('aborted', 'the worker may not produce at the moment');

interface Picked {
  readonly partition: PartitionState;
  readonly batch: PendingBatch;
}

export interface SenderParts {
  readonly brokers: BrokerNodes;
  readonly identities: Pick<IdentitySource, 'identity'>;
  /** Absent without transactions. */
  readonly transaction?: ProducerTransaction | undefined;
  /** Called when a broker answers that it does not lead a partition. */
  readonly onMoved: () => void;
}

/** Builds requests from batches: at most one batch of each partition per request, several requests in flight per broker. */
export class Sender {
  /** While true, batches do not wait for more records. */
  flushing = false;
  readonly #context: ProducerContext;
  readonly #parts: SenderParts;
  readonly #codec: Codec;
  readonly #waiting = new Set<PartitionState>();
  #scheduled = false;
  /** One timer, for the earliest time of all waits. */
  #wakeup: { readonly at: number; readonly timer: Timer } | undefined;

  constructor(context: ProducerContext, parts: SenderParts) {
    this.#context = context;
    this.#parts = parts;
    this.#codec = codecs[context.settings.compression];
  }

  /** The partition may have a batch to send. */
  mark(partition: PartitionState): void {
    if (partition.sendable) this.#parts.brokers.node(partition.leader)?.ready.add(partition);
  }

  /** The filling batch of the partition is full. */
  seal(partition: PartitionState): void {
    const { filling } = partition;
    if (filling === undefined) return;
    filling.seal(partition.id, this.#codec, this.#parts.transaction !== undefined);
    partition.queue.push(filling);
    partition.filling = undefined;
    this.mark(partition);
  }

  /** Sends batches after the current task. */
  schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    if (this.#context.signal.aborted) return;
    const now = this.#context.clock.monotonic();
    for (const node of this.#parts.brokers) {
      if (node.ready.size === 0) continue;
      const { connection } = node;
      if (connection.phase === 'closed') this.#parts.brokers.connect(node);
      else if (connection.phase !== 'open') continue;
      else if (!this.#context.mayProduce()) this.#wake(now + FENCE_LOOK_MS, now);
      else if (connection.link.stale) this.#renew(node, connection.link);
      else if (node.throttledUntil > now) this.#wake(node.throttledUntil, now);
      else this.#fill(node, connection.link, now);
    }
  }

  #fill(node: BrokerNode, link: BrokerLink, now: number): void {
    const { maxInFlight } = this.#context.settings;
    while (node.inFlight < maxInFlight && node.ready.size > 0 && link.closed === undefined) {
      const picked = this.#pick(node, now);
      if (picked.length === 0) return;
      const pieces = this.#encode(link, picked);
      // A process may freeze while it encodes. Asking right before the request is sent makes that window as short as possible
      if (!this.#context.mayProduce()) {
        this.#handleAnswer(picked, undefined, mayNotProduce);
        this.#wake(now + FENCE_LOOK_MS, now);
        return;
      }
      this.#send(node, link, { picked, pieces });
    }
  }

  #renew(node: BrokerNode, link: BrokerLink): void {
    const renewing = { phase: 'signing-on-again', link } as const;
    node.connection = renewing;
    void link.renew().then(() => {
      if (node.connection === renewing) node.connection = { phase: 'open', link };
      this.schedule();
    });
  }

  /** Picks at most one batch of each ready partition, up to the size of a request. */
  #pick(node: BrokerNode, now: number): readonly Picked[] {
    const picked: Picked[] = [];
    let bytes = 0;
    for (const partition of node.ready) {
      const batch = this.#next(partition, now);
      if (
        batch !== undefined &&
        picked.length > 0 &&
        bytes + batch.bytes > this.#context.settings.maxRequestBytes
      )
        break;
      node.ready.delete(partition);
      if (batch === undefined) continue;
      bytes += batch.bytes;
      if (batch.phase === 'queued') {
        partition.queue.shift();
        partition.sequenced.add(batch);
      }
      partition.sequenced.noteSent(batch, now);
      picked.push({ partition, batch });
    }
    // Partitions with more batches move to the end of the queue
    for (const { partition } of picked) this.mark(partition);
    return picked;
  }

  /** The next batch of the partition; undefined if none can be sent now. */
  #next(partition: PartitionState, now: number): PendingBatch | undefined {
    const { sequenced, backoff } = partition;
    if (!partition.sendable) return undefined;
    if (backoff.phase === 'until' && backoff.time > now) return this.#later(partition, backoff.time, now);
    const again = sequenced.firstWaiting();
    if (again !== undefined) return again;
    if (sequenced.identity === undefined && !this.#identify(partition)) return undefined;
    if (this.#parts.transaction?.admits(partition) === false) return undefined;
    if (partition.queue.length === 0) {
      const lingerUntil = (partition.filling?.createdAt ?? now) + this.#context.settings.lingerMs;
      if (lingerUntil > now && !this.flushing) return this.#later(partition, lingerUntil, now);
      this.seal(partition);
    }
    return partition.queue[0];
  }

  #identify({ sequenced }: PartitionState): boolean {
    const identity = this.#parts.identities.identity(sequenced.retiredIdentity);
    if (identity !== undefined) sequenced.assignIdentity(identity);
    return identity !== undefined;
  }

  #later(partition: PartitionState, at: number, now: number): undefined {
    this.#waiting.add(partition);
    this.#wake(at, now);
    return undefined;
  }

  #wake(at: number, now: number): void {
    if (this.#wakeup !== undefined && at >= this.#wakeup.at) return;
    this.#wakeup?.timer.cancel();
    const timer = this.#context.clock.after(Math.max(1, Math.ceil(at - now)), () => {
      this.#wakeup = undefined;
      this.resumeWaiting();
    });
    this.#wakeup = { at, timer };
  }

  /** Checks everything that waits for a time. */
  resumeWaiting(): void {
    for (const partition of this.#waiting) this.mark(partition);
    this.#waiting.clear();
    this.schedule();
  }

  /** Frees the timer. */
  close(): void {
    this.#wakeup?.timer.cancel();
  }

  #encode(link: BrokerLink, picked: readonly Picked[]): readonly Buffer[] {
    const { clientId, requestTimeoutMs } = this.#context.settings;
    return produceRequest({
      version: versionOn(link),
      clientId,
      transactionalId: this.#context.transactionalId,
      timeoutMs: requestTimeoutMs,
      topics: byTopic(picked),
    });
  }

  #send(
    node: BrokerNode,
    link: BrokerLink,
    { picked, pieces }: { readonly picked: readonly Picked[]; readonly pieces: readonly Buffer[] },
  ): void {
    const version = versionOn(link);
    node.inFlight += 1;
    link.transmit(pieces, (error, payload) => {
      node.inFlight -= 1;
      const answer = payload === null ? undefined : this.#read(link, payload, version);
      this.#handleAnswer(picked, answer, error);
      this.#throttle(node, link, answer);
      if (!this.#scheduled) this.#pump();
    });
  }

  #read(link: BrokerLink, payload: Buffer, version: number): ProduceAnswer | undefined {
    try {
      return readProduceResponse(payload, version);
    } catch {
      // An unexpected response: the connection cannot be trusted, and it is unknown whether the records are stored
      link.close();
      return undefined;
    }
  }

  #throttle(node: BrokerNode, link: BrokerLink, answer: ProduceAnswer | undefined): void {
    const ms = answer?.throttleMs ?? 0;
    if (ms <= 0) return;
    node.throttledUntil = this.#context.clock.monotonic() + ms;
    link.noteThrottle(ms);
    this.#context.onThrottled(ms);
  }

  #handleAnswer(
    picked: readonly Picked[],
    answer: ProduceAnswer | undefined,
    error: ConnectorError | null,
  ): void {
    const now = this.#context.clock.monotonic();
    for (const { partition, batch } of picked) {
      const own = answer?.batches.find(
        (each) => each.partition === partition.id && each.topic === partition.topic,
      );
      if (own === undefined) {
        partition.backoff = { phase: 'due' };
        partition.sequenced.noteUnanswered(batch);
        this.#log(partition, error?.message ?? 'no answer');
      } else this.#react(partition, { batch, answer: own, now });
      if (partition.sequenced.idle && partition.sequenced.needsResolution) this.#resolve(partition, now);
      this.mark(partition);
    }
  }

  #react(
    partition: PartitionState,
    result: { readonly batch: PendingBatch; readonly answer: BatchAnswer; readonly now: number },
  ): void {
    const { batch, answer, now } = result;
    const reaction = reactionTo(answer.code);
    partition.sequenced.noteAnswer(batch, answer, now);
    if (reaction === 'stored') partition.refusals = 0;
    else this.#log(partition, answer.message ?? errorName(answer.code));
    if (reaction === 'find-leader') this.#parts.onMoved();
    if (reaction === 'fenced') this.#lose(partition, answer.message ?? errorName(answer.code));
    if (!withoutPause.has(reaction)) partition.backoff = { phase: 'due' };
  }

  /** Refused batches are sent again after a growing pause. */
  #resolve(partition: PartitionState, now: number): void {
    const { sequenced } = partition;
    const epoch = sequenced.identity?.epoch;
    partition.resolve();
    if (sequenced.identity?.epoch !== epoch) {
      this.#context.log('producer_epoch', { topic: partition.topic, partition: partition.id });
      this.#lose(partition, 'what was refused leaves a gap in the sequence of its records');
    }
    if (partition.backoff.phase !== 'due') return;
    partition.refusals += 1;
    const { settings, random } = this.#context;
    const policy = retryPolicy(settings.retryBackoffMs, settings.retryBackoffMaxMs);
    partition.backoff = { phase: 'until', time: now + backoffDelay(policy, partition.refusals, random) };
  }

  /** A transaction lives within one epoch, which only the coordinator may increase. */
  #lose({ topic, id }: PartitionState, why: string): void {
    const what = `the transaction cannot be continued in topic "${topic}" partition ${id}: ${why}`;
    this.#parts.transaction?.fail(new ConnectorError('fenced', what));
  }

  #log(partition: PartitionState, error: string): void {
    this.#context.log('produce_refused', { topic: partition.topic, partition: partition.id, error });
  }
}

function versionOn(link: BrokerLink): number {
  return Math.min(NEWEST_VERSION, link.newestVersion(PRODUCE));
}

/** Groups the batches by topic, as in a request. */
function byTopic(picked: readonly Picked[]): readonly TopicBatches[] {
  const topics = new Map<string, Buffer[]>();
  for (const { partition, batch } of picked) {
    const wires = topics.get(partition.topic);
    if (wires === undefined) topics.set(partition.topic, [batch.records.wire()]);
    else wires.push(batch.records.wire());
  }
  return [...topics].map(([topic, wires]) => ({ topic, wires }));
}
