// Request headers that otlp.request.headers makes headers of records, over both protocols and through the spool.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Metadata } from '@grpc/grpc-js';
import type { SourceRecord } from '@levada/connect-runtime-core';
import { grpcClient, postExport, rawClient, requestText, spanNamed } from '@levada/test-peers/otlp';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { expect, it, onTestFinished } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { describeOverServers } from './http2-servers.ts';
import { startTask } from './running-task.ts';

const tenants = { 'otlp.request.headers': 'X-Tenant-Id,x-region' };
const traces = realisticRequest(otlpSchema(), 'traces', 3);

function headersOf(record: SourceRecord | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(record?.headers?.map(({ key, value }) => [key, value]) ?? []);
}

describeOverServers('the request headers that are configured', (server) => {
  it('a task copies only the configured request headers to records over HTTP', async () => {
    const running = await startTask({ 'otlp.http2.server': server, ...tenants });
    await postExport(running.httpPort, 'traces', spanNamed('a'), {
      'x-tenant-id': 'acme',
      authorization: 'Bearer secret',
      cookie: 'secret',
    });
    await postExport(running.httpPort, 'traces', spanNamed('b'));
    const records = await running.take(2);
    expect(records.map(headersOf)).toEqual([{ 'x-tenant-id': 'acme' }, {}]);
    await running.stop();
  });

  it('a task copies only the configured request headers to records over gRPC', async () => {
    const running = await startTask({ 'otlp.http2.server': server, ...tenants });
    const metadata = new Metadata();
    metadata.set('x-tenant-id', 'acme');
    metadata.set('authorization', 'Bearer secret');
    await grpcClient(running.grpcPort).export('traces', traces, { metadata });
    const [record] = await running.take(1);
    expect(headersOf(record)).toEqual({ 'x-tenant-id': 'acme' });
    await running.stop();
  });

  it('a task joins repeated request headers with commas, as UTF-8 text after the headers of the connector', async () => {
    const running = await startTask({
      'otlp.http2.server': server,
      ...tenants,
      'record.headers.enabled': 'true',
    });
    const client = await rawClient(running.httpPort);
    const body = JSON.stringify(spanNamed('a'));
    const text = requestText(
      {
        'X-Tenant-Id': 'caf\u00e9',
        'x-tenant-id': 'b',
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      },
      { body },
    );
    client.send(Buffer.from(text));
    expect(await client.answer()).toMatchObject({ status: 200 });
    const [record] = await running.take(1);
    expect(record?.headers?.at(-1)).toMatchObject({ key: 'x-tenant-id', value: 'caf\u00e9, b' });
    expect(record?.headers).toHaveLength(7);
    await running.stop();
  });

  it('a task copies a header with credentials only when it is named', async () => {
    const running = await startTask({ 'otlp.http2.server': server, 'otlp.request.headers': 'authorization' });
    await postExport(running.httpPort, 'traces', spanNamed('a'), { authorization: 'Bearer named' });
    expect(headersOf((await running.take(1))[0])).toEqual({ authorization: 'Bearer named' });
    await running.stop();
  });

  it('a task adds request headers to each record of a divided export, and counts their bytes in the queue', async () => {
    const plain = await startTask({ 'otlp.http2.server': server, 'otlp.record.mode': 'item' });
    await grpcClient(plain.grpcPort).export('traces', traces);
    const without = plain.metrics.read('QueueBytes');
    await plain.stop();
    const running = await startTask({ 'otlp.http2.server': server, ...tenants, 'otlp.record.mode': 'item' });
    const metadata = new Metadata();
    metadata.set('x-region', 'eu');
    await grpcClient(running.grpcPort).export('traces', traces, { metadata });
    expect(running.metrics.read('QueueBytes')).toBe(without + 3 * 'x-regioneu'.length);
    const records = await running.take(3);
    expect(records.map(headersOf)).toEqual([
      { 'x-region': 'eu' },
      { 'x-region': 'eu' },
      { 'x-region': 'eu' },
    ]);
    expect(running.metrics.read('QueueBytes')).toBe(0);
    await running.stop();
  });

  it('request headers stay in the spool with their export until a later task produces them', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-headers-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const spool = { ...tenants, 'otlp.ack.mode': 'spool', 'otlp.spool.path': folder };
    const long = '"\\\u00e9'.repeat(3000);
    const first = await startTask({ 'otlp.http2.server': server, ...spool });
    const client = await rawClient(first.httpPort);
    const body = JSON.stringify(spanNamed('a'));
    const length = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    client.send(Buffer.from(requestText({ ...length, 'X-Tenant-Id': long }, { body })));
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.send(requestText(length, { body }));
    expect(await client.answer()).toMatchObject({ status: 200 });
    first.abort();
    await first.task.stop();
    const second = await startTask({ 'otlp.http2.server': server, ...spool, 'otlp.request.headers': '' });
    const records = await second.take(2);
    expect(records.map(headersOf)).toEqual([{ 'x-tenant-id': long }, {}]);
    second.task.committed(records, new Map());
    await second.stop();
  });

  it('a task refuses an export for the spool when the request headers of all its records are too large together', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-headers-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const raw = { 'otlp.ack.mode': 'spool', 'otlp.spool.path': folder, 'otlp.record.mode': 'item' };
    const running = await startTask({ 'otlp.http2.server': server, ...tenants, ...raw });
    const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: Array(2000).fill({}) }] }] };
    const large = await postExport(running.httpPort, 'logs', logs, { 'x-tenant-id': 'a'.repeat(12_000) });
    expect([large.status, large.json]).toEqual([
      413,
      expect.objectContaining({
        message: 'its request headers take 24022000 bytes on 2000 records, 16777216 are allowed',
      }),
    ]);
    expect((await postExport(running.httpPort, 'logs', logs, { 'x-tenant-id': 'a' })).status).toBe(200);
    expect(running.metrics.read('SpooledCount')).toBe(2000);
    running.abort();
    await running.task.stop();
  });
});
