// Reads a stream of numbered events until its last one, and appends the id of each to a file. Killed and started again by tests.
import { appendFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { pipe } from '@levada/connect-runtime-core';
import { each, fileOffsets } from '@levada/connect-runtime-core/sinks';
import { sqliteOffsets } from '@levada/platform-embedded';
import { grpcSource } from '@levada/source-grpc';
import { testDescriptor } from '@levada/test-peers/grpc';

const [way, port, offsets = '', output = '', last = ''] = process.argv.slice(2);

const source = grpcSource({
  host: '127.0.0.1',
  port: Number(port),
  service: 'teststream.RichService',
  method: 'Watch',
  descriptor: testDescriptor(),
  resume: { field: 'after_id', from: '/eventId' },
  name: 'events',
  topic: 'events',
  offsets:
    way === 'loop'
      ? fileOffsets(offsets, { flushIntervalMs: 10 })
      : sqliteOffsets(offsets, { flushIntervalMs: 10 }),
});

const store = async (value: unknown): Promise<boolean> => {
  const { eventId } = JSON.parse(String(value)) as { eventId: string };
  appendFileSync(output, `${eventId}\n`);
  await setImmediate();
  return eventId === last;
};

if (way === 'loop') {
  let isOver = false;
  for await (const { value } of source.until(() => isOver)) isOver = await store(value);
} else {
  const run = pipe(
    source,
    each(async ({ value }) => {
      // Not awaited: a close waits for what is on its way.
      if (await store(value)) void source.close();
    }),
  );
  await run.done;
}
