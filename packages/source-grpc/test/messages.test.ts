import { bytesSchema, type RawConfig, type SourceRecord, stringSchema } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson, messageBytes } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { type Feed, feed, fieldsOf, runTask } from './feed.ts';
import { answerWith, rawServer } from './raw-feed.ts';
import { texts } from './running-task.ts';

const rich: RawConfig = { 'grpc.service.name': 'teststream.RichService', 'grpc.method.name': 'Watch' };

/** A message with one of everything, as ProtoJSON without defaults. */
const everything = {
  eventId: 'e-1 😀 ü\u2028"\\\u0001',
  sequence: '-9223372036854775808',
  severity: 'SEVERITY_HIGH',
  occurredAt: '2024-02-29T12:34:56.789Z',
  took: '1.500s',
  lines: [{ sku: 'a', quantity: 4_294_967_295 }, {}],
  totals: { a: '9007199254740993', '': '-1' },
  place: { country: 'NO', latitude: 59.91, longitude: -0 },
  line: { sku: 'chosen', quantity: 0 },
  digest: 'AP/+',
  detail: { '@type': 'type.googleapis.com/teststream.Place', country: 'SE' },
  changed: 'eventId,place.country',
  extra: { text: 't', list: [1, null, true], inner: {} },
  limit: '18446744073709551615',
  rank: 0,
  score: 'NaN',
  share: 0.1,
  final: true,
  parent: { eventId: 'inner', parent: { eventId: 'innermost' } },
  otherName: 'renamed',
};

/** Sends these messages to each call of a method. */
async function feedOf(messages: readonly Uint8Array[], raw: RawConfig = {}): Promise<Feed> {
  const service = raw['grpc.service.name'] ?? 'teststream.TestStreamService';
  const method = raw['grpc.method.name'] ?? 'StreamEvents';
  return feed((call) => call.send(...messages), { raw, service, method });
}

const richBytes = (json: Parameters<typeof messageBytes>[1]): Uint8Array =>
  messageBytes('teststream.RichEvent', json);

/** The one JSON text that a rich message becomes. */
async function richText(json: Parameters<typeof messageBytes>[1], raw: RawConfig = {}): Promise<string> {
  const { take } = await feedOf([richBytes(json)], { ...rich, ...raw });
  return texts(await take(1))[0] ?? '';
}

/** Bytes that are no message: field 1, of 127 bytes, cut off. */
const broken = Buffer.from([0x0a, 0x7f, 0x41]);

describe('a message becomes JSON', () => {
  it('writes every field of a message as JSON, in the order of field numbers', async () => {
    const inner = '"sequence":"0","severity":"SEVERITY_UNSPECIFIED","lines":[],"totals":{}';
    const unset = '"digest":"","score":0,"share":0,"final":false';
    expect(await richText(everything)).toBe(
      [
        '{"eventId":"e-1 😀 ü\u2028\\"\\\\\\u0001","sequence":"-9223372036854775808","severity":"SEVERITY_HIGH"',
        '"occurredAt":"2024-02-29T12:34:56.789Z","took":"1.500s"',
        '"lines":[{"sku":"a","quantity":4294967295},{"sku":"","quantity":0}]',
        '"totals":{"a":"9007199254740993","":"-1"}',
        '"place":{"country":"NO","latitude":59.91,"longitude":-0}',
        '"line":{"sku":"chosen","quantity":0}',
        '"digest":"AP/+"',
        '"detail":{"country":"SE","latitude":0,"longitude":0,"@type":"type.googleapis.com/teststream.Place"}',
        '"changed":"eventId,place.country"',
        '"extra":{"text":"t","list":[1,null,true],"inner":{}}',
        '"limit":"18446744073709551615","rank":0,"score":"NaN","share":0.1,"final":true',
        `"parent":{"eventId":"inner",${inner},${unset},"parent":{"eventId":"innermost",${inner},${unset},"otherName":""},"otherName":""}`,
        '"otherName":"renamed"}',
      ].join(','),
    );
  });

  it('writes the defaults of unset fields for a message without bytes', async () => {
    expect(await richText({})).toBe(
      '{"eventId":"","sequence":"0","severity":"SEVERITY_UNSPECIFIED","lines":[],"totals":{},"digest":"","score":0,"share":0,"final":false,"otherName":""}',
    );
    const { take } = await feedOf([Buffer.alloc(0)]);
    expect(texts(await take(1))).toEqual([
      '{"eventId":"","timestamp":"","eventType":"","payload":"","sequence":"0"}',
    ]);
  });

  it('writes unknown enum values as numbers, and leaves out unknown fields', async () => {
    // severity = 99, and field 1000 with the number 1
    const { take } = await feedOf([Buffer.from([0x18, 99, 0xc0, 0x3e, 1])], rich);
    expect(texts(await take(1))[0]).toBe(
      '{"eventId":"","sequence":"0","severity":99,"lines":[],"totals":{},"digest":"","score":0,"share":0,"final":false,"otherName":""}',
    );
  });

  it.each([
    [{ 'grpc.json.proto.names': 'true' }, /^{"event_id":"","sequence":"7",.*"renamed":""}$/],
    [{ 'grpc.json.enums.as.integers': 'true' }, /"severity":1,/],
    [{ 'grpc.json.omit.defaults': 'true' }, /^{"sequence":"7","severity":"SEVERITY_LOW"}$/],
    [{ 'grpc.json.safe.integers.as.numbers': 'true' }, /"sequence":7,/],
  ])('as %o says', async (raw, expected) => {
    expect(await richText({ sequence: '7', severity: 'SEVERITY_LOW' }, raw)).toMatch(expected);
  });

  it('replaces invalid UTF-8 with U+FFFD when that is configured', async () => {
    const bytes = Buffer.from([0x0a, 1, 0xff]);
    const { take } = await feedOf([bytes], { 'grpc.json.invalid.utf8': 'replace' });
    expect(texts(await take(1))).toEqual([eventJson({ eventId: '\ufffd' })]);
  });

  it('converts a message of 4 MiB completely', async () => {
    const payload = 'x'.repeat(4 * 1024 * 1024 - 5);
    const { take } = await feedOf([eventBytes({ payload })]);
    expect(texts(await take(1))[0] === eventJson({ payload })).toBe(true);
  });

  it('each once and in order, also in a burst of 10,000', async () => {
    const events = Array.from({ length: 10_000 }, (_, i) => ({ eventId: `e${i}`, sequence: BigInt(i) }));
    const { take, metrics } = await feedOf(events.map(eventBytes));
    expect(texts(await take(events.length))).toEqual(events.map(eventJson));
    expect(metrics.read('MessagesReceived')).toBe(10_000);
    expect(metrics.read('MessagesDropped')).toBe(0);
  });
});

