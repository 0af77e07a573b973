import { gzipSync } from 'node:zlib';
import { type RawAnswer, rawClient, requestText } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import type { BodyForm } from '../src/receive/admission/export-intake.ts';
import { type RefusalReason, refusals, refuse } from '../src/receive/admission/export-outcome.ts';
import { openTestReceiver, type TestReceiver } from './http-receiver.ts';
import { readStatus } from './status-message.ts';

const forms: Readonly<Record<BodyForm, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};
const reasons = Object.keys(refusals) as RefusalReason[];
/** HTTP statuses that exporters send again (OTLP specification, "OTLP/HTTP Response"). */
const retryable = [429, 502, 503, 504];

interface Refused {
  readonly title: string;
  readonly start?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly expected: {
    readonly status: number;
    readonly code: number;
    readonly message: string;
    readonly headers?: Readonly<Record<string, string>>;
    /** Undefined: it is not an export, and not counted. */
    readonly counted: RefusalReason | undefined;
  };
}

const limit = 1024 * 1024;
const compressedLimit = 256 * 1024;
const wrongPath = { status: 404, code: 12, counted: 'unsupported' } as const;
const wrongMethod = { status: 405, code: 12, counted: undefined, headers: { allow: 'POST' } } as const;
const wrongEncoding = {
  status: 415,
  code: 12,
  counted: 'unsupported',
  headers: { 'accept-encoding': 'gzip, deflate, zstd' },
} as const;

const rows: readonly Refused[] = [
  ...['/v1/traces/', '/V1/traces', '/v1/tracesX', '/v1/%74races', '/v1//traces', '/', '*'].map((path) => ({
    title: `the path ${path}`,
    start: `POST ${path} HTTP/1.1`,
    expected: { ...wrongPath, message: `no signal is received at '${path}'` },
  })),
  ...['GET', 'PUT', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE'].map((method) => ({
    title: `the method ${method}`,
    start: `${method} /v1/traces HTTP/1.1`,
    expected: { ...wrongMethod, message: `exports are sent with POST, not with ${method}` },
  })),
  ...['br', 'gzip, gzip', 'gzip, identity', 'x-gzip', 'compress', 'gzip;q=1'].map((encoding) => ({
    title: `the Content-Encoding ${encoding}`,
    headers: { 'Content-Encoding': encoding },
    expected: {
      ...wrongEncoding,
      message: `the Content-Encoding is '${encoding}', expected one of: identity, gzip, deflate, zstd`,
    },
  })),
  ...['gzip, chunked', 'Identity, Chunked', 'xchunked'].map((encoding) => ({
    title: `the Transfer-Encoding ${encoding}`,
    headers: { 'Transfer-Encoding': encoding },
    expected: {
      status: 501,
      code: 12,
      message: `the Transfer-Encoding is '${encoding}', expected chunked; compressed bodies have a Content-Encoding`,
      counted: 'unsupported' as const,
    },
  })),
  {
    title: 'an unknown expectation',
    headers: { Expect: '200-maybe' },
    expected: {
      status: 417,
      code: 12,
      message: "the expectation '200-maybe' is unknown, expected 100-continue",
      counted: 'unsupported',
    },
  },
  {
    title: 'an expectation beside 100-continue',
    headers: { Expect: '100-continue, more' },
    expected: {
      status: 417,
      code: 12,
      message: "the expectation '100-continue, more' is unknown, expected 100-continue",
      counted: 'unsupported',
    },
  },
  {
    title: 'a declared length above the limit',
    headers: { 'Content-Length': String(limit + 1) },
    expected: {
      status: 413,
      code: 8,
      message: `the body is larger than ${limit} bytes`,
      counted: 'too_large',
    },
  },
  {
    title: 'a length beyond any number',
    headers: { 'Content-Length': '9'.repeat(18) },
    expected: {
      status: 413,
      code: 8,
      message: `the body is larger than ${limit} bytes`,
      counted: 'too_large',
    },
  },
  {
    title: 'a declared length of a compressed body above its limit',
    headers: { 'Content-Encoding': 'gzip', 'Content-Length': String(compressedLimit + 1) },
    expected: {
      status: 413,
      code: 8,
      message: `the body is larger than ${compressedLimit} bytes`,
      counted: 'too_large',
    },
  },
  {
    title: 'a declared length above the limit that waits for 100 Continue',
    headers: { 'Content-Length': String(limit + 1), Expect: '100-continue' },
    expected: {
      status: 413,
      code: 8,
      message: `the body is larger than ${limit} bytes`,
      counted: 'too_large',
    },
  },
  {
    title: 'a body that is not compressed as it says',
    headers: { 'Content-Encoding': 'gzip', 'Content-Length': '5' },
    body: 'spans',
    expected: {
      status: 400,
      code: 3,
      message: 'the body is not valid gzip: incorrect header check',
      counted: 'invalid',
    },
  },
  {
    title: 'an empty body that should be compressed',
    headers: { 'Content-Encoding': 'zstd', 'Content-Length': '0' },
    expected: {
      status: 400,
      code: 3,
      message: 'the body is not valid zstd: unexpected end of file',
      counted: 'invalid',
    },
  },
];

