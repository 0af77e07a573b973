import { pipe, type SourceOffset } from '@levada/connect-runtime-core';
import {
  each,
  eachBatch,
  fileOffsets,
  type OffsetStore,
  type Sink,
} from '@levada/connect-runtime-core/sinks';
import { tickerSource } from './ticker.ts';

const options = { topic: 'ticks', intervalMs: 10 };

// A function for each record: ten at once, those of one key in order, each tried four times.
export const rows: unknown[] = [];
const source = tickerSource({ ...options, offsets: fileOffsets('ticks.offsets.json') });
const insert = each(
  async ({ value }) => {
    if (rows.push(value) === 3) void source.close(); // not awaited here: the close waits for this record
  },
  { concurrency: 10, retries: 3 },
);
export const report = await pipe(source, insert).done; // { delivered: 3, undelivered: 0 }

// A function for each batch.
export const sizes: number[] = [];
const inBatches = tickerSource(options);
const insertAll = eachBatch((records) => {
  if (sizes.push(records.length) === 2) void inBatches.close();
});
await pipe(inBatches, insertAll).done;

// A sink of your own says the outcome of each record, by its index in the batch.
export const kept: unknown[] = [];
const toSink = tickerSource(options);
const sink: Sink = {
  open: async () => ({
    send: async (batch) => {
      if (kept.push(...batch) >= 2) void toSink.close();
      return { stored: batch.length, failures: [] };
    },
  }),
};
await pipe(toSink, sink).done;

// An offset store of your own. The keys of a partition are always in the same order.
const table = new Map<string, SourceOffset>();
export const offsets: OffsetStore = {
  read: async (name, partition) => table.get(JSON.stringify([name, partition])),
  write: async (name, changed) => {
    for (const { partition, offset } of changed) table.set(JSON.stringify([name, partition]), offset);
  },
};
