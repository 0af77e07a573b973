import type { LogRecord } from '@levada/connect-runtime-core/platform';

const encoder = new TextEncoder();

/** A record with a text value. */
export function record(topic: string, value: string | null, rest: Partial<LogRecord> = {}): LogRecord {
  return {
    topic,
    partition: null,
    key: null,
    value: value === null ? null : bytes(value),
    timestamp: 1_700_000_000_000,
    headers: [],
    ...rest,
  };
}

export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of bytes; null stays null. */
export function text(content: Uint8Array | null): string | null {
  return content === null ? null : new TextDecoder().decode(content);
}

export async function collect<T>(items: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= most) break;
  }
  return found;
}
