import { createServer } from 'node:net';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { isFree } from '@levada/kafka-testkit';
import {
  dataFrame,
  exportHeaders,
  opening,
  prefixed,
  rawClient as rawGrpcClient,
} from '@levada/test-peers/http2';
import { http2Request, http2Session, type RawClient, rawClient, requestText } from '@levada/test-peers/otlp';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { topicTexts } from '../worker-child.ts';
import type { ObservedWorker } from './observed-worker.ts';
import { otlpClient } from './otlp-client.ts';
import { type OtlpPorts, otlpConfig, otlpPorts, runOtlp } from './otlp-connector.ts';
import { exportId, numberedExport } from './otlp-numbered.ts';
import { stage } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder } = stage();

const literals = { grpc: 'Failed to start gRPC server', http: 'Failed to start HTTP server' } as const;
const json = { 'Content-Type': 'application/json' };

let folder: string;
let worker: ObservedWorker;

beforeEach(async () => {
  folder = await newFolder();
  worker = startWorkerHere(folder, { 'offset.flush.interval.ms': '50' });
  await worker.ready();
});

/** Waits until so many records are in a topic. */
async function stored(topic: string, count: number): Promise<readonly string[]> {
  await waitFor(async () => (await topicTexts(folder, topic)).length >= count, { timeoutMs: 20_000 });
  return await topicTexts(folder, topic);
}

/** The HTTP request with an export of `logs` with this id, as bytes of the wire. */
function post(id: string): string {
  const body = numberedExport('logs', id).json;
  const headers = { ...json, 'Content-Length': String(body.length) };
  return requestText(headers, { start: 'POST /v1/logs HTTP/1.1', body });
}

async function sent(client: RawClient, id: string): Promise<number> {
  client.send(post(id));
  return (await client.answer()).status;
}

async function exported(ports: OtlpPorts, id: string): Promise<void> {
  const client = otlpClient(ports);
  for (const transport of ['grpc', 'http/protobuf'] as const)
    expect((await client.send(transport, 'logs', `${id} ${transport}`)).kind).toBe('success');
}

/** Whether a connection is refused, or ended at once. */
async function refuses(port: number): Promise<boolean> {
  const client = await rawClient(port);
  return !(await client.ended());
}

async function untilState(connector: string, state: string): Promise<void> {
  await waitFor(
    async () =>
      (await worker.call('GET', `/connectors/${connector}/status`)).json?.connector?.state === state,
    { timeoutMs: 20_000, what: () => worker.output() },
  );
}

