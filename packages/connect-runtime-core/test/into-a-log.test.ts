import { ConnectorError, pipe } from '@levada/connect-runtime-core';
import { logSink } from '@levada/connect-runtime-core/sinks';
import { createScriptedLog, fakeSource } from '@levada/connect-runtime-core/testing';
import { expect, it } from 'vitest';

it('continues after a record that the log refuses', async () => {
  const log = createScriptedLog();
  const sink = logSink(await log.connect().producer({ clientId: 'test' }));
  log.faults.refuse(({ value }) =>
    String(value) === 'bad' ? new ConnectorError('record_rejected', 'not allowed') : undefined,
  );
  const source = fakeSource({ topic: 'prices', records: ['one', 'bad', 'two'] });
  const run = pipe(source, sink, { tolerant: true });
  await source.feed.settled();
  expect(log.values('prices')).toEqual(['one', 'two']);
  expect(run.status()).toMatchObject({ RecordsProduced: 2, DroppedProduceRejected: 1 });
  await run.close();
});
