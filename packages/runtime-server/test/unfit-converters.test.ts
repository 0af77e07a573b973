import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

let running: InProcessWorker;
beforeAll(async () => {
  running = await startInProcess();
});
afterAll(() => running.end());

const otlp = {
  'connector.class': 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
  'otlp.message.format': 'protobuf',
  'otlp.protobuf.encoding': 'binary',
  'otlp.grpc.enabled': 'false',
};
const webSocket = {
  'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
  'websocket.url': 'ws://127.0.0.1:1/',
  'websocket.binary.mode': 'bytes',
  'platform.topic': 't',
};
const stringConverter = 'org.apache.kafka.connect.storage.StringConverter';
const advice =
  'use org.apache.kafka.connect.json.JsonConverter or org.apache.kafka.connect.converters.ByteArrayConverter';

async function call(method: string, path: string, body: unknown) {
  const answer = await fetch(running.worker.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('a converter that cannot take what a connector produces', () => {
  it.each([
    ["the worker's with binary Protobuf of OTLP", otlp, `the worker's ${stringConverter} is used`],
    ['a chosen one', { ...otlp, 'value.converter': stringConverter }, `Invalid value ${stringConverter}`],
    ['one with binary messages of a WebSocket', webSocket, `the worker's ${stringConverter} is used`],
  ])('refuses a converter that cannot take the records of the connector: %s', async (_, config, start) => {
    const { status, text } = await call('POST', '/connectors', { name: 'a', config });
    expect(status).toBe(400);
    for (const part of [start, 'for configuration value.converter: ', 'it cannot convert BYTES', advice])
      expect(text).toContain(part);
    expect(await call('PUT', '/connectors/a/config', { ...config, name: 'a' })).toEqual({ status, text });
    const path = `/connector-plugins/${config['connector.class']}/config/validate`;
    const validated = await call('PUT', path, { ...config, name: 'a' });
    expect(JSON.parse(validated.text)).toMatchObject({ error_count: 1 });
    expect(validated.text).toContain(advice);
  });

  it.each(['ByteArrayConverter', 'JsonConverter'])('accepts %s for bytes', async (converter) => {
    const path = `/connector-plugins/${otlp['connector.class']}/config/validate`;
    const { text } = await call('PUT', path, { ...otlp, name: 'a', 'value.converter': converter });
    expect(JSON.parse(text)).toMatchObject({ error_count: 0 });
  });
});
