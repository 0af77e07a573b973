import { fileURLToPath } from 'node:url';
import { javaAnswers } from '@levada/kafka-testkit';
import { describeWithJava } from '@levada/kafka-testkit/vitest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { produceRequest, readProduceResponse } from './produce-call.ts';

const peer = {
  source: fileURLToPath(new URL('../../test/java/MessagePeer.java', import.meta.url)),
  version: '4.3.1',
} as const;

const versions = [7, 8];
const text = fc.string({ unit: 'grapheme', maxLength: 20 });
const index = fc.integer({ min: 0, max: 0x7fffffff });
const partitions = <T>(row: fc.Arbitrary<T>) =>
  fc.array(fc.record({ name: text, rows: fc.array(row, { maxLength: 3 }) }), { maxLength: 3 });

/** A request with arbitrary bytes as batches. */
const requests = fc.record({
  clientId: text,
  transactionalId: fc.option(text),
  timeoutMs: index,
  topics: partitions(fc.record({ index, records: fc.uint8Array({ maxLength: 50 }) })),
});

const answers = fc.record({
  throttleTimeMs: index,
  responses: partitions(
    fc.record({
      index,
      errorCode: fc.integer({ min: -1, max: 130 }),
      errorMessage: fc.option(text),
      recordErrors: fc.array(fc.record({ batchIndex: index, batchIndexErrorMessage: fc.option(text) }), {
        maxLength: 2,
      }),
    }),
  ),
});

/** A batch in a request: partition, size, batch. */
function wire(partition: number, records: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(partition, 0);
  head.writeInt32BE(records.length, 4);
  return Buffer.concat([head, records]);
}

describeWithJava("Kafka's own classes of Produce", '4.3.1', () => {
  it('our requests equal those of Kafka’s classes, and their answers are decoded correctly', async () => {
    const sent = versions.flatMap((version) => fc.sample(requests, 100).map((value) => ({ version, value })));
    const received = versions.flatMap((version) =>
      fc.sample(answers, 100).map((value) => ({ version, value })),
    );
    const lines = [
      ...sent.map(({ version, value: { transactionalId, timeoutMs, topics } }) => {
        const topicData = topics.map(({ name, rows }) => ({
          name,
          partitionData: rows.map((row) => ({
            index: row.index,
            records: Buffer.from(row.records).toString('base64'),
          })),
        }));
        return `write ProduceRequest ${version} ${JSON.stringify({ transactionalId, acks: -1, timeoutMs, topicData })}`;
      }),
      ...received.map(({ version, value: { throttleTimeMs, responses } }) => {
        const offsets = { baseOffset: 5, logAppendTimeMs: 6, logStartOffset: 7 };
        const topics = responses.map(({ name, rows }) => ({
          name,
          partitionResponses: rows.map(({ index: partition, errorCode, ...reasons }) => ({
            index: partition,
            errorCode,
            ...offsets,
            ...(version < 8 ? {} : reasons),
          })),
        }));
        return `write ProduceResponse ${version} ${JSON.stringify({ throttleTimeMs, responses: topics })}`;
      }),
    ];
    const javas = await javaAnswers(peer, lines);
    const written = sent.map(({ version, value: { topics, ...rest } }) => {
      const pieces = produceRequest({
        version,
        ...rest,
        topics: topics.map(({ name, rows }) => ({
          topic: name,
          wires: rows.map((row) => wire(row.index, row.records)),
        })),
      });
      const header = 14 + Buffer.byteLength(rest.clientId);
      return Buffer.concat(pieces).subarray(header).toString('hex');
    });
    expect(written).toEqual(javas.slice(0, sent.length));
    expect(javas.filter((answer) => answer.startsWith('refused'))).toEqual([]);
    const read = received.map(({ version }, i) =>
      readProduceResponse(Buffer.from(javas[sent.length + i] ?? '', 'hex'), version),
    );
    const meant = received.map(({ version, value: { throttleTimeMs, responses } }) => ({
      throttleMs: throttleTimeMs,
      batches: responses.flatMap(({ name, rows }) =>
        rows.map((row) => ({
          topic: name,
          partition: row.index,
          code: row.errorCode,
          message: version < 8 ? null : row.errorMessage,
          records: (version < 8 ? [] : row.recordErrors).map((one) => ({
            index: one.batchIndex,
            message: one.batchIndexErrorMessage,
          })),
        })),
      ),
    }));
    expect(read).toEqual(meant);
  }, 60_000);
});