async function exchange({ receiver }: TestReceiver, row: Refused, form: BodyForm): Promise<RawAnswer> {
  const client = await rawClient(receiver.port);
  const { start, body } = row;
  const headers = { 'Content-Type': forms[form], ...row.headers };
  client.send(requestText(headers, { ...(start && { start }), ...(body && { body }) }));
  return client.answer();
}

describe.each(Object.keys(forms) as BodyForm[])('a request in %s', (form) => {
  it.each(rows)('a request with $title is refused', async (row) => {
    const test = await openTestReceiver();
    const answer = await exchange(test, row, form);
    const { status, code, message, counted, headers = {} } = row.expected;
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ 'content-type': forms[form], ...headers });
    const found = readStatus(answer.headers['content-type'], answer.body);
    expect(found).toStrictEqual({ code, message });
    expect(test.intake.early.map(({ reason }) => reason)).toStrictEqual(counted ? [counted] : []);
    expect(test.intake.seen.every((one) => one.body === undefined && one.releases === 1)).toBe(true);
  });

  it.each(reasons)(
    'the receiver answers a request that the intake refuses as %s after reading it with that reason',
    async (reason) => {
      const test = await openTestReceiver();
      test.intake.onTake = () => refuse(reason, 'because of "that"');
      const answer = await exchange(test, { ...plain, headers: { 'Content-Length': '1' }, body: 'a' }, form);
      expectRefusal(answer, form, reason);
      expect(answer.headers['connection']).toBe('keep-alive');
      expect(test.intake.early).toStrictEqual([]);
      expect(test.intake.seen).toMatchObject([{ releases: 1 }]);
    },
  );

  it.each(reasons)(
    'the receiver answers a request that the intake refuses as %s before reading it without waiting for its body',
    async (reason) => {
      const test = await openTestReceiver();
      test.intake.onAdmit = () => refuse(reason, 'because of "that"');
      const waiting = { ...plain, headers: { 'Content-Length': '1000', Expect: '100-continue' } };
      expectRefusal(await exchange(test, waiting, form), form, reason);
      expect(test.intake.early).toStrictEqual([]);
      expect(test.intake.seen).toStrictEqual([]);
    },
  );
});

const plain: Refused = { title: '', expected: { status: 0, code: 0, message: '', counted: undefined } };

function expectRefusal(answer: RawAnswer, form: BodyForm, reason: RefusalReason): void {
  const { httpStatus, grpcCode, retry } = refusals[reason];
  expect(answer.status).toBe(httpStatus);
  expect(retryable.includes(answer.status)).toBe(retry);
  expect(answer.headers['retry-after']).toBe(retry ? '1' : undefined);
  expect(answer.headers['www-authenticate']).toBe(reason === 'unauthenticated' ? 'Bearer' : undefined);
  expect(answer.headers['content-type']).toBe(forms[form]);
  const status = readStatus(answer.headers['content-type'], answer.body);
  expect(status).toStrictEqual({ code: grpcCode, message: 'because of "that"' });
}

