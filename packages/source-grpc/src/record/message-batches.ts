import type { BoundedQueue } from '@levada/connect-runtime-core/source-kit';
import type { WaitingMessage } from '../model/waiting-message.ts';

/** Most messages of one batch, and most bytes of them unless one alone has more. */
const BATCH = 2000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Takes messages from the queue, batch by batch. What a batch had no room for waits here, and comes first in the next one. */
export class MessageBatches {
  readonly #queue: BoundedQueue<WaitingMessage>;
  #rest: readonly WaitingMessage[] = [];
  #restBytes = 0;

  constructor(queue: BoundedQueue<WaitingMessage>) {
    this.#queue = queue;
  }

  /** Messages that wait, in the queue and here. */
  get size(): number {
    return this.#queue.size + this.#rest.length;
  }

  /** Bytes of them. */
  get bytes(): number {
    return this.#queue.bytes + this.#restBytes;
  }

  /** See `BoundedQueue.take`. */
  async next(): Promise<readonly WaitingMessage[]> {
    const rest = this.#rest;
    if (rest.length === 0) return this.#queue.take(BATCH, BATCH_BYTES);
    this.#keep([]);
    return rest;
  }

  /** The last messages of those that {@link next} gave, which are to come again. */
  giveBack(messages: readonly WaitingMessage[]): void {
    this.#keep(messages);
  }

  #keep(messages: readonly WaitingMessage[]): void {
    this.#rest = messages;
    this.#restBytes = messages.reduce((sum, { value }) => sum + value.length, 0);
  }
}
