import { waitFor } from '@levada/connect-runtime-core/testing';
import { rawClient, requestText } from '@levada/test-peers/otlp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openTestReceiver } from './http-receiver.ts';
import { readStatus } from './status-message.ts';

const host = 'Host: a\r\nContent-Type: application/x-protobuf\r\n';
const post = `POST /v1/traces HTTP/1.1\r\n${host}`;

describe('a request that two readers could understand differently', () => {
  it.each([
    ['a length and chunks', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks and a length', `${post}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`],
    ['two equal lengths', `${post}Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde`],
    ['a list of lengths', `${post}Content-Length: 5, 5\r\n\r\nabcde`],
    ['a length with a sign', `${post}Content-Length: +5\r\n\r\nabcde`],
    ['a negative length', `${post}Content-Length: -5\r\n\r\nabcde`],
    ['a hexadecimal length', `${post}Content-Length: 0x5\r\n\r\nabcde`],
    ['a length of blanks', `${post}Content-Length: \r\n\r\nabcde`],
    ['a length beyond 64 bits', `${post}Content-Length: ${'9'.repeat(30)}\r\n\r\n`],
    ['chunks that are not last', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${post}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['a blank before the colon', `${post}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    ['a tab in a name', `${post}Transfer\tEncoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a folded header', `${post}X: a\r\n Transfer-Encoding: chunked\r\n\r\n`],
    ['lines that end with LF alone', `POST /v1/traces HTTP/1.1\nHost: a\nContent-Length: 0\n\n`],
    ['a header that ends with LF alone', `${post}X: a\nContent-Length: 0\r\n\r\n`],
    ['a header that ends with CR alone', `${post}X: a\rContent-Length: 0\r\n\r\n`],
    ['a zero byte in a header', `${post}X: a\0b\r\nContent-Length: 0\r\n\r\n`],
    ['a chunk size with a sign', `${post}Transfer-Encoding: chunked\r\n\r\n+1\r\na\r\n0\r\n\r\n`],
    ['a hexadecimal chunk size with 0x', `${post}Transfer-Encoding: chunked\r\n\r\n0x1\r\na\r\n0\r\n\r\n`],
    ['a chunk size beyond 64 bits', `${post}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\na`],
    ['a chunk that is longer than it says', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n`],
    ['a chunk size that ends with LF alone', `${post}Transfer-Encoding: chunked\r\n\r\n1\na\r\n0\r\n\r\n`],
    ['an extension that ends with LF alone', `${post}Transfer-Encoding: chunked\r\n\r\n1;a\nb\r\n0\r\n\r\n`],
    ['two hosts', `${post}Host: b\r\nContent-Length: 0\r\n\r\n`],
    ['no host', 'POST /v1/traces HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n'],
    ['a blank in the target', `POST /v1/traces /x HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`],
    ['a version of the future', `POST /v1/traces HTTP/3.7\r\n${host}Content-Length: 0\r\n\r\n`],
    ['a version without digits', `POST /v1/traces HTTP/x\r\n${host}Content-Length: 0\r\n\r\n`],
    ['an unknown method', `EXPORT /v1/traces HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`],
  ])('the receiver answers a request with %s with 400 and does not take it', async (_, text) => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(text);
    const answer = await client.answer();
    expect(answer.status).toBe(400);
    const status = readStatus(answer.headers['content-type'], answer.body);
    expect(status).toMatchObject({ code: 3, message: expect.stringMatching(/^the request /) });
    expect(client.rest()).toBe('');
    expect(intake.seen.every((one) => one.body === undefined && one.releases === 1)).toBe(true);
    expect(intake.early.map(({ reason }) => reason)).toStrictEqual(['invalid']);
  });

  it('the receiver answers a request with more than 16 KiB of headers with 431', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`${post}${'X-Filler: abcdefgh\r\n'.repeat(1200)}Content-Length: 0\r\n\r\n`);
    expect(await client.answer()).toMatchObject({ status: 431, headers: { connection: 'close' } });
    expect(await client.ended()).toBe(true);
    expect(intake.early).toMatchObject([{ reason: 'too_large' }]);
  });

  it('the receiver reads all headers of a request with many of them', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`${post}${'a:\r\n'.repeat(3000)}Authorization: last\r\nContent-Length: 0\r\n\r\n`);
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(intake.seen).toMatchObject([{ head: { authorization: 'last' } }]);
  });

  it('the receiver answers a request with endless chunk extensions with 413', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`${post}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(40_000)}`);
    expect(await client.answer()).toMatchObject({ status: 413 });
    expect(await client.ended()).toBe(true);
    expect(intake.seen).toMatchObject([{ body: undefined, releases: 1 }]);
  });

  it('the receiver refuses a request with endless trailers', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`${post}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n${'X: y\r\n'.repeat(10_000)}`);
    expect((await client.answer()).status).toBe(431);
    expect(intake.seen).toMatchObject([{ body: undefined, releases: 1 }]);
  });
});

describe('a body that does not fit its length', () => {
  it('the receiver answers a body shorter than its length with 400 in the format of the request', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`${post}Content-Length: 10\r\n\r\nabc`);
    await waitFor(() => intake.seen[0]?.held.length);
    client.socket.end();
    const answer = await client.answer();
    expect(answer).toMatchObject({ status: 400, headers: { 'content-type': 'application/x-protobuf' } });
    expect(intake.seen).toMatchObject([{ body: undefined, releases: 1 }]);
  });

  it('the receiver refuses a body longer than its length when the rest is not a request', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`${post}Content-Length: 3\r\n\r\nabcdefgh\r\n\r\n`);
    expect(await client.answer()).toMatchObject({ status: 400 });
    expect(await client.ended()).toBe(true);
    expect(intake.seen).toMatchObject([{ body: undefined, releases: 1 }]);
  });

  it('the receiver accepts a body longer than its length when the rest comes later, and refuses the rest', async () => {
    const { receiver, intake } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`${post}Content-Length: 3\r\n\r\nabc`);
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.send('defgh\r\n\r\n');
    expect(await client.answer()).toMatchObject({ status: 400 });
    expect(await client.ended()).toBe(true);
    expect(intake.seen).toMatchObject([{ releases: 1 }]);
  });
});

it('the receiver answers requests under way before it ends a connection on which garbage follows', async () => {
  const { receiver, intake } = await openTestReceiver();
  const gates: (() => void)[] = [];
  intake.onTake = () => new Promise((resolve) => gates.push(() => resolve({ kind: 'accepted' })));
  const client = await rawClient(receiver.port);
  client.send(`${post}Content-Length: 1\r\n\r\na`);
  await waitFor(() => gates.length === 1);
  client.send('garbage\r\n\r\n');
  await waitFor(() => intake.early.length === 1);
  gates[0]?.();
  expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  expect(await client.ended()).toBe(true);
  expect(client.rest()).toBe('');
});

it('the receiver keeps little for a client that sends each byte in a chunk of its own', async () => {
  const { receiver, intake } = await openTestReceiver();
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  const client = await rawClient(receiver.port);
  client.send(`${post}Transfer-Encoding: chunked\r\n\r\n`);
  client.send('1\r\na\r\n'.repeat(500_000));
  await waitFor(() => intake.seen[0]?.held.length === 500_000, { timeoutMs: 15_000 });
  intake.seen[0]?.held.splice(0);
  const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before;
  expect(grown).toBeLessThan(64 * 1024 * 1024);
  client.send('0\r\n\r\n');
  expect(await client.answer()).toMatchObject({ status: 200 });
  expect(intake.seen[0]?.body).toHaveLength(500_000);
});

it('the receiver survives any bytes, answers nothing but 2xx, 4xx and 501, and releases what it admitted', async () => {
  const { receiver, intake, errors } = await openTestReceiver();
  const valid = requestText({ 'Content-Length': '3' }, { body: 'abc' });
  const chunked = requestText(
    { 'Transfer-Encoding': 'chunked' },
    { body: '3;x=y\r\nabc\r\n0\r\nT: u\r\n\r\n' },
  );
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 });
  const property = fc.asyncProperty(fc.constantFrom(valid, chunked), changes, async (text, list) => {
    const bytes = Buffer.from(text + valid);
    for (const [at, byte] of list) bytes[at % bytes.length] = byte;
    const client = await rawClient(receiver.port);
    client.send(bytes);
    client.socket.end();
    await client.ended();
    const statuses = [...client.rest().matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
    // 501: the change hit the name of a transfer encoding.
    const fits = (status: number) => status === 501 || (status < 500 && (status < 300 || status >= 400));
    expect(statuses.every(fits)).toBe(true);
  });
  await fc.assert(property, { numRuns: 200 });
  await waitFor(() => receiver.connections === 0);
  expect(intake.seen.every(({ releases }) => releases === 1)).toBe(true);
  expect(errors).toStrictEqual([]);
});
