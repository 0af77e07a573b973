import { type RawAnswer, rawClient, requestText } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { openTestReceiver } from './http-receiver.ts';

const shop = 'https://shop.example';
const cors = { origins: [shop, 'https://other.example'], headers: ['X-Tenant'], maxAgeSeconds: 600 };
const body = { 'Content-Length': '2', 'Content-Type': 'application/json' };
const preflight = {
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type',
};

type Headers = Readonly<Record<string, string>>;

async function post(port: number, headers: Headers): Promise<RawAnswer> {
  const client = await rawClient(port);
  client.send(requestText({ ...body, ...headers }, { body: '{}' }));
  return client.answer();
}

async function ask(port: number, headers: Headers): Promise<RawAnswer> {
  const client = await rawClient(port);
  client.send(requestText(headers, { start: 'OPTIONS /v1/traces HTTP/1.1' }));
  return client.answer();
}

function corsHeaders(answer: RawAnswer): readonly string[] {
  return Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'));
}

describe('without allowed origins', () => {
  it.each([
    ['another site', { Origin: shop }],
    ['another port of the same host', { Host: 'a:4318', Origin: 'http://a:8080' }],
    ['another scheme', { Host: 'a', Origin: 'https://a' }],
    ['an opaque origin', { Origin: 'null' }],
    ['two origins', { Origin: 'http://collector, http://collector' }],
    ['another site, without telling its origin', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('the receiver refuses a page of %s before any other check', async (_, headers) => {
    const { receiver, intake } = await openTestReceiver();
    const answer = await post(receiver.port, headers);
    expect(answer.status).toBe(403);
    expect(corsHeaders(answer)).toStrictEqual([]);
    expect(intake.seen).toStrictEqual([]);
    expect(intake.early).toMatchObject([{ reason: 'forbidden' }]);
  });

  it('the receiver accepts exports of a page of the receiver itself', async () => {
    const { receiver } = await openTestReceiver();
    const answer = await post(receiver.port, {
      Host: 'LocalHost:4318',
      Origin: 'http://localhost:4318',
      'Sec-Fetch-Site': 'same-origin',
    });
    expect(answer.status).toBe(200);
  });

  it('the receiver refuses a preflight request like an unknown method without allowed origins', async () => {
    const { receiver } = await openTestReceiver();
    expect(await ask(receiver.port, preflight)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    const answer = await ask(receiver.port, { Origin: shop, ...preflight });
    expect(answer.status).toBe(403);
    expect(corsHeaders(answer)).toStrictEqual([]);
  });
});

describe('with allowed origins', () => {
  it('the receiver answers preflight requests of pages of allowed origins with their permissions', async () => {
    const { receiver, intake } = await openTestReceiver({ cors });
    expect(await ask(receiver.port, { Origin: shop, ...preflight })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': shop,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Content-Type, Content-Encoding, Authorization, X-Tenant',
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    });
    expect(intake.early).toStrictEqual([]);
  });

  it.each([shop, 'https://Other.example'])(
    'the receiver accepts exports of the page %s, and lets it read the answer',
    async (origin) => {
      const { receiver } = await openTestReceiver({ cors });
      const answer = await post(receiver.port, { Origin: origin, 'Sec-Fetch-Site': 'cross-site' });
      expect(answer).toMatchObject({
        status: 200,
        headers: {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'Retry-After',
          vary: 'Origin',
        },
      });
    },
  );

  it('the receiver lets pages of allowed origins read why a request was refused', async () => {
    const { receiver, intake } = await openTestReceiver({ cors });
    intake.onTake = () => ({ kind: 'refused', reason: 'unavailable', message: 'later' });
    expect(await post(receiver.port, { Origin: shop })).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1', 'access-control-allow-origin': shop },
    });
  });

  it.each([
    'https://shop.example.evil',
    'https://evil-shop.example',
    'http://shop.example',
    'https://shop.example:444',
    'null',
  ])('the receiver refuses the page %s without CORS headers', async (origin) => {
    const { receiver } = await openTestReceiver({ cors });
    for (const answer of [
      await post(receiver.port, { Origin: origin }),
      await ask(receiver.port, { Origin: origin, ...preflight }),
    ]) {
      expect(answer.status).toBe(403);
      expect(corsHeaders(answer)).toStrictEqual([]);
    }
  });

  it('the receiver refuses OPTIONS without a preflight request like an unknown method', async () => {
    const { receiver } = await openTestReceiver({ cors });
    expect(await ask(receiver.port, { Origin: shop })).toMatchObject({ status: 405 });
    expect(await ask(receiver.port, {})).toMatchObject({ status: 405 });
  });

  it('the receiver accepts exporters outside of browsers without CORS headers', async () => {
    const { receiver } = await openTestReceiver({ cors });
    const answer = await post(receiver.port, {});
    expect(answer.status).toBe(200);
    expect(corsHeaders(answer)).toStrictEqual([]);
  });
});

describe('with an origin that has a wildcard', () => {
  const wildcard = { ...cors, origins: ['https://*.Shop.example', 'http://*.dev.example:8080'] };

  it.each([
    'https://eu.shop.example',
    'https://a.b-c.shop.example',
    'https://xn--caf-dma.shop.example',
    'http://a_1.dev.example:8080',
  ])('the receiver accepts exports of the page %s for an origin with a wildcard', async (origin) => {
    const { receiver } = await openTestReceiver({ cors: wildcard });
    expect(await post(receiver.port, { Origin: origin })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin, vary: 'Origin' },
    });
    expect((await ask(receiver.port, { Origin: origin, ...preflight })).status).toBe(204);
  });

  it.each([
    'https://shop.example',
    'https://evilshop.example',
    'https://.shop.example',
    'https://a..shop.example',
    'http://eu.shop.example',
    'https://eu.shop.example:444',
    'https://eu.shop.example.evil',
    'https://evil.example/.shop.example',
    'https://evil.example?.shop.example',
    'https://evil.example#.shop.example',
    'https://evil@eu.shop.example',
    'https://evil.example:1@eu.shop.example',
    'https://evil.example:80.shop.example',
    'https://*.shop.example.',
    'https://eu.shopXexample',
    'http://a.dev.example',
    'null',
  ])('the receiver refuses the page %s for an origin with a wildcard', async (origin) => {
    const { receiver } = await openTestReceiver({ cors: wildcard });
    expect((await post(receiver.port, { Origin: origin })).status).toBe(403);
  });

  it('the receiver decides about a long origin at once', async () => {
    const { receiver } = await openTestReceiver({ cors: wildcard });
    const origin = `https://${'a.'.repeat(5000)}shop.example!`;
    expect((await post(receiver.port, { Origin: origin })).status).toBe(403);
  });
});

it('the receiver accepts pages of any origin with the wildcard *', async () => {
  const { receiver } = await openTestReceiver({ cors: { ...cors, origins: ['*'] } });
  for (const origin of ['http://anything.example:99', 'null']) {
    expect(await post(receiver.port, { Origin: origin })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin },
    });
  }
});
