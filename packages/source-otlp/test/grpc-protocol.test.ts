import type { OutgoingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { waitFor } from '@levada/connect-runtime-core/testing';
import {
  dataFrame,
  END_HEADERS,
  END_STREAM,
  exportHeaders,
  frameOf,
  headerBlock,
  opening,
  prefixed,
  rawClient,
  resetFrame,
} from '@levada/test-peers/http2';
import { exportRequest, http2Request, http2Session } from '@levada/test-peers/otlp';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { describeOverServers } from './http2-servers.ts';

const body = Buffer.from('some telemetry');

/** What is sent, and what it is answered with; `refused`: as what it is counted. */
interface Case {
  readonly headers?: OutgoingHttpHeaders;
  readonly pieces?: readonly Uint8Array[];
  readonly status: string;
  readonly message?: string;
  readonly refused?: string;
}

const gzip = { 'grpc-encoding': 'gzip' };
const compressed = (payload: Uint8Array): Buffer => prefixed(payload, { flag: 1 });
const garbage = Buffer.from('no compressed bytes');

const cases: Readonly<Record<string, Case>> = {
  'one message': { pieces: [prefixed(body)], status: '0' },
  'one message, byte by byte': { pieces: Array.from(prefixed(body), (byte) => Buffer.of(byte)), status: '0' },
  'application/grpc+proto': { headers: { 'content-type': 'application/grpc+proto' }, status: '0' },
  'application/grpc with a parameter, in capitals': {
    headers: { 'content-type': 'Application/gRPC; charset=utf-8' },
    status: '0',
  },
  'no te: a proxy took it away': { headers: { te: undefined }, status: '0' },
  'a plain message among names of compression': { headers: gzip, status: '0' },
  'two members of gzip': {
    headers: gzip,
    pieces: [compressed(Buffer.concat([gzipSync(body.subarray(0, 4)), gzipSync(body.subarray(4))]))],
    status: '0',
  },
  'no message': {
    pieces: [],
    status: '12',
    message: 'request without a message, expected one',
    refused: 'unsupported',
  },
  'two messages': {
    pieces: [Buffer.concat([prefixed(body), prefixed(body)])],
    status: '12',
    message: 'request with more than one message, expected one',
    refused: 'unsupported',
  },
  'a message and a byte': {
    pieces: [prefixed(body), Buffer.of(0)],
    status: '3',
    message: 'the request ends within a message',
    refused: 'invalid',
  },
  'a message that is cut off': {
    pieces: [prefixed(body).subarray(0, -1)],
    status: '3',
    message: 'the request ends within a message',
    refused: 'invalid',
  },
  'a prefix that is cut off': {
    pieces: [Buffer.of(0, 0, 0)],
    status: '3',
    message: 'the request ends within a message',
    refused: 'invalid',
  },
  'a message of 4 GiB that is only announced': {
    pieces: [prefixed(body, { length: 0xffff_ffff })],
    status: '8',
    message: 'message of 4294967295 bytes, expected at most 1048576',
    refused: 'too_large',
  },
  'a compressed message above the limit of those': {
    headers: gzip,
    pieces: [prefixed(body, { flag: 1, length: 300_000 })],
    status: '8',
    message: 'compressed message of 300000 bytes, expected at most 262144',
    refused: 'too_large',
  },
  'a compressed-flag of 2': {
    pieces: [prefixed(body, { flag: 2 })],
    status: '13',
    message: 'message with compressed-flag 2, expected 0 or 1',
    refused: 'invalid',
  },
  'a compressed message without a name of compression': {
    pieces: [compressed(gzipSync(body))],
    status: '13',
    message: 'message is flagged as compressed, but grpc-encoding names no compression',
    refused: 'invalid',
  },
  'a compression that is not read': {
    headers: { 'grpc-encoding': 'snappy' },
    pieces: [compressed(body)],
    status: '12',
    message: 'message is compressed with "snappy", expected one of "identity,gzip,deflate,zstd"',
    refused: 'unsupported',
  },
  'no gzip': { headers: gzip, pieces: [compressed(garbage)], status: '3', refused: 'invalid' },
  'nothing instead of gzip': {
    headers: gzip,
    pieces: [compressed(Buffer.alloc(0))],
    status: '3',
    refused: 'invalid',
  },
  'gzip that is cut off': {
    headers: gzip,
    pieces: [compressed(gzipSync(body).subarray(0, -3))],
    status: '3',
    refused: 'invalid',
  },
  'no deflate': {
    headers: { 'grpc-encoding': 'deflate' },
    pieces: [compressed(garbage)],
    status: '3',
    refused: 'invalid',
  },
  'a malformed grpc-timeout': {
    headers: { 'grpc-timeout': 'abc' },
    status: '13',
    message: 'grpc-timeout "abc", expected at most eight digits and one of H M S m u n',
  },
  'an unknown method': {
    headers: { ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Import' },
    status: '12',
    message: 'unknown method "/opentelemetry.proto.collector.trace.v1.TraceService/Import"',
  },
  'the path of OTLP/HTTP': {
    headers: { ':path': '/v1/traces' },
    status: '12',
    message: 'unknown method "/v1/traces"',
  },
  'a path named as no plain object may be': { headers: { ':path': '/__proto__' }, status: '12' },
};

describeOverServers('a request over HTTP/2', (server) => {
  it.each(Object.entries(cases))(
    'the receiver ends a request with %s as gRPC specifies',
    async (_what, expected) => {
      const intake = scriptedIntake();
      const { port } = await openedReceiver(intake, { http2: server });
      const { headers = {}, pieces = [prefixed(body)] } = expected;
      const answer = await http2Request(http2Session(port), headers, pieces);
      const last = expected.status === '0' ? answer.trailers : answer.headers;
      expect(answer.headers).toMatchObject({ ':status': 200, 'content-type': 'application/grpc' });
      expect(last['grpc-status']).toBe(expected.status);
      expect(last['grpc-message'] ?? '').toContain(expected.message ?? '');
      expect(answer.body).toEqual(expected.status === '0' ? Buffer.alloc(5) : Buffer.alloc(0));
      expect(intake.taken).toEqual(expected.status === '0' ? [{ body, form: 'protobuf' }] : []);
      expect(intake.early.map(({ reason }) => reason)).toEqual(
        expected.refused === undefined ? [] : [expected.refused],
      );
      expect(intake.open).toBe(0);
    },
  );

  it.each(['application/json', 'application/grpc+json', 'application/grpc-web', 'text/plain', undefined])(
    'the receiver answers content type %s with 415',
    async (type) => {
      const intake = scriptedIntake();
      const { port } = await openedReceiver(intake, { http2: server });
      const answer = await http2Request(http2Session(port), { 'content-type': type }, [prefixed(body)]);
      expect(answer.headers[':status']).toBe(415);
      expect(intake.heads).toEqual([]);
    },
  );

  it.each(['GET', 'PUT', 'OPTIONS'])('the receiver answers method %s with 405', async (method) => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const answer = await http2Request(http2Session(port), { ':method': method }, []);
    expect(answer.headers).toMatchObject({ ':status': 405, allow: 'POST' });
    expect(intake.heads).toEqual([]);
  });

  it('the receiver answers a request without a body like one without a message', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const stream = http2Session(port).request(exportRequest(), { endStream: true });
    const [headers] = await new Promise<readonly [Record<string, unknown>]>((resolve) => {
      stream.on('response', (...received) => resolve([{ ...received[0] }]));
    });
    expect(headers).toMatchObject({ 'grpc-status': '12' });
    stream.destroy();
    await waitFor(() => intake.open === 0);
  });

  it('the receiver stops a refused request without an error', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server, maxRequestBytes: 10 });
    const client = rawClient(port);
    client.write(opening, exportHeaders(1), dataFrame(1, prefixed(body)));
    await client.frame('headers', 1);
    expect((await client.frame('reset', 1)).payload.readUInt32BE(0)).toBe(0);
    const order = client.frames.filter(({ streamId }) => streamId === 1).map(({ type }) => type);
    expect(order).toEqual([1, 3]);
  });

  it('the receiver sends no reset after the answer to a request', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const client = rawClient(port);
    client.write(opening, exportHeaders(1), dataFrame(1, prefixed(body), { end: true }));
    await waitFor(() => client.of('headers').length === 2);
    client.write(frameOf('ping', { payload: Buffer.alloc(8) }));
    await client.frame('ping');
    expect(client.of('reset')).toEqual([]);
  });

  it('the receiver accepts a request that ends with trailers', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const client = rawClient(port);
    const trailers = frameOf('headers', {
      flags: END_HEADERS | END_STREAM,
      streamId: 1,
      payload: headerBlock({ 'x-checksum': 'abc' }),
    });
    client.write(opening, exportHeaders(1), dataFrame(1, prefixed(body)), trailers);
    await waitFor(() => client.of('headers').length === 2);
    expect(intake.taken).toEqual([{ body, form: 'protobuf' }]);
  });

  it('the receiver releases a request that its client cancels in the middle, and does not take it', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const client = rawClient(port);
    client.write(opening, exportHeaders(1), dataFrame(1, prefixed(body).subarray(0, 9)));
    await waitFor(() => intake.open === 1);
    client.write(resetFrame(1));
    await waitFor(() => intake.open === 0);
    client.write(exportHeaders(3), dataFrame(3, prefixed(body).subarray(0, 9)));
    await waitFor(() => intake.open === 1);
    client.socket.destroy();
    await waitFor(() => intake.open === 0);
    expect(intake).toMatchObject({ taken: [], early: [] });
  });

  it('the receiver accepts a request in pieces cut anywhere', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const message = prefixed(Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 251)));
    const session = http2Session(port);
    const property = fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: message.length }), { maxLength: 12 }),
      async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), message.length];
        const pieces = at.slice(1).map((end, index) => message.subarray(at[index], end));
        const { trailers } = await http2Request(session, {}, pieces);
        expect(trailers['grpc-status']).toBe('0');
        expect(intake.taken.at(-1)?.body).toEqual(message.subarray(5));
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('the receiver never crashes or answers UNKNOWN or INTERNAL, whatever the bytes of a request', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const session = http2Session(port);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.uint8Array({ maxLength: 64 }).map((payload) => prefixed(payload, { flag: 1 })),
    );
    const property = fc.asyncProperty(
      bytes,
      fc.constantFrom('gzip', 'deflate', 'zstd'),
      async (sent, encoding) => {
        const answer = await http2Request(session, { 'grpc-encoding': encoding }, [sent]);
        const status = answer.trailers['grpc-status'] ?? answer.headers['grpc-status'];
        expect(['0', '3', '8', '12', ...(sent[0] === undefined || sent[0] < 2 ? [] : ['13'])]).toContain(
          status,
        );
      },
    );
    await fc.assert(property, { numRuns: 200 });
    expect(intake.open).toBe(0);
  });
});

