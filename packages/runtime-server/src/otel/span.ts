import { randomBytes } from 'node:crypto';

/** One thing that the worker did, with its time. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** `server`: it answered a request. */
  readonly kind: 'server' | 'internal';
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly failed: boolean;
}

/** What a span is made of; ids are added. */
export interface SpanInput extends Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'> {
  /** The `traceparent` header of the request, which makes this a part of the caller's trace. */
  readonly traceparent?: string | undefined;
}

/** A span with ids, in the trace of its caller if there is one; undefined when the caller's trace is not recorded. */
export function makeSpan({ traceparent, ...span }: SpanInput): Span | undefined {
  const parent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/.exec(traceparent ?? '');
  const [, traceId, parentSpanId, flags = ''] = parent ?? [];
  if (parent !== null && (Number.parseInt(flags, 16) & 1) === 0) return undefined;
  return {
    ...span,
    traceId: traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    parentSpanId,
  };
}

/** Spans that wait to be sent. What does not fit is counted, and lost. */
export class SpanBuffer {
  readonly #capacity: number;
  readonly #spans: Span[] = [];
  #lost = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#spans.length;
  }

  /** Spans that were never sent. */
  get lost(): number {
    return this.#lost;
  }

  add(span: Span): void {
    if (this.#spans.length < this.#capacity) this.#spans.push(span);
    else this.#lost += 1;
  }

  /** The oldest of them; they stay until they are removed. */
  first(count: number): readonly Span[] {
    return this.#spans.slice(0, count);
  }

  /** Removes the oldest: they were sent, or given up. */
  remove(count: number, outcome: 'sent' | 'lost'): void {
    const removed = this.#spans.splice(0, count).length;
    if (outcome === 'lost') this.#lost += removed;
  }
}
