import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RuntimeFixture, startRuntime } from './runtime-fixture.ts';

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