describeOverServers('a connection', (server) => {
  it.each([
    ['HTTP/1.1', Buffer.from('POST /v1/traces HTTP/1.1\r\nHost: a\r\n\r\n')],
    ['noise', Buffer.alloc(5000, 0xa5)],
    ['a TLS handshake', Buffer.from('1603010200010001fc0303', 'hex')],
    ['frames that no stream has', Buffer.concat([opening, dataFrame(5, body)])],
    [
      'headers that are no HPACK',
      Buffer.concat([
        opening,
        frameOf('headers', { flags: 4, streamId: 1, payload: Buffer.alloc(50, 0xff) }),
      ]),
    ],
    [
      'a frame longer than allowed',
      Buffer.concat([opening, frameOf('data', { streamId: 1, length: 0xff_ffff })]),
    ],
    [
      'a window update that overflows',
      Buffer.concat([
        opening,
        ...Array.from({ length: 2 }, () =>
          frameOf('windowUpdate', { payload: Buffer.of(0x7f, 0xff, 0xff, 0xff) }),
        ),
      ]),
    ],
  ])('the receiver closes a connection with %s, and still serves others', async (_what, sent) => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const other = http2Session(port);
    const client = rawClient(port);
    client.write(sent);
    await waitFor(client.closed);
    expect((await http2Request(other, {}, [prefixed(body)])).trailers['grpc-status']).toBe('0');
  });
});
