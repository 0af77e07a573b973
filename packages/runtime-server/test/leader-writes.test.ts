import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { openKafkaPlatform } from '@levada/platform-kafka';
import { expect, it } from 'vitest';
import { onCluster } from './end-to-end/worker-process.ts';
import { startInProcess } from './worker-in-process.ts';

describeWithSharedBroker('the leader of a group on a Kafka cluster', {}, (broker) => {
  it('writes no configuration after another leader has taken over, and again while it still leads', async () => {
    const group = 'leader-writes';
    const { worker, end, text } = await startInProcess({
      ...onCluster(broker().bootstrap, group),
      'exactly.once.source.support': 'preparing',
    });
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(new URL(path, worker.url), {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    await waitFor(async () => (await call('GET', '/health')).status === 200, { what: text });
    const config = {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'websocket.url': 'ws://127.0.0.1:1/',
      'platform.topic': group,
    };
    const put = (name: string) => call('PUT', `/connectors/${name}/config`, config);
    expect(await put('first')).toMatchObject({ status: 201 });
    // Its tasks are the leader's next write, which must not be the one that finds out
    await waitFor(async () => (await call('GET', '/connectors/first/tasks')).text !== '[]', { what: text });
    const successor = await openKafkaPlatform({
      config: { 'bootstrap.servers': broker().bootstrap },
      logger: silentLogger,
      clock: systemClock,
    });
    await successor.transactions?.producer(
      { clientId: 'successor', transactionalId: `connect-cluster-${group}` },
      new AbortController().signal,
    );
    expect(await put('second')).toMatchObject({
      status: 503,
      text: expect.stringContaining('Failed to write to config topic'),
    });
    expect((await call('GET', '/connectors')).text).toBe('["first"]');
    expect(await put('second')).toMatchObject({ status: 201 });
    await successor.close();
    expect(await end()).toBe(0);
  });
});
