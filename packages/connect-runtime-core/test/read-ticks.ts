import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { tickerSource } from './ticker.ts';

const options = { topic: 'ticks', intervalMs: 10 };

// Values as text, and an end: the last record counts as delivered.
export const texts: string[] = [];
for await (const { value } of tickerSource(options).text().limit(2)) texts.push(value);

// Values of your own making. What the function throws for is skipped, counted and reported as `dropped`.
export const times: number[] = [];
const asTimes = tickerSource(options).decode(({ value }) => Date.parse(String(value)), { onInvalid: 'skip' });
for await (const { value } of asTimes.until(() => times.length === 3)) times.push(value);

// Batches of up to 100 records, or of what came within 50 ms of the first one.
export const sizes: number[] = [];
for await (const batch of tickerSource(options).batches({ max: 100, maxWaitMs: 50 }).limit(2)) {
  sizes.push(batch.length);
}

// A stream of Node, and one of the web.
export const lines = await Readable.from(tickerSource(options).text().limit(2))
  .map(({ value }: { value: string }) => `${value}\n`)
  .toArray();
const reader = ReadableStream.from(tickerSource(options)).getReader();
export const first = await reader.read();
await reader.cancel(); // closes the source
