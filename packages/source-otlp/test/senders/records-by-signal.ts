import type { SourceRecord } from '@levada/connect-runtime-core';
import { texts } from '../running-task.ts';

/** The value of the one record of each signal, by signal. Throws when a signal has two. */
export function bySignal(records: readonly SourceRecord[]): Readonly<Record<string, unknown>> {
  const values = new Map<string, unknown>();
  for (const record of records) {
    const signal = record.topic.replace('otlp-', '');
    if (values.has(signal)) throw new Error(`two records of ${signal}`);
    values.set(signal, JSON.parse(texts([record])[0] ?? ''));
  }
  return Object.fromEntries(values);
}
