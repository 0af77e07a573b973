// Connections that are older than otlp.max.connection.age.ms, which differ by up to a tenth.
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import {
  dataFrame,
  exportHeaders,
  opening,
  prefixed,
  rawClient as rawGrpcClient,
} from '@levada/test-peers/http2';
import { grpcClient, rawClient, requestText } from '@levada/test-peers/otlp';
import { expect, it } from 'vitest';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { openTestReceiver } from './http-receiver.ts';
import { describeOverServers } from './http2-servers.ts';
import { startTask } from './running-task.ts';

const connectionAge = { maxMs: 60_000, graceMs: 30_000 };
const body = Buffer.from('some telemetry');

describeOverServers('a gRPC connection that is too old', (server) => {
  it('the receiver ends an old gRPC connection with GOAWAY once its calls are answered', async () => {
    const clock = createManualClock();
    const { port } = await openedReceiver(scriptedIntake(), { http2: server, clock, connectionAge });
    const client = rawGrpcClient(port);
    client.write(opening, exportHeaders(1));
    await client.frame('settings');
    await clock.advance(25_000);
    client.write(dataFrame(1, prefixed(body), { end: true }), exportHeaders(3));
    await client.frame('headers', 1);
    await clock.advance(28_000);
    expect(client.of('goaway')).toEqual([]);
    client.write(dataFrame(3, prefixed(body), { end: true }), exportHeaders(5));
    await client.frame('headers', 3);
    await clock.advance(14_000);
    expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(0);
    client.write(dataFrame(5, prefixed(body), { end: true }));
    await client.frame('data', 5);
    await waitFor(client.closed);
  });

  it('the receiver closes an old gRPC connection when its calls take longer than the grace period', async () => {
    const clock = createManualClock();
    const intake = scriptedIntake({ take: () => new Promise(() => undefined) });
    const { port } = await openedReceiver(intake, { http2: server, clock, connectionAge });
    const client = rawGrpcClient(port);
    client.write(opening, exportHeaders(1), dataFrame(1, prefixed(body), { end: true }));
    await waitFor(() => intake.taken.length === 1);
    await clock.advance(67_000);
    await client.frame('goaway');
    expect(client.closed()).toBe(false);
    await clock.advance(31_000);
    await waitFor(client.closed);
    expect(intake.open).toBe(0);
  });

  it('the receiver lets a client replace an old gRPC connection without a failed export', async () => {
    const clock = createManualClock();
    const receiver = await openedReceiver(scriptedIntake(), { http2: server, clock, connectionAge });
    const client = grpcClient(receiver.port);
    for (let round = 0; round < 5; round += 1) {
      expect(await client.export('traces', body)).toMatchObject({ code: 0 });
      await clock.advance(67_000);
      await waitFor(() => receiver.connections === 0);
    }
  });
});

describeOverServers('an HTTP connection that is too old', (server) => {
  it('the receiver ends an old HTTP connection with its next answer, which announces the close', async () => {
    const clock = createManualClock();
    const { receiver } = await openTestReceiver({ http2: server, clock, connectionAge });
    const client = await rawClient(receiver.port);
    const request = requestText({ 'Content-Length': '0' });
    client.send(request);
    expect((await client.answer()).headers).toMatchObject({ connection: 'keep-alive' });
    await clock.advance(53_000);
    client.send(request);
    expect((await client.answer()).headers).toMatchObject({ connection: 'keep-alive' });
    await clock.advance(14_000);
    client.send(request);
    expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await client.ended()).toBe(true);
  });

  it.each([
    ['has a request without an end', requestText({ 'Content-Length': '9' })],
    ['has no request', ''],
  ])('the receiver closes an old connection after the grace period when it %s', async (_, more) => {
    const clock = createManualClock();
    const { receiver, intake } = await openTestReceiver({ http2: server, clock, connectionAge });
    const client = await rawClient(receiver.port);
    client.send(requestText({ 'Content-Length': '0' }) + more);
    await client.answer();
    await waitFor(() => intake.seen.length === (more === '' ? 1 : 2));
    await clock.advance(67_000);
    expect(receiver.connections).toBe(1);
    await clock.advance(31_000);
    await client.ended();
    await waitFor(() => receiver.connections === 0);
    expect(intake.seen.every(({ releases }) => releases === 1)).toBe(true);
  });
});

it('a task ends connections by otlp.max.connection.age.ms and .grace.ms', async () => {
  const clock = createManualClock();
  const ages = { 'otlp.max.connection.age.ms': '5000', 'otlp.max.connection.age.grace.ms': '1000' };
  const running = await startTask(ages, { clock });
  const client = rawGrpcClient(running.grpcPort);
  client.write(opening, exportHeaders(1));
  await client.frame('settings');
  await clock.advance(6000);
  await client.frame('goaway');
  expect(client.closed()).toBe(false);
  await clock.advance(3000);
  await waitFor(client.closed);
  await running.stop();
});
