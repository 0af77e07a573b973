import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type RuntimeFixture, scriptedClass, startRuntime } from './runtime-fixture.ts';

let worker: RuntimeFixture;
beforeAll(async () => {
  worker = await startRuntime({ 'rest.compat.strict': 'true' });
});
afterAll(() => worker.close());

describe('with rest.compat.strict', () => {
  it.each([
    ['POST', '/connectors', '{"name"', /^Unexpected end-of-input/],
    ['POST', '/connectors', "{'a':1}", /^Unexpected character \('''/],
    [
      'POST',
      '/connectors',
      '{"config":{},"x":1}',
      /^Unrecognized field "x" \(class org\.apache\.kafka\.connect/,
    ],
    [
      'POST',
      '/connectors',
      '{"config":{"a":{}}}',
      /^Cannot deserialize value of type `java\.lang\.String` from Object value/,
    ],
    ['PATCH', '/connectors/a/offsets', '{"offsets":[123]}', /^Cannot construct instance of/],
    ['PUT', '/connectors/a/config', '[]', /^Cannot construct instance of/],
  ])('answers %s %s of %s with 500, as Java does', async (method, target, body, message) => {
    expect(await worker.call(method, target, body)).toMatchObject({
      status: 500,
      json: { error_code: 500, message: expect.stringMatching(message) },
    });
  });

  it('answers 400 where Java does', async () => {
    expect((await worker.call('PATCH', '/connectors/a/offsets', '{}')).status).toBe(400);
    expect((await worker.call('PUT', '/admin/loggers/a', '{}')).status).toBe(400);
  });
});

describe('with rest.dialect', () => {
  const config = { 'connector.class': scriptedClass, 'tasks.max': 1, topic: 'prices' };
  const running = async (raw: Readonly<Record<string, string>>) => {
    const dialect = await startRuntime(raw);
    onTestFinished(() => dialect.close());
    await dialect.call('POST', '/connectors', { name: 'a', config });
    const { json: status } = await dialect.until(
      '/connectors/a/status',
      ({ json }) => json.tasks?.[0]?.state === 'RUNNING',
    );
    const { json: task } = await dialect.call('GET', '/connectors/a/tasks/0/status');
    const { json: all } = await dialect.call('GET', '/connectors?expand=status');
    const { json: keys } = await dialect.call('GET', '/connector-plugins/ScriptedSource/config');
    const { json: validation } = await dialect.call(
      'PUT',
      '/connector-plugins/ScriptedSource/config/validate',
      config,
    );
    return { status, task, all, key: keys[0], validated: validation.configs[0].definition };
  };

  it('answers the fields of 3.9 by default', async () => {
    const { status, task, key, validated } = await running({});
    expect(Object.keys(status.connector)).toEqual(['state', 'worker_id']);
    expect(Object.keys(task)).toEqual(['id', 'state', 'worker_id']);
    for (const { order, ...rest } of [key, validated]) {
      expect(order).toEqual(expect.any(Number));
      expect(rest).not.toHaveProperty('order_in_group');
    }
  });

  it('answers those of 4.x on request, in their order', async () => {
    const { status, task, all, key, validated } = await running({ 'rest.dialect': '4.x' });
    expect(Object.entries(status.connector).at(-1)).toEqual(['version', '1.0.0']);
    expect(Object.keys(status.tasks[0])).toEqual(['id', 'state', 'worker_id', 'version']);
    expect(task).toEqual(status.tasks[0]);
    expect(all.a.status).toEqual(status);
    for (const definition of [key, validated]) {
      expect(Object.keys(definition).slice(-5)).toEqual([
        'group',
        'order_in_group',
        'width',
        'display_name',
        'dependents',
      ]);
    }
  });
});
