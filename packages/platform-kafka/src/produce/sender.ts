import type { ConnectorError, Timer } from '@levada/connect-runtime-core';
import { backoffDelay } from '@levada/connect-runtime-core/platform';
import { retryPolicy } from '../cluster/retrying.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import type { BrokerNode } from './broker-node.ts';
import type { BrokerNodes } from './broker-nodes.ts';
import { type Codec, codecs } from './compression.ts';
import type { IdentitySource } from './identity-source.ts';
import type { PartitionState } from './partition-state.ts';
import type { PendingBatch } from './pending-batch.ts';
import { produceCodes, reactionTo } from './produce-codes.ts';
import { produceRequest, type TopicBatches } from './produce-request.ts';
import { type BatchAnswer, type ProduceAnswer, readProduceResponse } from './produce-response.ts';
import type { ProducerContext } from './producer-context.ts';

const PRODUCE = 0;
/** The last version before flexible encoding; from 8 on, refused records are named. */
const NEWEST_VERSION = 8;
/** How often a sender that may not produce asks whether it may again. */
const FENCE_LOOK_MS = 100;
/** Refusals after which the same batch needs no pause before something else of its partition is sent. */
const withoutPause: ReadonlySet<string> = new Set(['stored', 'split', 'reject']);

interface Picked {
  readonly partition: PartitionState;
  readonly batch: PendingBatch;
}

/** What a sender works with. */
export interface SenderParts {
  readonly brokers: BrokerNodes;
  readonly identities: IdentitySource;
  /** A broker says that it does not lead a partition. */
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
  #timer: Timer | undefined;
  #wakeAt = Number.POSITIVE_INFINITY;

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
    filling.seal(partition.id, this.#codec);
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
      const { link } = node;
      if (link === undefined) this.#parts.brokers.connect(node);
      else if (!this.#context.mayProduce()) this.#wake(now + FENCE_LOOK_MS, now);
      else if (link.stale) this.#renew(node, link);
      else if (node.throttledUntil > now) this.#wake(node.throttledUntil, now);
      else this.#fill(node, link, now);
    }
  }

  #fill(node: BrokerNode, link: BrokerLink, now: number): void {
    const { maxInFlight } = this.#context.settings;
    while (node.inFlight < maxInFlight && node.ready.size > 0 && link.closed === undefined) {
      const picked = this.#pick(node, now);
      if (picked.length === 0) return;
      this.#send(node, link, picked);
    }
  }

  #renew(node: BrokerNode, link: BrokerLink): void {
    if (node.renewing) return;
    node.renewing = true;
    void link.renew().then(() => {
      node.renewing = false;
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
      if (batch.sequence < 0) {
        partition.queue.shift();
        partition.line.join(batch);
      }
      partition.line.sent(batch, now);
      picked.push({ partition, batch });
    }
    // To the end of the turn when there is more.
    for (const { partition } of picked) this.mark(partition);
    return picked;
  }

  /** What is next in the partition; undefined when nothing can go now. */
  #next(partition: PartitionState, now: number): PendingBatch | undefined {
    const { line } = partition;
    if (!partition.sendable) return undefined;
    if (partition.pausedUntil > now) return this.#later(partition, { at: partition.pausedUntil, now });
    const again = line.firstWaiting();
    if (again !== undefined) return again;
    if (line.identity === undefined && !this.#identify(partition)) return undefined;
    if (partition.queue.length === 0) {
      const lingerUntil = (partition.filling?.born ?? now) + this.#context.settings.lingerMs;
      if (lingerUntil > now && !this.flushing) return this.#later(partition, { at: lingerUntil, now });
      this.seal(partition);
    }
    return partition.queue[0];
  }

  #identify({ line }: PartitionState): boolean {
    line.identity = this.#parts.identities.identity(line.spent);
    return line.identity !== undefined;
  }

  #later(partition: PartitionState, { at, now }: { readonly at: number; readonly now: number }): undefined {
    this.#waiting.add(partition);
    this.#wake(at, now);
    return undefined;
  }

  /** One timer, for the earliest of all. */
  #wake(at: number, now: number): void {
    if (at >= this.#wakeAt) return;
    this.#timer?.cancel();
    this.#wakeAt = at;
    this.#timer = this.#context.clock.after(Math.max(1, Math.ceil(at - now)), () => {
      this.#wakeAt = Number.POSITIVE_INFINITY;
      this.#timer = undefined;
      this.resumeWaiting();
    });
  }

  /** Looks again at everything that waits for a time. */
  resumeWaiting(): void {
    for (const partition of this.#waiting) this.mark(partition);
    this.#waiting.clear();
    this.schedule();
  }

  /** Frees the timer. */
  close(): void {
    this.#timer?.cancel();
  }

  #send(node: BrokerNode, link: BrokerLink, picked: readonly Picked[]): void {
    const { clientId, requestTimeoutMs } = this.#context.settings;
    const version = Math.min(NEWEST_VERSION, link.newestVersion(PRODUCE));
    const pieces = produceRequest({
      version,
      clientId,
      timeoutMs: requestTimeoutMs,
      topics: byTopic(picked),
    });
    node.inFlight += 1;
    link.transmit(pieces, (error, payload) => {
      node.inFlight -= 1;
      const answer = payload === null ? undefined : this.#read(link, payload, version);
      this.#answered(picked, answer, error);
      this.#throttle(node, answer);
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

  #throttle(node: BrokerNode, answer: ProduceAnswer | undefined): void {
    const ms = answer?.throttleMs ?? 0;
    if (ms > 0) node.throttledUntil = this.#context.clock.monotonic() + ms;
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
        partition.pauseDue = true;
        partition.line.unanswered(batch);
        this.#log(partition, error?.message ?? 'no answer');
      } else this.#react(partition, { batch, answer: own, now });
      if (partition.line.quiet && partition.line.disturbed) this.#resume(partition, now);
      this.mark(partition);
    }
  }

  #react(
    partition: PartitionState,
    result: { readonly batch: PendingBatch; readonly answer: BatchAnswer; readonly now: number },
  ): void {
    const { batch, answer, now } = result;
    const reaction = reactionTo(answer.code);
    partition.line.answered(batch, answer, now);
    if (reaction === 'stored') partition.refusals = 0;
    else
      this.#log(partition, answer.message ?? produceCodes.get(answer.code)?.name ?? `error ${answer.code}`);
    if (reaction === 'move') this.#parts.onMoved();
    if (!withoutPause.has(reaction)) partition.pauseDue = true;
  }

  /** What was refused goes again after a pause that grows. */
  #resume(partition: PartitionState, now: number): void {
    const { line } = partition;
    const epoch = line.identity?.epoch;
    partition.resume();
    if (line.identity?.epoch !== epoch) {
      this.#context.log('producer_epoch', { topic: partition.topic, partition: partition.id });
    }
    if (!partition.pauseDue) return;
    partition.pauseDue = false;
    partition.refusals += 1;
    const { settings, random } = this.#context;
    const backoff = retryPolicy(settings.retryBackoffMs, settings.retryBackoffMaxMs);
    partition.pausedUntil = now + backoffDelay(backoff, partition.refusals, random);
  }

  #log(partition: PartitionState, error: string): void {
    this.#context.log('produce_refused', { topic: partition.topic, partition: partition.id, error });
  }
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
