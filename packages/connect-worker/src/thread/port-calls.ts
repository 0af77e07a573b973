import { ConnectorError } from '@levada/connect-runtime-core';
import type { ConnectorErrorJson } from '@levada/connect-runtime-core/errors';

/** A request to the other side of a port, the end of the wish for its answer, or the answer. */
export type CallMessage =
  | { readonly kind: 'call'; readonly id: number; readonly what: string; readonly given: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: ConnectorErrorJson };

/** Carries out requests of the other side. What it resolves with must be plain data. The signal aborts when no one waits any more. */
export type CallHandlers<What extends string> = Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: each request has a type of its own, which the caller and the handler state
  Record<What, (given: any, signal: AbortSignal) => Promise<unknown>>
>;

/** Requests and answers over a port, in both directions. Errors arrive as ConnectorErrors. */
export class PortCalls<Asks extends string, Answers extends string> {
  readonly #post: (message: CallMessage) => void;
  readonly #handlers: CallHandlers<Answers>;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #underWay = new Map<number, AbortController>();
  #next = 0;
  #closed: ConnectorError | undefined;

  constructor(post: (message: CallMessage) => void, handlers: CallHandlers<Answers>) {
    this.#post = post;
    this.#handlers = handlers;
  }

  /** Rejects with what the other side does, `aborted` when the signal is, and with the reason of {@link close}. */
  async call<T>(what: Asks, given?: unknown, signal?: AbortSignal): Promise<T> {
    if (this.#closed !== undefined) throw this.#closed;
    if (signal?.aborted === true) throw aborted(what);
    const id = this.#next;
    this.#next += 1;
    const waiting = Promise.withResolvers<unknown>();
    const abort = (): void => {
      this.#post({ kind: 'cancel', id });
      waiting.reject(aborted(what));
    };
    this.#waiting.set(id, waiting);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      this.#post({ kind: 'call', id, what, given });
      return (await waiting.promise) as T;
    } finally {
      this.#waiting.delete(id);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Takes a message of the other side. */
  take(message: CallMessage): void {
    const { id } = message;
    if (message.kind === 'call') void this.#carryOut(message);
    else if (message.kind === 'cancel') this.#underWay.get(id)?.abort();
    else if (message.kind === 'answer') this.#waiting.get(id)?.resolve(message.value);
    else this.#waiting.get(id)?.reject(ConnectorError.fromJSON(message.error));
  }

  /** The other side is gone: nothing is answered any more. */
  close(reason: ConnectorError): void {
    this.#closed ??= reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
    for (const underWay of this.#underWay.values()) underWay.abort();
  }

  async #carryOut({ id, what, given }: CallMessage & { readonly kind: 'call' }): Promise<void> {
    const controller = new AbortController();
    this.#underWay.set(id, controller);
    try {
      const handler = this.#handlers[what as Answers];
      const value = await handler(given, controller.signal);
      if (this.#closed === undefined) this.#post({ kind: 'answer', id, value });
    } catch (thrown) {
      const error = ConnectorError.from(thrown).toJSON();
      if (this.#closed === undefined) this.#post({ kind: 'refusal', id, error });
    } finally {
      this.#underWay.delete(id);
    }
  }
}

/** Whether a message belongs to {@link PortCalls}. */
export function isCall<M extends { readonly kind: string }>(
  message: M | CallMessage,
): message is CallMessage {
  return callKinds.has(message.kind);
}

const callKinds: ReadonlySet<string> = new Set<CallMessage['kind']>(['call', 'cancel', 'answer', 'refusal']);

function aborted(what: string): ConnectorError {
  return new ConnectorError('aborted', `${what} was cancelled`);
}