describe('a change of an OTLP connector that runs', () => {
  it('keeps OTLP connections when topics, format and queue size change, and applies them to later messages', async () => {
    const ports = await runOtlp(worker, 'telemetry');
    const http = await rawClient(ports.http);
    const grpc = http2Session(ports.grpc);
    const overGrpc = async (id: string): Promise<unknown> => {
      const message = prefixed(numberedExport('traces', id).protobuf);
      return (await http2Request(grpc, {}, [message])).trailers['grpc-status'];
    };
    expect([await sent(http, 'before'), await overGrpc('before')]).toEqual([200, '0']);
    const change = {
      'platform.topic.logs': 'elsewhere',
      'otlp.message.format': 'protobuf',
      'otlp.message.queue.size': '77',
    };
    const config = otlpConfig(ports, { 'otlp.bind.address': '127.0.0.1', ...change });
    const asked = await worker.call(
      'PUT',
      '/connector-plugins/OpenTelemetrySourceConnector/config/validate?expand=update',
      { name: 'telemetry', ...config },
    );
    expect(asked.json.update.effect).toBe('live');
    expect((await worker.call('PUT', '/connectors/telemetry/config', config)).status).toBe(200);
    await waitFor(() => worker.logged('task_reconfigured').length === 1, { timeoutMs: 20_000 });
    expect([await sent(http, 'after'), await overGrpc('after')]).toEqual([200, '0']);

    const base64 = (signal: 'logs' | 'traces') => numberedExport(signal, 'after').protobuf.toString('base64');
    expect(await stored('otlp-logs', 1)).toEqual([numberedExport('logs', 'before').json]);
    expect(await stored('elsewhere', 1)).toEqual([base64('logs')]);
    expect(await stored('otlp-traces', 2)).toEqual([
      numberedExport('traces', 'before').json,
      base64('traces'),
    ]);
    expect(await worker.attributes('telemetry')).toMatchObject({
      QueueCapacity: 77,
      GrpcConnections: 1,
      HttpConnections: 1,
      LogsReceived: 2,
      TracesReceived: 2,
    });
    expect([http.socket.destroyed, grpc.closed]).toEqual([false, false]);
    expect(worker.logged('otlp_receiver_started')).toHaveLength(1);
  });

  it('moves an OTLP receiver to another port, frees the old one, and keeps queued exports', async () => {
    const ports = await runOtlp(worker, 'telemetry');
    const http = await rawClient(ports.http);
    const grpc = rawGrpcClient(ports.grpc);
    grpc.write(opening);
    await grpc.frame('settings');
    expect(await sent(http, 'before')).toBe(200);
    const moved = await otlpPorts();
    const change = { 'otlp.grpc.port': String(moved.grpc), 'otlp.http.port': String(moved.http) };
    expect((await worker.call('PATCH', '/connectors/telemetry/config', change)).status).toBe(200);
    await waitFor(() => worker.logged('otlp_receiver_started').length === 2, { timeoutMs: 20_000 });
    await worker.untilState('telemetry', 'RUNNING');
    expect(await http.ended()).toBe(true);
    await waitFor(grpc.closed);
    expect(grpc.of('goaway')[0]?.payload.readUInt32BE(4)).toBe(0);
    expect([await isFree(ports.grpc), await isFree(ports.http)]).toEqual([true, true]);
    await exported(moved, 'after');
    expect((await stored('otlp-logs', 3)).map(exportId)).toEqual([
      'before',
      'after grpc',
      'after http/protobuf',
    ]);
    expect(worker.logged('task_reconfigured')).toEqual([]);
  });

  it('closes one OTLP receiver when its protocol is disabled', async () => {
    const ports = await runOtlp(worker, 'telemetry');
    const change = { 'otlp.grpc.enabled': 'false' };
    expect((await worker.call('PATCH', '/connectors/telemetry/config', change)).status).toBe(200);
    await waitFor(() => worker.logged('otlp_receiver_started').length === 2, { timeoutMs: 20_000 });
    await worker.untilState('telemetry', 'RUNNING');
    expect(await isFree(ports.grpc)).toBe(true);
    expect(await sent(await rawClient(ports.http), 'still')).toBe(200);
    const none = { 'otlp.http.enabled': 'false' };
    const refused = await worker.call('PATCH', '/connectors/telemetry/config', none);
    expect(refused.status).toBe(400);
    expect(refused.json.message).toContain('At least one protocol must be enabled');
    expect(await sent(await rawClient(ports.http), 'still')).toBe(200);
  });
});