describe('a record', () => {
  it('has no key, its text as bytes with schema STRING, the time of receipt, and the offset alone that was promised', async () => {
    const clock = createManualClock();
    const running = await feed(() => undefined, { clock });
    await running.logged('session_initialized');
    await clock.advance(1234);
    const receivedAt = clock.now();
    (await running.server.call(0)).send(eventBytes({ eventId: 'a' }));
    await waitFor(() => running.metrics.read('QueueSize') === 1);
    await clock.advance(1000);
    const [record] = await running.take(1);
    expect(record).toEqual({
      sourcePartition: {
        grpc_server: `127.0.0.1:${running.server.port}`,
        grpc_method: 'teststream.TestStreamService/StreamEvents',
      },
      sourceOffset: {
        sessionId: fieldsOf(running, 'session_initialized')[0]?.['session_id'],
        sequence: 1,
      },
      topic: 'events',
      partition: null,
      keySchema: null,
      key: null,
      valueSchema: stringSchema,
      value: expect.any(Uint8Array),
      timestamp: receivedAt,
      headers: [],
    });
    expect(record?.sourceOffset?.['sessionId']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('holds the message as it came under the format protobuf', async () => {
    const bytes = richBytes(everything);
    const { take } = await feedOf([bytes, Buffer.alloc(0)], { ...rich, 'grpc.message.format': 'protobuf' });
    const records = await take(2);
    expect(records.map(({ valueSchema }) => valueSchema)).toEqual([bytesSchema, bytesSchema]);
    expect(records.map(({ value }) => Buffer.from(value as Uint8Array))).toEqual([
      Buffer.from(bytes),
      Buffer.alloc(0),
    ]);
  });

  it.each([
    ['text', '/eventId', 'e-1'],
    ['a number', '/place/latitude', '59.5'],
    ['an integer of 64 bits', '/totals/a~1b', '3'],
    ['an object', '/lines/0', '{"sku":"x","quantity":2}'],
    ['nothing', '/place/nowhere', null],
    ['what is not set', '/rank', null],
  ])('has as key what a pointer leads to: %s', async (_, pointer, key) => {
    const json = {
      eventId: 'e-1',
      place: { latitude: 59.5 },
      totals: { 'a/b': '3' },
      lines: [{ sku: 'x', quantity: 2 }],
    };
    const { take } = await feedOf([richBytes(json)], { ...rich, 'grpc.record.key': pointer });
    const [record] = await take(1);
    expect([record?.key, record?.keySchema]).toEqual([key, key === null ? null : stringSchema]);
  });

  it('says in headers where and when it was received, when that is wanted', async () => {
    const { take } = await feedOf([eventBytes({}), eventBytes({})], { 'record.headers.enabled': 'true' });
    const [, record] = await take(2);
    expect(record?.headers).toEqual([
      { key: 'session.id', schema: stringSchema, value: record?.sourceOffset?.['sessionId'] },
      { key: 'sequence', schema: stringSchema, value: '2' },
      { key: 'received.at', schema: stringSchema, value: String(record?.timestamp) },
    ]);
  });

  it('keeps its bytes until its batch is settled, while others come and are settled', async () => {
    const count = 1500;
    const payloads = Array.from(
      { length: count },
      (_, i) => `${i} ${String(i % 10).repeat((i * 37) % 3000)}`,
    );
    const messages = payloads.map((payload) => eventBytes({ payload }));
    const { port } = await rawServer({ onCall: (peer, streamId) => answerWith(peer, streamId, messages) });
    // Batches of 25 messages at most.
    const raw = { 'grpc.queue.full.policy': 'block', 'grpc.message.queue.size': '25' };
    const running = await runTask(port, { raw });
    const open: (readonly SourceRecord[])[] = [];
    const changed: unknown[] = [];
    const check = (batch: readonly SourceRecord[]): void => {
      const wanted = batch.map(({ sourceOffset }) =>
        eventJson({ payload: payloads[Number(sourceOffset?.['sequence']) - 1] ?? '' }),
      );
      changed.push(...texts(batch).filter((text, i) => text !== wanted[i]));
    };
    for (let taken = 0, batches = 1; taken < count; batches += 1) {
      const batch = await running.task.poll();
      taken += batch.length;
      open.push(batch);
      for (const each of open) check(each);
      // Settled late and in order, as a log does; every fifth batch is never settled.
      const settled = open.length > 4 && batches % 5 > 0 ? open.shift() : undefined;
      if (settled !== undefined) running.task.committed(settled);
    }
    expect(open.length).toBeGreaterThan(4);
    for (const each of open) check(each);
    expect(changed).toEqual([]);
  });
});

describe('messages that become far more JSON than they are long', () => {
  /** `{"sku":"","quantity":0},` for two bytes. */
  const swelling = (bytes: number): Buffer => Buffer.alloc(bytes, Buffer.from([0x32, 0]));
  const mib = 1024 * 1024;

  it('come in batches of 16 MiB and one message, and wait in the queue until then', async () => {
    const count = 40;
    const running = await feedOf(Array(count).fill(swelling(mib / 8)), rich);
    await waitFor(() => running.metrics.read('MessagesReceived') === count);
    let taken = 0;
    while (taken < count) {
      const batch = await running.task.poll();
      taken += batch.length;
      const lengths = batch.map(({ value }) => (value as Uint8Array).length);
      expect(lengths.slice(0, -1).reduce((sum, length) => sum + length, 0)).toBeLessThan(16 * mib);
      const { metrics } = running;
      expect(metrics.read('QueueSize')).toBe(count - taken);
      expect(metrics.read('QueueBytes')).toBe(((count - taken) * mib) / 8);
    }
  });

  it('are not written beyond 64 MiB of JSON', async () => {
    const running = await feedOf([swelling(6 * mib), richBytes({ eventId: 'b' })], {
      ...rich,
      'grpc.max.inbound.message.size': String(8 * mib),
    });
    const [record] = await running.take(1);
    expect(record?.sourceOffset).toMatchObject({ sequence: 2 });
    expect(fieldsOf(running, 'message_conversion_failed')[0]).toMatchObject({
      error_message: 'the message becomes JSON of more than 67108864 bytes',
    });
  });

  it('are not searched for a key beyond 16 MiB of JSON', async () => {
    const running = await feedOf([swelling(2 * mib), richBytes({ eventId: 'b' })], {
      ...rich,
      'grpc.record.key': '/eventId',
    });
    const [record] = await running.take(1);
    expect(record?.key).toBe('b');
    expect(fieldsOf(running, 'message_conversion_failed')[0]).toMatchObject({
      error_message: 'the message becomes JSON of more than 16777216 bytes',
    });
  });
});

describe('a message that cannot be converted', () => {
  const good = eventBytes({ eventId: 'good' });

  it('drops, counts and logs a message that cannot be converted without its content, and continues with the next one', async () => {
    const running = await feedOf([good, broken, broken, good]);
    const records = await running.take(2);
    expect(records.map(({ sourceOffset }) => sourceOffset?.['sequence'])).toEqual([1, 4]);
    expect(running.metrics.read('DroppedConversionError')).toBe(2);
    expect(running.metrics.read('SequenceGaps')).toBe(2);
    expect(running.metrics.read('UnaccountedCount')).toBe(2);
    expect(running.logger.withEvent('message_conversion_failed')[0]).toMatchObject({
      level: 'error',
      fields: { sequence: 2, message_bytes: 3, dead_letter_topic: null },
    });
    expect(running.events).toContainEqual({ type: 'dropped', cause: 'conversion_error', count: 1 });
  });

  it('is not waited for when a whole batch of them comes', async () => {
    const running = await feedOf([broken, broken]);
    const polled = running.task.poll();
    await running.logged('message_conversion_failed');
    (await running.server.call(0)).send(good);
    expect(texts(await polled)).toEqual([eventJson({ eventId: 'good' })]);
  });

  it('reports a message that cannot be converted without control characters or secrets from its path', async () => {
    const key = 'x\u2028\u001b[31m canary-token-1';
    // totals = { key: a varint of 11 bytes }
    const entry = Buffer.concat([
      Buffer.from([0x0a, Buffer.byteLength(key)]),
      Buffer.from(key),
      Buffer.from([0x10, ...Array(11).fill(0xff)]),
    ]);
    const running = await feedOf([Buffer.concat([Buffer.from([0x3a, entry.length]), entry])], {
      ...rich,
      'grpc.dead.letter.topic': 'dead',
      'grpc.metadata.authorization': 'Bearer canary-token-1',
    });
    const [dead] = await running.take(1);
    const reported = `${running.logger.text()}${JSON.stringify(dead?.headers)}`;
    expect(reported).toContain('totals');
    for (const text of ['canary', '\u2028', '\u001b']) expect(reported).not.toContain(text);
  });

  it('goes to the dead-letter topic as base64, with headers that say why, when there is one', async () => {
    const running = await feedOf([good, broken, good], { 'grpc.dead.letter.topic': 'dead' });
    const [, dead, next] = await running.take(3);
    expect(dead).toMatchObject({
      topic: 'dead',
      key: null,
      valueSchema: stringSchema,
      value: broken.toString('base64'),
      sourceOffset: { sessionId: next?.sourceOffset?.['sessionId'], sequence: 2 },
    });
    expect(dead?.headers).toEqual([
      { key: 'session.id', schema: stringSchema, value: next?.sourceOffset?.['sessionId'] },
      { key: 'sequence', schema: stringSchema, value: '2' },
      { key: 'received.at', schema: stringSchema, value: String(dead?.timestamp) },
      { key: 'error.message', schema: stringSchema, value: expect.stringMatching(/teststream\.StreamEvent/) },
    ]);
    const { metrics } = running;
    expect([
      metrics.read('DeadLetters'),
      metrics.read('MessagesDropped'),
      metrics.read('SequenceGaps'),
    ]).toEqual([1, 0, 0]);
  });

  it.each([
    ['text that is not UTF-8', 'teststream.TestStreamService', Buffer.from([0x0a, 1, 0xff])],
    ['a varint of 11 bytes', 'teststream.TestStreamService', Buffer.from([0x28, ...Array(11).fill(0xff)])],
    ['nesting of 10,000 messages', 'teststream.RichService', nested(10_000)],
    ['an Any of an unknown type', 'teststream.RichService', anyOf('type.googleapis.com/x.Y')],
    [
      'a Timestamp beyond the year 9999',
      'teststream.RichService',
      Buffer.from('22070880c6868093e10b', 'hex'),
    ],
  ])('is not only a cut one: %s', async (_, service, bytes) => {
    const method = service === 'teststream.RichService' ? 'Watch' : 'StreamEvents';
    const running = await feedOf([bytes, Buffer.alloc(0)], {
      'grpc.service.name': service,
      'grpc.method.name': method,
    });
    const [record] = await running.take(1);
    expect(record?.sourceOffset?.['sequence']).toBe(2);
    expect(running.metrics.read('DroppedConversionError')).toBe(1);
  });
});

/** RichEvent.parent within itself, so many times. */
function nested(depth: number): Buffer {
  let bytes = Buffer.alloc(0);
  for (let i = 0; i < depth; i += 1) {
    const length: number[] = [];
    for (let rest = bytes.length; ; rest = Math.floor(rest / 128)) {
      length.push(rest < 128 ? rest : (rest % 128) + 128);
      if (rest < 128) break;
    }
    bytes = Buffer.concat([Buffer.from([0xa2, 1, ...length]), bytes]);
  }
  return bytes;
}

/** RichEvent.detail with this type URL. */
function anyOf(url: string): Buffer {
  const any = Buffer.concat([Buffer.from([0x0a, url.length]), Buffer.from(url)]);
  return Buffer.concat([Buffer.from([0x62, any.length]), any]);
}
