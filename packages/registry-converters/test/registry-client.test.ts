import { type Schema, stringSchema } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { contextWith, convert, makeConverter } from './make-converter.ts';
import { type RegistryHere, type Reply, type SeenRequest, startRegistryHere } from './registry-here.ts';

const open: RegistryHere[] = [];
async function start(reply: (request: SeenRequest) => Reply): Promise<RegistryHere> {
  const registry = await startRegistryHere(reply);
  open.push(registry);
  return registry;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((registry) => registry.close()));
});

const record = { topic: 't', schema: stringSchema, value: 'x' };
const accept = (): Reply => [200, { id: 5 }];
const make = (config: Readonly<Record<string, string>>) => makeConverter('AvroConverter', config);
const toBase64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a converter and its registry', () => {
  it('a schema is requested once, even if later records have an equal one', async () => {
    const registry = await start(accept);
    const converter = make({ 'schema.registry.url': registry.url });
    const equal: Schema = { ...stringSchema };
    const written = [
      await convert(converter, record),
      await convert(converter, { ...record, value: 'y' }),
      await convert(converter, { ...record, schema: equal, value: 'z' }),
    ];
    expect(written.map((bytes) => bytes?.toString('hex'))).toEqual([
      '00000000050278',
      '00000000050279',
      '0000000005027a',
    ]);
    expect(registry.requests).toHaveLength(1);
    expect(registry.requests[0]).toMatchObject({
      method: 'POST',
      path: '/subjects/t-value/versions',
      body: { schema: '"string"' },
    });
  });

  it('subjects of keys are named after the topic and escaped in the path', async () => {
    const registry = await start(accept);
    const converter = makeConverter(
      'JsonSchemaConverter',
      { 'schema.registry.url': `${registry.url}/base/`, 'normalize.schemas': 'true' },
      true,
    );
    await convert(converter, { ...record, topic: 'a/b' });
    expect(registry.requests[0]).toMatchObject({
      path: '/base/subjects/a%2Fb-key/versions?normalize=true',
      body: { schema: '{"type":"string"}', schemaType: 'JSON' },
    });
  });

  it.each([
    ['in the URL', 'user:p%40ss@', {}, `Basic ${toBase64('user:p@ss')}`],
    [
      'in a key',
      '',
      { 'basic.auth.credentials.source': 'USER_INFO', 'basic.auth.user.info': 'u:secret' },
      `Basic ${toBase64('u:secret')}`,
    ],
    ['as a token', '', { 'bearer.auth.token': 'a-token' }, 'Bearer a-token'],
  ])('credentials are sent %s', async (_, inUrl, config, expected) => {
    const registry = await start(accept);
    const url = registry.url.replace('http://', `http://${inUrl}`);
    await convert(make({ 'schema.registry.url': url, 'request.header.X-Tenant': 'acme', ...config }), record);
    expect(registry.requests[0]?.headers).toMatchObject({ authorization: expected, 'x-tenant': 'acme' });
  });

  it('the converter switches to the next URL when one fails, and keeps using it', async () => {
    const broken = await start(() => [503, { message: 'starting' }]);
    const healthy = await start(accept);
    const converter = make({ 'schema.registry.url': `${broken.url},${healthy.url}`, 'max.retries': '0' });
    await convert(converter, record);
    await convert(converter, { ...record, topic: 'other' });
    expect(broken.requests).toHaveLength(1);
    expect(healthy.requests).toHaveLength(2);
  });

  it('requests are retried with growing delays, then rejected as retriable', async () => {
    const clock = createManualClock();
    const registry = await start(() => [500, { message: 'no leader' }]);
    const converter = make({
      'schema.registry.url': registry.url,
      'max.retries': '2',
      'retries.wait.ms': '1000',
    });
    const written = convert(converter, record, contextWith(clock)).catch((error: unknown) => error);
    for (const [requests, delay] of [
      [1, 1250],
      [2, 2500],
    ] as const) {
      await waitFor(
        () => registry.requests.length === requests && (clock.nextInMs ?? 0) <= 2500 && clock.pending === 1,
      );
      await clock.advance(delay);
    }
    expect(await written).toMatchObject({
      code: 'connection_failed',
      retriable: true,
      message: `schema registry ${registry.url}: no leader (HTTP 500)`,
    });
    expect(registry.requests).toHaveLength(3);
    expect(clock.pending).toBe(0);
  });

  it('a request without an answer in time is given up', async () => {
    const clock = createManualClock();
    const registry = await start(() => 'hang');
    const converter = make({
      'schema.registry.url': registry.url,
      'max.retries': '0',
      'http.connect.timeout.ms': '3000',
      'http.read.timeout.ms': '5000',
    });
    const written = convert(converter, record, contextWith(clock)).catch((error: unknown) => error);
    await waitFor(() => registry.requests.length === 1);
    await clock.advance(5000);
    expect(await written).toMatchObject({ code: 'timeout', retriable: true });
  });

  it('a request ends when the task is stopped', async () => {
    const controller = new AbortController();
    const registry = await start(() => 'hang');
    const converter = make({ 'schema.registry.url': registry.url });
    const context = contextWith(createManualClock(), controller.signal);
    const written = convert(converter, record, context).catch((error: unknown) => error);
    await waitFor(() => registry.requests.length === 1);
    controller.abort();
    expect(await written).toMatchObject({ code: 'aborted' });
  });

  it('wrong credentials are a permanent error with the reason', async () => {
    const registry = await start(({ headers }) => [401, { message: `not ${headers.authorization}` }]);
    const converter = make({ 'schema.registry.url': registry.url, 'bearer.auth.token': 'top-secret-token' });
    const failure = await convert(converter, record).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'connection_failed', retriable: false });
    expect(String(failure)).toContain('check basic.auth.*');
    expect(String(failure)).not.toContain('top-secret-token');
  });

  it('a refusal of a schema is remembered for a while, then the registry is asked again', async () => {
    const clock = createManualClock();
    let compatible = false;
    const registry = await start(() =>
      compatible ? [200, { id: 9 }] : [409, { error_code: 409, message: 'incompatible' }],
    );
    const converter = make({ 'schema.registry.url': registry.url });
    const attempt = () => convert(converter, record, contextWith(clock));
    const refusal = { code: 'conversion_failed', message: expect.stringContaining('incompatible') };
    await expect(attempt()).rejects.toMatchObject(refusal);
    await expect(attempt()).rejects.toMatchObject(refusal);
    expect(registry.requests).toHaveLength(1);
    compatible = true;
    await clock.advance(30_000);
    expect((await attempt())?.toString('hex')).toBe('00000000090278');
  });

  it.each([
    [404, {}],
    [404, { message: 'no page here' }],
    [405, {}],
  ])('no record is blamed when a server other than a registry answers %i %j', async (status, json) => {
    const registry = await start(() => [status, json]);
    const failure = await convert(make({ 'schema.registry.url': registry.url }), record).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'connection_failed', retriable: false });
    expect(String(failure)).toContain('check the path of schema.registry.url');
  });

  it('a malformed answer is a protocol error', async () => {
    const registry = await start(() => [200, { id: 'x' }]);
    await expect(
      convert(make({ 'schema.registry.url': registry.url, 'max.retries': '0' }), record),
    ).rejects.toMatchObject({ code: 'protocol_error' });
  });
});