describe('a request without a Content-Type that is read', () => {
  it.each([
    'text/plain',
    'application/octet-stream',
    'application/x-protobuf, application/json',
    'application/json; charset=latin1',
    'application/json; charset',
    'application/json charset=utf-8',
    'application/jsonp',
    'application/x-protobufs',
    '',
    'multipart/form-data; boundary=a',
    'application/grpc',
  ])("the receiver refuses the Content-Type '%s' in JSON", async (type) => {
    const test = await openTestReceiver();
    const answer = await exchange(test, { ...plain, headers: { 'Content-Type': type } }, 'json');
    expect(answer.status).toBe(415);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/x-protobuf, application/json',
    });
    expect(JSON.parse(answer.body.toString())).toStrictEqual({
      code: 12,
      message: `the Content-Type is '${type}', expected application/x-protobuf or application/json`,
    });
    expect(test.intake.early).toMatchObject([{ reason: 'unsupported' }]);
    expect(test.intake.seen).toStrictEqual([]);
  });

  it('the receiver refuses a request without a Content-Type', async () => {
    const { receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send('POST /v1/traces HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na');
    const answer = await client.answer();
    expect(answer.status).toBe(415);
    expect(answer.body.toString()).toContain('the Content-Type is missing');
  });

  it('the receiver refuses a request with two Content-Types', async () => {
    const { receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'content-type': 'application/json', 'Content-Length': '0' }));
    expect(await client.answer()).toMatchObject({ status: 415 });
  });
});

it('the receiver refuses what the intake has no memory for, while it arrives or after it is inflated', async () => {
  const test = await openTestReceiver();
  test.intake.onHold = (bytes) => bytes <= 1000;
  const tooLong = { ...plain, headers: { 'Content-Length': '1001' }, body: 'a'.repeat(1001) };
  expect(await exchange(test, tooLong, 'json')).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1' },
  });
  const body = gzipSync('a'.repeat(1001));
  const response = await fetch(`${test.url}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body,
  });
  expect(response.status).toBe(503);
  expect(test.intake.seen).toMatchObject([
    { held: [1001], body: undefined, releases: 1 },
    { held: [body.length, 1001], body: undefined, releases: 1 },
  ]);
  expect(test.intake.early).toMatchObject([{ reason: 'unavailable' }, { reason: 'unavailable' }]);
});

it('the receiver answers HEAD without a body, and what follows on the connection', async () => {
  const { receiver } = await openTestReceiver();
  const client = await rawClient(receiver.port);
  client.send(requestText({}, { start: 'HEAD /v1/traces HTTP/1.1' }));
  expect(await client.answer({ bodiless: true })).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  client.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
  expect(await client.answer()).toMatchObject({ status: 200 });
});

it('the receiver answers a GET that has a body, and what follows on the connection', async () => {
  const { receiver } = await openTestReceiver();
  const client = await rawClient(receiver.port);
  client.send(requestText({ 'Content-Length': '5' }, { start: 'GET /v1/traces HTTP/1.1', body: 'abcde' }));
  expect(await client.answer()).toMatchObject({ status: 405, headers: { allow: 'POST' } });
  client.send(requestText({ 'Content-Length': '1' }, { body: 'a' }));
  expect(await client.answer()).toMatchObject({ status: 200 });
});

it('the receiver knows no paths of signals that are not offered', async () => {
  const { url } = await openTestReceiver({ signals: new Set(['logs']) });
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  expect((await fetch(`${url}/v1/traces`, options)).status).toBe(404);
  expect((await fetch(`${url}/v1/logs`, options)).status).toBe(200);
});

it('the receiver serves the configured paths', async () => {
  const { url, intake } = await openTestReceiver({ paths: new Map([['/in/spans', 'traces']]) });
  const options = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
  expect((await fetch(`${url}/in/spans`, options)).status).toBe(200);
  expect((await fetch(`${url}/v1/traces`, options)).status).toBe(404);
  expect(intake.seen).toMatchObject([{ head: { signal: 'traces' } }]);
});

it('the receiver repeats no more than a little of what a client sent', async () => {
  const { url } = await openTestReceiver();
  const response = await fetch(`${url}/${'x'.repeat(5000)}`, { method: 'POST', body: 'a' });
  expect(response.status).toBe(404);
  expect((await response.text()).length).toBeLessThan(300);
});
