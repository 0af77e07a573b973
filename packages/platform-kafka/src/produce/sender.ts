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
/** The last version before flexible encoding; from 8 on, refused records are named. */
const NEWEST_VERSION = 8;
/** How often a sender that may not produce asks whether it may again. */
const FENCE_LOOK_MS = 100;
/** Refusals after which the same batch needs no pause before something else of its partition is sent. */
const withoutPause: ReadonlySet<string> = new Set(['stored', 'split', 'reject']);
const mayNotProduce = new ConnectorError('aborted', 'the worker may not produce at the moment');

interface Picked {
  readonly partition: PartitionState;
  readonly batch: PendingBatch;
}

export interface SenderParts {
  readonly brokers: BrokerNodes;
  readonly identities: Pick<IdentitySource, 'identity'>;
  /** Absent: records are not part of transactions. */
  readonly transaction?: ProducerTransaction | undefined;
  /** A broker answered that it does not lead a partition. */
  readonly onMoved: () => void;
}

/** Turns batches into requests: at most one batch of each partition in a request, several requests in flight per broker. */
export class Sender {
  /** While true, batches do not wait for more records. */
  flushing = false;
  readonly #context: ProducerContext;
  readonly #parts: SenderParts;
  readonly #codec: Codec;
  readonly #waiting = new Set<PartitionState>();
  #scheduled = false;
  /** One timer, for the earliest of all that wait for a time. */
  #wakeup: { readonly at: number; readonly timer: Timer } | undefined;

  constructor(context: ProducerContext, parts: SenderParts) {
    this.#context = context;
    this.#parts = parts;
    this.#codec = codecs[context.settings.compression];
  }

  /** The partition may have something to send. */
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

  /** Sends what can be sent, once whatever runs now is done. */
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
      // A process may be frozen while it encodes. Asked right before the request is sent, that window is as short as it can be.
      if (!this.#context.mayProduce()) {
        this.#answered(picked, undefined, mayNotProduce);
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

  /** At most one batch of each partition that is ready, within the size of a request. */
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
      partition.sequenced.sent(batch, now);
      picked.push({ partition, batch });
    }
    // To the end of the turn when there is more.
    for (const { partition } of picked) this.mark(partition);
    return picked;
  }

  /** What is next in the partition; undefined when nothing can go now. */
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

  /** Looks again at everything that waits for a time. */
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
      this.#answered(picked, answer, error);
      this.#throttle(node, link, answer);
      if (!this.#scheduled) this.#pump();
    });
  }

  #read(link: BrokerLink, payload: Buffer, version: number): ProduceAnswer | undefined {
    try {
      return readProduceResponse(payload, version);
    } catch {
      // Not what was asked for: nothing on this connection can be trusted, and whether the records are stored is unknown.
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

  #answered(
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
        partition.sequenced.unanswered(batch);
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
    partition.sequenced.answered(batch, answer, now);
    if (reaction === 'stored') partition.refusals = 0;
    else this.#log(partition, answer.message ?? errorName(answer.code));
    if (reaction === 'find-leader') this.#parts.onMoved();
    if (reaction === 'fenced') this.#lose(partition, answer.message ?? errorName(answer.code));
    if (!withoutPause.has(reaction)) partition.backoff = { phase: 'due' };
  }

  /** What was refused is sent again after a pause that grows. */
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

  /** A transaction lives within one epoch, which only the coordinator may raise. */
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

/** The batches of each topic together, as a request wants them. */
function byTopic(picked: readonly Picked[]): readonly TopicBatches[] {
  const topics = new Map<string, Buffer[]>();
  for (const { partition, batch } of picked) {
    const wires = topics.get(partition.topic);
    if (wires === undefined) topics.set(partition.topic, [batch.records.wire()]);
    else wires.push(batch.records.wire());
  }
  return [...topics].map(([topic, wires]) => ({ topic, wires }));
}
