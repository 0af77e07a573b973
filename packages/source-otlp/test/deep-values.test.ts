// AnyValues that are nested too deep, over sockets against a whole task.
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { grpcClient } from '@levada/test-peers/otlp';
import { expect, it } from 'vitest';
import { jsonToExport } from './json-input-reader.ts';
import { type RunningTask, startTask, texts } from './running-task.ts';

const WARNING = 'values nested deeper than 64 AnyValues were left empty: 1';

const nested = (depth: number, inner = '{"stringValue":"deepest"}'): string =>
  `${'{"arrayValue":{"values":['.repeat(depth - 1)}${inner}${']}}'.repeat(depth - 1)}`;
const resourceOf = (span: string): string => `{"scopeSpans":[{"spans":[${span}]}]}`;
/** A span with an attribute, and another one. */
const withValue = (value: string): string =>
  `{"resourceSpans":[${resourceOf(`{"attributes":[{"value":${value}}]}`)},${resourceOf('{"name":"b"}')}]}`;

/** The first of these spans with so many AnyValues inside each other. Lengths have five bytes, so that each is known beforehand. */
function deepRequest(depth: number): Buffer {
  const HEAD = 6; // a tag, and a length
  const request = Buffer.alloc((3 + 2 * depth) * HEAD);
  const tags = [0x0a, 0x12, 0x12, 0x4a, 0x12];
  for (let at = 0; at < request.length; at += HEAD) {
    request[at] = tags[at / HEAD] ?? (at % (2 * HEAD) === HEAD ? 0x2a : 0x0a);
    let size = request.length - at - HEAD;
    for (let byte = 1; byte < HEAD; byte += 1, size >>>= 7)
      request[at + byte] = (size & 127) | (byte < HEAD - 1 ? 128 : 0);
  }
  return request;
}

async function post({ httpPort }: RunningTask, body: string | Uint8Array, type: string) {
  const response = await fetch(`http://127.0.0.1:${httpPort}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': type },
    body: Buffer.from(body),
  });
  return { status: response.status, answer: Buffer.from(await response.arrayBuffer()).toString() };
}

it('the receiver leaves a value empty that is nested too deep, keeps the rest, and reports it to the client', async () => {
  const running = await startTask();
  const json = withValue(nested(66));
  const other = `{"resourceSpans":[${resourceOf('{"name":"b"}')}]}`;
  const wire = Buffer.concat([deepRequest(66), Buffer.from(jsonToExport('traces', Buffer.from(other)))]);
  const answers = [
    await post(running, json, 'application/json'),
    await post(running, wire, 'application/x-protobuf'),
  ];
  const { code, answer } = await grpcClient(running.grpcPort).export('traces', wire);
  expect(answers[0]).toEqual({
    status: 200,
    answer: JSON.stringify({ partialSuccess: { errorMessage: WARNING } }),
  });
  expect([answers[1]?.status, code]).toEqual([200, 0]);
  for (const text of [answers[1]?.answer, answer?.toString()]) expect(text).toContain(WARNING);
  const records = texts(await running.take(3));
  expect(records).toEqual(Array<string>(3).fill(withValue(nested(65, '{}'))));
  const names = ['ValuesCut', 'SpansReceived', 'SpansRejected', 'RejectedInvalid'] as const;
  expect(names.map((name) => running.metrics.read(name))).toEqual([3, 6, 0, 0]);
  await running.stop();
});

it('the receiver accepts a value that is nested a million deep', async () => {
  const running = await startTask();
  const { status } = await post(running, deepRequest(1_000_000), 'application/x-protobuf');
  expect(status).toBe(200);
  const [record] = texts(await running.take(1));
  expect(record).toContain(`"value":${nested(65, '{}')}`);
  expect(running.metrics.read('ValuesCut')).toBe(1);
  await running.stop();
});

it('the receiver accepts 10,000 levels in JSON below the limit, and refuses more', async () => {
  const running = await startTask();
  const empty = '{"arrayValue":{}}';
  expect((await post(running, withValue(nested(64 + 3334, empty)), 'application/json')).status).toBe(200);
  const { status, answer } = await post(running, withValue(nested(64 + 3335, empty)), 'application/json');
  expect(status).toBe(400);
  expect(answer).toContain('more than 10000 arrays and objects inside each other');
  await running.stop();
});

it('the receiver logs once a second that values were left empty', async () => {
  const clock = createManualClock();
  const running = await startTask({}, { clock });
  const send = () => post(running, withValue(nested(65)), 'application/json');
  const lines = () =>
    running.logger.withEvent('values_cut').map(({ level, fields }) => ({ level, ...fields }));
  for (let i = 0; i < 3; i += 1) await send();
  const line = { level: 'warn', signal: 'traces', count: 1, max_depth: 64 };
  expect(lines()).toMatchObject([line]);
  await clock.advance(1000);
  await send();
  expect(lines()).toMatchObject([line, line]);
  await running.stop();
});
