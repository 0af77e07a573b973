import type { Clock, ConnectorError, Schema } from '@levada/connect-runtime-core';
import { fingerprint } from '../model/fingerprint.ts';

/** The writer for values of one schema, or the reason why there is none. */
export type Prepared =
  | { readonly write: (value: unknown) => Uint8Array }
  | { readonly failure: ConnectorError; readonly until: number; readonly clock: Clock };

/**
 * Prepared schemas by topic. Looked up by the identity of the schema while it is in use, and otherwise by its content: up to
 * `limit` entries, least recently used first out.
 */
export class PreparedSchemas {
  readonly #limit: number;
  readonly #bySchema = new WeakMap<Schema, Map<string, Prepared>>();
  readonly #schemaless = new Map<string, Prepared>();
  readonly #byText = new Map<string, Prepared>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined if unknown, or if a failure has expired. */
  get(topic: string, schema: Schema | null): Prepared | undefined {
    const found = this.last(topic, schema);
    if (found === undefined || 'write' in found) return found;
    return found.clock.monotonic() < found.until ? found : undefined;
  }

  /** As {@link get}, but including expired failures. */
  last(topic: string, schema: Schema | null): Prepared | undefined {
    return this.#topics(schema)?.get(topic);
  }

  /** As {@link get}. If the schema is unknown but equals a known one, it is remembered with that result. */
  adopt(topic: string, schema: Schema | null): Prepared | undefined {
    const known = this.get(topic, schema);
    if (known !== undefined) return known;
    const key = keyOf(topic, schema);
    const equal = this.#byText.get(key);
    if (equal === undefined || !('write' in equal)) return undefined;
    this.set(topic, schema, equal);
    return equal;
  }

  set(topic: string, schema: Schema | null, prepared: Prepared): void {
    let topics = this.#topics(schema);
    if (topics === undefined && schema !== null) {
      topics = new Map();
      this.#bySchema.set(schema, topics);
    }
    topics?.set(topic, prepared);
    if (!('write' in prepared)) return;
    const key = keyOf(topic, schema);
    this.#byText.delete(key);
    this.#byText.set(key, prepared);
    const [oldest] = this.#byText.keys();
    if (this.#byText.size > this.#limit && oldest !== undefined) this.#byText.delete(oldest);
  }

  #topics(schema: Schema | null): Map<string, Prepared> | undefined {
    return schema === null ? this.#schemaless : this.#bySchema.get(schema);
  }
}

function keyOf(topic: string, schema: Schema | null): string {
  return `${topic}\n${fingerprint(schema)}`;
}
