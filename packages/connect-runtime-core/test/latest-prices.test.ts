import { createManualClock, fakeSource } from '@levada/connect-runtime-core/testing';
import { expect, it } from 'vitest';
import { latestPrices } from './latest-prices.ts';

it('keeps the latest price of each symbol', async () => {
  const source = fakeSource();
  const service = latestPrices(source);
  source.feed.sendJson({ symbol: 'ABC', price: 7 }, { symbol: 'DEF', price: 1 }, { symbol: 'ABC', price: 8 });
  await source.feed.delivered(3);
  expect([service.price('ABC'), service.price('DEF')]).toEqual([8, 1]);
  await service.close();
});

it('is not ready while the feed is away', async () => {
  const source = fakeSource();
  const service = latestPrices(source);
  await source.ready();
  expect(service.ready()).toBe(true);
  source.feed.disconnect('maintenance');
  expect(service.ready()).toBe(false);
  source.feed.reconnect();
  expect(service.ready()).toBe(true);
  await service.close();
});

it('is not ready when the feed has been silent for a minute', async () => {
  const clock = createManualClock();
  const source = fakeSource({ clock, records: ['{"symbol":"ABC","price":7}'] });
  const service = latestPrices(source);
  await source.feed.delivered(1);
  await clock.advance(60_000);
  expect(service.ready()).toBe(true);
  await clock.advance(1);
  expect(service.ready()).toBe(false);
  await service.close();
});

it('counts what was lost', async () => {
  const source = fakeSource();
  const service = latestPrices(source);
  await source.ready();
  source.feed.drop(12, 'queue_full');
  expect(service.lost()).toBe(12);
  await service.close();
});

it('ends with the failure of the feed, after the prices before it', async () => {
  const source = fakeSource({ records: ['{"symbol":"ABC","price":7}'] });
  source.feed.fail('the subscription has expired');
  const service = latestPrices(source);
  await expect(service.over).rejects.toThrow('the subscription has expired');
  expect(service.price('ABC')).toBe(7);
});

it('takes what was received before it is closed', async () => {
  const source = fakeSource({ records: ['{"symbol":"ABC","price":7}'] });
  const service = latestPrices(source);
  await source.ready();
  await service.close();
  await service.over;
  expect([service.price('ABC'), service.ready()]).toEqual([7, false]);
});