describe('a pause of an OTLP connector', () => {
  it('finishes exports in flight on pause, answers 503 on open connections, refuses others, and stores all it took', async () => {
    const ports = await runOtlp(worker, 'telemetry');
    const [whole, late, idle] = [
      await rawClient(ports.http),
      await rawClient(ports.http),
      await rawClient(ports.http),
    ];
    const grpc = rawGrpcClient(ports.grpc);
    expect(await sent(idle, 'first')).toBe(200);
    const cut = (text: string, from: string): readonly [string, string] => [
      text.slice(0, text.indexOf(from)),
      text.slice(text.indexOf(from)),
    ];
    const [head, body] = cut(post('under way'), '{"resource');
    const [begin, end] = cut(post('late'), 'Content-Type');
    const message = prefixed(numberedExport('traces', 'under way').protobuf);
    whole.send(head);
    late.send(begin);
    grpc.write(opening, exportHeaders(1), dataFrame(1, message.subarray(0, 20)));
    await worker.untilAttribute('telemetry', 'PendingExports', (n) => n === 2);
    await worker.untilAttribute('telemetry', 'HttpConnections', (n) => n === 3);
    const paused = worker.call('PUT', '/connectors/telemetry/pause');
    await waitFor(() => worker.logged('otlp_receiver_stopping').length === 1, { timeoutMs: 20_000 });
    await grpc.frame('goaway');

    late.send(end);
    expect(await late.answer()).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(await late.ended()).toBe(true);
    whole.send(body);
    expect((await whole.answer()).status).toBe(200);
    expect((await otlpClient(ports).send('grpc', 'logs', 'late')).kind).toMatch(/^un/);
    grpc.write(dataFrame(1, message.subarray(20), { end: true }));
    await grpc.frame('data', 1);
    await waitFor(grpc.closed);
    expect(await idle.ended()).toBe(true);
    expect((await paused).status).toBe(202);
    await worker.untilState('telemetry', 'PAUSED');
    expect([await refuses(ports.http), await refuses(ports.grpc)]).toEqual([true, true]);
    expect((await stored('otlp-logs', 2)).map(exportId)).toEqual(['first', 'under way']);
    expect((await stored('otlp-traces', 1)).map(exportId)).toEqual(['under way']);
    expect(await worker.attributes('telemetry')).toMatchObject({
      LogsReceived: 2,
      TracesReceived: 1,
      RecordsProduced: 3,
      RejectedUnavailable: 1,
      QueueSize: 0,
      UnaccountedCount: 0,
      GrpcPort: 0,
      HttpPort: 0,
    });

    expect((await worker.call('PUT', '/connectors/telemetry/resume')).status).toBe(202);
    await worker.untilState('telemetry', 'RUNNING');
    await exported(ports, 'resumed');
    expect(await stored('otlp-logs', 4)).toHaveLength(4);
    expect(worker.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('keeps an OTLP connector paused over a restart of the worker', async () => {
    const ports = await runOtlp(worker, 'telemetry');
    await worker.call('PUT', '/connectors/telemetry/pause');
    await worker.untilState('telemetry', 'PAUSED');
    expect(await worker.end('SIGTERM')).toBe(0);
    worker = startWorkerHere(folder);
    await worker.untilState('telemetry', 'PAUSED');
    expect([await isFree(ports.http), await isFree(ports.grpc)]).toEqual([true, true]);
    await worker.call('PUT', '/connectors/telemetry/resume');
    await worker.untilState('telemetry', 'RUNNING');
    await exported(ports, 'resumed');
  });
});

describe('the end of a run of an OTLP connector', () => {
  it('frees the OTLP ports on restart, stop and deletion', async () => {
    const ports = await runOtlp(worker, 'telemetry');
    await exported(ports, 'one');
    expect((await worker.call('POST', '/connectors/telemetry/tasks/0/restart')).status).toBe(204);
    await waitFor(() => worker.logged('otlp_receiver_started').length === 2, { timeoutMs: 20_000 });
    await worker.untilState('telemetry', 'RUNNING');
    await exported(ports, 'two');
    const both = '/connectors/telemetry/restart?includeTasks=true&onlyFailed=false';
    expect((await worker.call('POST', both)).status).toBe(202);
    await waitFor(() => worker.logged('otlp_receiver_started').length === 3, { timeoutMs: 20_000 });
    await worker.untilState('telemetry', 'RUNNING');
    await exported(ports, 'three');

    expect((await worker.call('PUT', '/connectors/telemetry/stop')).status).toBe(204);
    await untilState('telemetry', 'STOPPED');
    expect([await isFree(ports.http), await isFree(ports.grpc)]).toEqual([true, true]);
    expect((await worker.call('GET', '/connectors/telemetry/status')).json.tasks).toEqual([]);
    await worker.call('PUT', '/connectors/telemetry/resume');
    await worker.untilState('telemetry', 'RUNNING');
    await exported(ports, 'four');

    expect((await worker.call('DELETE', '/connectors/telemetry')).status).toBe(204);
    await waitFor(async () => (await worker.call('GET', '/connectors/telemetry/status')).status === 404);
    await waitFor(async () => (await isFree(ports.http)) && (await isFree(ports.grpc)));
    expect((await worker.call('GET', '/connectors/telemetry/metrics')).status).toBe(404);
    expect((await stored('otlp-logs', 8)).map(exportId)).toEqual(
      ['one', 'two', 'three', 'four'].flatMap((id) => [`${id} grpc`, `${id} http/protobuf`]),
    );
    expect(new Set(worker.logged('session_initialized').map((line) => line['session_id'])).size).toBe(4);
    const sequences = worker.logged('task_started').map((line) => line['logs_seq']);
    expect(sequences).toEqual([0, 2, 4, 6]);
  });

  it('creates and deletes an OTLP connector thirty times under one name and on one pair of ports', async () => {
    const ports = await otlpPorts();
    for (let life = 1; life <= 30; life += 1) {
      expect((await worker.call('PUT', '/connectors/telemetry/config', otlpConfig(ports))).status).toBe(201);
      await waitFor(() => worker.logged('otlp_receiver_started').length === life, { timeoutMs: 20_000 });
      expect((await worker.call('DELETE', '/connectors/telemetry')).status).toBe(204);
    }
    await waitFor(async () => (await isFree(ports.http)) && (await isFree(ports.grpc)));
    expect(worker.logged('otlp_receiver_start_failed')).toEqual([]);
    expect(worker.errors()).toBe('');
  });
});

describe('an OTLP connector whose port is in use', () => {
  it.each(['grpc', 'http'] as const)(
    'fails for %s with the words of the product definition, leaves the other port free, and runs once it is restarted',
    async (protocol) => {
      const ports = await otlpPorts();
      const owner = createServer();
      onTestFinished(() => void owner.close());
      await new Promise<void>((resolve) => owner.listen(ports[protocol], '0.0.0.0', resolve));
      expect((await worker.call('PUT', '/connectors/telemetry/config', otlpConfig(ports))).status).toBe(201);
      const trace = await worker.untilTask('telemetry', 'FAILED');
      expect(trace).toContain(`${literals[protocol]}: 0.0.0.0 port ${ports[protocol]}: `);
      expect(trace).toContain('EADDRINUSE');
      expect(worker.logged('otlp_receiver_start_failed')).toMatchObject([
        { level: 'error', msg: literals[protocol], protocol, port: ports[protocol] },
      ]);
      expect(await isFree(protocol === 'grpc' ? ports.http : ports.grpc)).toBe(true);
      const { json: status } = await worker.call('GET', '/connectors/telemetry/status?expand=connection');
      expect(status).toMatchObject({ connector: { state: 'RUNNING' }, tasks: [{ state: 'FAILED' }] });

      await new Promise((resolve) => owner.close(resolve));
      const again = '/connectors/telemetry/restart?includeTasks=true&onlyFailed=true';
      expect((await worker.call('POST', again)).status).toBe(202);
      await worker.untilState('telemetry', 'RUNNING');
      await exported(ports, 'at last');
      expect(await stored('otlp-logs', 2)).toHaveLength(2);
    },
  );

  it('does not affect the connector that has the port', async () => {
    const ports = await runOtlp(worker, 'first');
    const http = await rawClient(ports.http);
    expect(await sent(http, 'before')).toBe(200);
    const other = await otlpPorts();
    const second = otlpConfig({ grpc: other.grpc, http: ports.http }, { 'otlp.bind.address': '127.0.0.1' });
    expect((await worker.call('PUT', '/connectors/second/config', second)).status).toBe(201);
    expect(await worker.untilTask('second', 'FAILED')).toContain(literals.http);
    expect(await isFree(other.grpc)).toBe(true);
    expect(await sent(http, 'after')).toBe(200);
    await exported(ports, 'both');
    await worker.untilState('first', 'RUNNING');
    expect(worker.logged('otlp_receiver_started')).toHaveLength(1);
    expect((await worker.call('DELETE', '/connectors/second')).status).toBe(204);
    expect(await sent(http, 'then')).toBe(200);
    expect(await stored('otlp-logs', 5)).toHaveLength(5);
  });
});
