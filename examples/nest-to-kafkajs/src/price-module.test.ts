import 'reflect-metadata';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, readTopic } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { PriceFeed, priceModule, ServiceProducer } from './price-module.ts';

describeWithSharedBroker('a Nest service with a kafkajs producer', { version: '4.3.1' }, (broker) => {
  let feed: WebSocketServer;
  beforeAll(async () => {
    feed = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(feed, 'listening');
    feed.on('connection', (socket) => {
      for (let n = 1; n <= 500; n += 1) socket.send(`{"price":${n}}`);
    });
    await createTopic(broker(), 'prices');
  });
  afterAll(() => {
    for (const client of feed.clients) client.terminate();
    feed.close();
  });

  it('writes what it has received before it disconnects the producer', async () => {
    const url = `ws://127.0.0.1:${(feed.address() as AddressInfo).port}/`;
    const app = await NestFactory.create(priceModule(url, [broker().bootstrap]), { logger: false });
    await app.listen(0, '127.0.0.1');
    await waitFor(() => app.get(PriceFeed).health().status === 'up');
    expect((await fetch(`${await app.getUrl()}/ready`)).status).toBe(200);
    // What the service itself sends goes through the same producer, before and after.
    const { producer } = app.get(ServiceProducer);
    await producer.send({ topic: 'prices', messages: [{ key: 'own', value: 'of the service' }] });
    await app.close();

    const records = await readTopic(broker(), 'prices', { count: 501 });
    const ofFeed = records.filter(({ key }) => key === null).map(({ value }) => String(value));
    expect(ofFeed).toEqual(Array.from({ length: 500 }, (_, index) => `{"price":${index + 1}}`));
    await expect(producer.send({ topic: 'prices', messages: [{ value: 'late' }] })).rejects.toThrow(
      'The producer is disconnected',
    );
  });
});
