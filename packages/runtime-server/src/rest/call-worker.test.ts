import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askWorker, callWorker, forward, signatureOf } from './call-worker.ts';
import { MAX_ANSWER_BYTES } from './exchange.ts';
import type { RestRequest } from './message/rest-message.ts';

interface Seen {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** Another worker, which gives every request the same answer. */
async function otherWorker(status: number, body: string) {
  const seen: Seen[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    seen.push({ request, body: await text(request) });
    response.writeHead(status, {
      'content-type': 'application/json',
      location: 'http://elsewhere/connectors/a',
    });
    response.end(body);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

function request(target: string, more: Partial<RestRequest> = {}): RestRequest {
  return {
    method: 'PUT',
    target,
    headers: new Map([
      ['authorization', 'Basic eDp5'],
      ['cookie', 'secret'],
      ['x-connect-authorization', 'c2ln'],
    ]),
    body: Buffer.from('{"a":1}'),
    baseUrl: 'http://here:8083',
    ...more,
  };
}

describe('forwarding to another worker', () => {
  it('hands on method, path, body and credentials, and hands back status, type, location and body', async () => {
    const { seen, url } = await otherWorker(201, '{"name":"a"}');
    expect(await forward(request('/connectors/a%2Fb%20%7B/config?x=1'), url)).toEqual({
      status: 201,
      headers: { 'content-type': 'application/json', location: 'http://elsewhere/connectors/a' },
      body: '{"name":"a"}',
    });
    const [{ request: got, body }] = seen as [Seen];
    expect(got.method).toBe('PUT');
    expect(got.url).toBe('/connectors/a%2Fb%20%7B/config?x=1&forward=true');
    expect(body).toBe('{"a":1}');
    expect(got.headers).toMatchObject({
      authorization: 'Basic eDp5',
      'x-connect-authorization': 'c2ln',
      'content-type': 'application/json',
      'user-agent': 'kafka-connect',
    });
    expect(got.headers.cookie).toBeUndefined();
  });

  it('forwards a request a second time, and then answers 409', async () => {
    const { seen, url } = await otherWorker(204, '');
    expect(await forward(request('/connectors/a/pause?forward=true'), url)).toMatchObject({ status: 204 });
    expect(seen[0]?.request.url).toBe('/connectors/a/pause?forward=false');
    await expect(forward(request('/connectors/a/pause?forward=false'), url)).rejects.toMatchObject({
      status: 409,
      message: 'Cannot complete request because of a conflicting operation (e.g. worker rebalance)',
    });
  });

  it('sends the names that are relative paths as they came', async () => {
    const { seen, url } = await otherWorker(204, '');
    await forward(request('/connectors/%2e%2e/config'), url);
    await forward(request('/connectors/../config'), url);
    await forward(request('/connectors/./config'), url);
    expect(seen.map(({ request: { url: target } }) => target)).toEqual([
      '/connectors/%2e%2e/config?forward=true',
      '/connectors/../config?forward=true',
      '/connectors/./config?forward=true',
    ]);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'worker-1:8083', ''])(
    'refuses %j as the URL of a worker',
    async (url) => {
      await expect(forward(request('/connectors/a/pause'), url)).rejects.toMatchObject({
        status: 500,
        message: expect.stringContaining(`the worker is at "${url}", which is no http or https URL`),
      });
    },
  );

  it('gives an answer up that is too long', async () => {
    const { url } = await otherWorker(200, 'x'.repeat(MAX_ANSWER_BYTES + 1));
    await expect(forward(request('/connectors/a/status'), url)).rejects.toMatchObject({
      status: 500,
      message: `IO Error trying to forward REST request: the answer is longer than ${MAX_ANSWER_BYTES} bytes`,
    });
  });

  it('answers 409 at the second hop also while no leader is known', async () => {
    await expect(forward(request('/connectors?forward=false'), undefined)).rejects.toMatchObject({
      status: 409,
      message: 'Cannot complete request because of a conflicting operation (e.g. worker rebalance)',
    });
  });

  it('answers 409 while no leader is known', async () => {
    await expect(forward(request('/connectors'), undefined)).rejects.toMatchObject({
      status: 409,
      message:
        'Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway.',
    });
  });

  it('answers 500 as Kafka Connect when nothing listens at the address of the leader, and reports it', async () => {
    const message = 'IO Error trying to forward REST request: java.net.ConnectException: Connection refused';
    const reported: string[] = [];
    const onFailure = (url: string, reason: string): void => void reported.push(`${url} ${reason}`);
    const sent = forward(request('/connectors'), 'http://127.0.0.1:1/', { onFailure });
    await expect(sent).rejects.toMatchObject({ status: 500, message });
    expect(reported).toEqual([`http://127.0.0.1:1/ ${message}`]);
  });

  it.each([
    '//evil.invalid/connectors',
    'xhttp://evil.invalid/connectors',
    'http://evil.invalid:9/connectors',
    '/@evil.invalid/connectors',
  ])('sends only to the other worker, whatever the request target is: %s', async (target) => {
    const { seen, url } = await otherWorker(200, '[]');
    await forward(request(target, { method: 'DELETE' }), url);
    expect(seen).toHaveLength(1);
  });
});

describe('a question to another worker', () => {
  it('is not asked at a URL with a path, a query or credentials', async () => {
    const { seen, url } = await otherWorker(200, '{}');
    const { host } = new URL(url);
    for (const text of [`${url}admin/`, `${url}?a=1`, `http://user:secret@${host}/`]) {
      const asking = askWorker({ baseUrl: text, path: '', timeoutMs: 5_000 });
      await expect(asking).rejects.toThrow('a URL with a path, a query or credentials');
    }
    expect(seen).toEqual([]);
    expect(await askWorker({ baseUrl: url, path: '', timeoutMs: 5_000 })).toEqual({ status: 200, body: {} });
    expect(seen).toHaveLength(1);
  });

  it('is given up when its answer is longer than 1 MiB, or its asker ends the wait', async () => {
    const { url } = await otherWorker(200, JSON.stringify('x'.repeat(1024 * 1024)));
    const question = { baseUrl: url, path: '', timeoutMs: 5_000 };
    await expect(askWorker(question)).rejects.toThrow('the answer is longer than 1048576 bytes');
    await expect(askWorker({ ...question, signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });
});

describe('a request to another worker', () => {
  const call = { method: 'POST', path: ['connectors', 'a/b', 'tasks'], body: '[]' } as const;

  it('signs a request to another worker, and rejects unless it succeeds', async () => {
    const { seen, url } = await otherWorker(204, '');
    const signature = { algorithm: 'HmacSHA256', signature: Buffer.from('sig') };
    await callWorker({ ...call, baseUrl: url, signature });
    const [{ request: got, body }] = seen as [Seen];
    expect([got.method, got.url, body]).toEqual(['POST', '/connectors/a%2Fb/tasks?forward=true', '[]']);
    const headers = new Map(Object.entries(got.headers).map(([name, value]) => [name, String(value)]));
    expect(signatureOf(headers)).toEqual(signature);
    await callWorker({ ...call, path: ['connectors', '..', 'tasks'], baseUrl: url, signature });
    expect(seen[1]?.request.url).toBe('/connectors/%2E%2E/tasks?forward=true');
    expect(() => signatureOf(new Map([...headers, ['x-connect-authorization', '*']]))).toThrow(
      'Illegal base64 character',
    );
    const refusing = await otherWorker(403, 'no');
    await expect(callWorker({ ...call, baseUrl: refusing.url, signature: undefined })).rejects.toMatchObject({
      status: 403,
      message: `the leader at ${refusing.url} answered 403: no`,
    });
    expect(signatureOf(new Map())).toBeUndefined();
  });
});

describe('a question to another worker', () => {
  it('fails with one line when the other worker speaks no TLS', async () => {
    const { url } = await otherWorker(200, '{}');
    const asked = askWorker({ baseUrl: url.replace('http:', 'https:'), path: '', timeoutMs: 10_000 });
    await expect(asked).rejects.toMatchObject({ message: expect.stringMatching(/^\S.*(?:SSL|TLS).*\S$/) });
  });
});
