import { fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import type { ClientReadableStream, StatusObject } from '@grpc/grpc-js';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { grpcClient } from '@levada/test-peers/otlp';
import { expect, it } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { signals } from '../src/model/signals.ts';
import { refuse } from '../src/receive/admission/export-outcome.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { describeOverServers } from './http2-servers.ts';

const check = '/grpc.health.v1.Health/Check';
const requestSchema = otlpSchema().message('grpc.health.v1.HealthCheckRequest');
const responseSchema = otlpSchema().message('grpc.health.v1.HealthCheckResponse');
const request = (service: string): Buffer =>
  Buffer.from(toBinary(requestSchema, fromJson(requestSchema, { service })));
const response = (bytes: Uint8Array | undefined): unknown =>
  toJson(responseSchema, fromBinary(responseSchema, bytes ?? Buffer.of(0xff)));

interface Watch {
  readonly stream: ClientReadableStream<Buffer>;
  readonly statuses: unknown[];
  readonly end: Promise<StatusObject>;
}

function watch({ raw }: ReturnType<typeof grpcClient>, service: string): Watch {
  const bytes = (value: Buffer): Buffer => value;
  const stream = raw.makeServerStreamRequest('/grpc.health.v1.Health/Watch', bytes, bytes, request(service));
  const statuses: unknown[] = [];
  stream.on('data', (message: Buffer) => statuses.push(response(message)));
  stream.on('error', () => undefined);
  const end = new Promise<StatusObject>((resolve) => void stream.on('status', resolve));
  return { stream, statuses, end };
}

describeOverServers('a health check', (server) => {
  it.each(['', signals.traces.service, signals.metrics.service, signals.logs.service])(
    'the receiver reports "%s" as serving',
    async (service) => {
      const { port } = await openedReceiver(scriptedIntake(), { http2: server });
      const result = await grpcClient(port).unary(check, request(service));
      expect(response(result.answer)).toEqual({ status: 'SERVING' });
    },
  );

  it.each(['no.such.Service', signals.profiles.service, '__proto__'])(
    'the receiver answers a health check of "%s" with NOT_FOUND',
    async (service) => {
      const { port } = await openedReceiver(scriptedIntake(), { http2: server });
      expect(await grpcClient(port).unary(check, request(service))).toMatchObject({ code: 5 });
    },
  );

  it('the receiver refuses a health check of more than 1 KiB', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const client = grpcClient(port);
    expect(await client.unary(check, request('a'.repeat(1021)))).toMatchObject({ code: 5 });
    expect(await client.unary(check, request('a'.repeat(1022)))).toMatchObject({ code: 8 });
  });

  it('the receiver answers a health check without a token, also compressed', async () => {
    const intake = scriptedIntake({ admit: () => refuse('unauthenticated', 'no token') });
    const { port } = await openedReceiver(intake, { http2: server });
    const client = grpcClient(port, { channel: { 'grpc.default_compression_algorithm': 2 } });
    expect(await client.unary(check, request(''))).toMatchObject({ code: 0 });
    expect(intake.heads).toEqual([]);
  });

  it('the receiver refuses a health check that cannot be decoded', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const client = grpcClient(port);
    expect(await client.unary(check, Buffer.of(0x0a, 0x05))).toMatchObject({ code: 3 });
    expect(await client.unary(check, Buffer.alloc(100_000))).toMatchObject({ code: 8 });
  });
});

describeOverServers('a health watch', (server) => {
  it('the receiver sends the state to a health watch at once, and NOT_SERVING when the receiver stops', async () => {
    const receiver = await openedReceiver(scriptedIntake(), { http2: server });
    const { statuses, end } = watch(grpcClient(receiver.port), signals.logs.service);
    await waitFor(() => statuses.length === 1);
    await receiver.close({ graceMs: 60_000 });
    expect(await end).toMatchObject({ code: 14, details: 'the receiver is stopping' });
    expect(statuses).toEqual([{ status: 'SERVING' }, { status: 'NOT_SERVING' }]);
  });

  it('the receiver reports SERVICE_UNKNOWN to the health watch of an unknown service, and keeps it open', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const { statuses, stream, end } = watch(grpcClient(port), 'no.such.Service');
    await waitFor(() => statuses.length === 1);
    expect(statuses).toEqual([{ status: 'SERVICE_UNKNOWN' }]);
    stream.cancel();
    expect(await end).toMatchObject({ code: 1 });
  });

  it('the receiver allows at most eight health watches per connection, and still serves exports', async () => {
    const { port } = await openedReceiver(scriptedIntake(), { http2: server });
    const client = grpcClient(port);
    const watches = Array.from({ length: 8 }, () => watch(client, ''));
    await waitFor(() => watches.every(({ statuses }) => statuses.length === 1));
    expect(await watch(client, '').end).toMatchObject({ code: 8 });
    expect(await client.export('traces', Buffer.from('a'))).toMatchObject({ code: 0 });
    watches[0]?.stream.cancel();
    await watches[0]?.end;
    // The server may hear of the cancellation a little later than of the next call.
    await waitFor(async () => {
      const next = watch(client, '');
      const refusal = next.end.then(() => 'refused');
      const state = await Promise.race([refusal, waitFor(() => next.statuses.length === 1)]);
      return state === true;
    });
  });
});
