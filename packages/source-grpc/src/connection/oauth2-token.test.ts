import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Secret } from '@levada/connect-runtime-core';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type TokenEndpoint, TokenSource } from './oauth2-token.ts';

interface Seen {
  readonly authorization: string | undefined;
  readonly form: Readonly<Record<string, string>>;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A token endpoint; `answer` makes status and body of the n-th request, from 1; undefined: it says nothing. */
async function tokenServer(answer: (n: number) => readonly [number, string] | undefined) {
  const seen: Seen[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push({
      authorization: request.headers.authorization,
      form: Object.fromEntries(new URLSearchParams(await textOf(request))),
    });
    const answered = answer(seen.length);
    if (answered !== undefined) response.writeHead(answered[0]).end(answered[1]);
  };
  const server = createServer((request, response) => void take(request, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token?x=1`;
  const endpoint: TokenEndpoint = {
    url,
    clientId: 'id:1',
    clientSecret: new Secret('s ecret'),
    scope: 'read write',
    audience: 'feed',
  };
  return { seen, endpoint };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const token = (n: number, life?: number): readonly [number, string] => [
  200,
  JSON.stringify({ access_token: `t${n}`, token_type: 'Bearer', expires_in: life }),
];
const never = new AbortController().signal;

describe('TokenSource', () => {
  it('asks by client credentials, as RFC 6749 has it', async () => {
    const { seen, endpoint } = await tokenServer((n) => token(n, 60));
    const tokens = new TokenSource(createManualClock());
    expect(await tokens.authorization(endpoint, never)).toBe('Bearer t1');
    const credentials = Buffer.from('id%3A1:s%20ecret').toString('base64');
    expect(seen).toEqual([
      {
        authorization: `Basic ${credentials}`,
        form: { grant_type: 'client_credentials', scope: 'read write', audience: 'feed' },
      },
    ]);
  });

  it('keeps a token for four fifths of its life', async () => {
    const { endpoint } = await tokenServer((n) => token(n, 100));
    const clock = createManualClock();
    const tokens = new TokenSource(clock);
    await tokens.authorization(endpoint, never);
    await clock.advance(79_000);
    expect(await tokens.authorization(endpoint, never)).toBe('Bearer t1');
    await clock.advance(1000);
    expect(await tokens.authorization(endpoint, never)).toBe('Bearer t2');
  });

  it('fetches a new one once the server did not accept the last', async () => {
    const { endpoint } = await tokenServer((n) => token(n, 100));
    const tokens = new TokenSource(createManualClock());
    await tokens.authorization(endpoint, never);
    tokens.invalidate();
    expect(await tokens.authorization(endpoint, never)).toBe('Bearer t2');
  });

  it.each([
    [
      'a refusal, with its code',
      [401, '{"error":"invalid_client","error_description":"s ecret"}'],
      'HTTP 401 invalid_client',
    ],
    ['a redirect, which is not followed', [302, ''], 'HTTP 302'],
    ['no JSON', [200, '<html>t1</html>'], 'the answer is no JSON object'],
    ['no token', [200, '{}'], 'no access_token in the answer'],
    [
      'a token that is no header value',
      [200, '{"access_token":"a\\r\\nb"}'],
      'no access_token in the answer',
    ],
    ['an endless answer', [200, 'x'.repeat(100_000)], 'answer is longer than 65536 bytes'],
  ] as const)('says of %s', async (_, answer, reason) => {
    const { endpoint } = await tokenServer(() => answer);
    const { origin } = new URL(endpoint.url);
    const fetched = new TokenSource(createManualClock()).authorization(endpoint, never);
    await expect(fetched).rejects.toMatchObject({
      code: 'connection_failed',
      retriable: true,
      message: `no token from ${origin}/token: ${reason}`,
    });
  });

  it('takes no change of protocol for an answer', async () => {
    const { endpoint } = await tokenServer(() => undefined);
    servers[0]?.on('request', (_, response) => {
      response.writeHead(101, { connection: 'Upgrade', upgrade: 'other' }).end();
    });
    const fetched = new TokenSource(createManualClock()).authorization(endpoint, never);
    await expect(fetched).rejects.toThrow('/token: HTTP 101');
  });

  it('gives up a silent endpoint after 10 seconds', async () => {
    const clock = createManualClock();
    const { seen, endpoint } = await tokenServer(() => undefined);
    const fetched = new TokenSource(clock).authorization(endpoint, never);
    fetched.catch(() => undefined); // asserted below
    await expect.poll(() => seen.length).toBe(1);
    await clock.advance(10_000);
    await expect(fetched).rejects.toThrow('no answer within 10000 ms');
  });

  it('ends with its signal', async () => {
    const stop = new AbortController();
    const { seen, endpoint } = await tokenServer(() => undefined);
    const fetched = new TokenSource(createManualClock()).authorization(endpoint, stop.signal);
    fetched.catch(() => undefined); // asserted below
    await expect.poll(() => seen.length).toBe(1);
    stop.abort();
    await expect(fetched).rejects.toMatchObject({ code: 'connection_failed' });
  });
});
