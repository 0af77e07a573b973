import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogProducer, LogRecord, SendResult } from '../platform/log-platform.ts';
import { createManualClock } from './manual-clock.ts';
import { createScriptedLog, type ScriptedLog } from './scripted-log.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function batch(...values: string[]): LogRecord[] {
  return values.map((value) => ({
    topic: 'prices',
    partition: null,
    key: null,
    value: bytes(value),
    timestamp: 0,
    headers: [],
  }));
}

function setUp(): {
  clock: ReturnType<typeof createManualClock>;
  log: ScriptedLog;
  make: () => Promise<LogProducer>;
} {
  const clock = createManualClock();
  const log = createScriptedLog({ clock });
  const make = (): Promise<LogProducer> => log.connect().producer({ clientId: 'test' });
  return { clock, log, make };
}

const codes = (result: SendResult): string[] =>
  result.failures.map(({ index, error }) => `${index} ${error.code}`);

describe('a producer of a scripted log', () => {
  it('stores batches in the order of sending, and copies their bytes', async () => {
    const { log, make } = setUp();
    const producer = await make();
    const [first] = batch('one') as [LogRecord];
    const sent = [producer.send([first]), producer.send(batch('two', 'three'))];
    first.value?.fill(0);
    expect(await Promise.all(sent)).toEqual([
      { stored: 1, failures: [] },
      { stored: 2, failures: [] },
    ]);
    expect(log.values('prices')).toEqual(['one', 'two', 'three']);
  });

  it('takes the scripted time for each batch, one after the other', async () => {
    const { clock, log, make } = setUp();
    const producer = await make();
    log.faults.slow(10);
    void producer.send(batch('one'));
    void producer.send(batch('two'));
    await clock.advance(10);
    expect(log.values('prices')).toEqual(['one']);
    expect(producer.pendingBytes).toBe(3);
    await clock.advance(10);
    expect(log.values('prices')).toEqual(['one', 'two']);
    expect([producer.pendingBytes, clock.pending]).toEqual([0, 0]);
  });

  it('keeps batches while the log is away, and stores them in order when it is back', async () => {
    const { clock, log, make } = setUp();
    const producer = await make();
    log.faults.goAway();
    const sent = Promise.all([producer.send(batch('one')), producer.send(batch('two'))]);
    await clock.advance(1000);
    expect(log.values('prices')).toEqual([]);
    log.faults.comeBack();
    await sent;
    expect(log.values('prices')).toEqual(['one', 'two']);
  });

  it('gives up after the delivery time-out, storing nothing', async () => {
    const { clock, log } = setUp();
    const platform = log.connect();
    const producer = await platform.producer({ clientId: 'p', overrides: { 'delivery.timeout.ms': '500' } });
    log.faults.goAway('broker 1 is down');
    const sent = producer.send(batch('one', 'two'));
    await clock.advance(500);
    const result = await sent;
    expect(codes(result)).toEqual(['0 delivery_timeout', '1 delivery_timeout']);
    expect(result.failures[0]?.error.message).toContain('broker 1 is down');
    log.faults.comeBack();
    await producer.send(batch('three'));
    expect(log.values('prices')).toEqual(['three']);
  });

  it('fails the refused records of a batch alone', async () => {
    const { log, make } = setUp();
    const producer = await make();
    const tooLarge = new ConnectorError('record_too_large', 'too large');
    log.faults.refuse((record) => ((record.value?.length ?? 0) > 3 ? tooLarge : undefined));
    const result = await producer.send(batch('one', 'three', 'two'));
    expect(result.stored).toBe(2);
    expect(codes(result)).toEqual(['1 record_too_large']);
    expect(log.values('prices')).toEqual(['one', 'two']);
  });

  it('fails as many whole batches as scripted', async () => {
    const { log, make } = setUp();
    const producer = await make();
    log.faults.fail(new ConnectorError('delivery_timeout', 'no'), 2);
    expect(codes(await producer.send(batch('one')))).toEqual(['0 delivery_timeout']);
    expect(codes(await producer.send(batch('two')))).toEqual(['0 delivery_timeout']);
    expect(codes(await producer.send(batch('three')))).toEqual([]);
    expect(log.values('prices')).toEqual(['three']);
  });

  it('stores a batch whose answer is lost', async () => {
    const { log, make } = setUp();
    const producer = await make();
    log.faults.loseAnswers();
    expect(codes(await producer.send(batch('one')))).toEqual(['0 delivery_timeout']);
    expect(log.values('prices')).toEqual(['one']);
  });

  it('holds answers until they are released, oldest first', async () => {
    const { clock, log, make } = setUp();
    const producer = await make();
    const answered: string[] = [];
    log.faults.hold();
    for (const name of ['one', 'two', 'three'])
      void producer.send(batch(name)).then(() => answered.push(name));
    await clock.advance(0);
    expect(log.values('prices')).toEqual(['one', 'two', 'three']);
    expect(answered).toEqual([]);
    log.faults.release(1);
    await clock.advance(0);
    expect(answered).toEqual(['one']);
    log.faults.release();
    await producer.flush();
    expect(answered).toEqual(['one', 'two', 'three']);
    await producer.send(batch('four'));
  });

  it('fails what is not settled when it is closed, and says whether it was stored', async () => {
    const { clock, log, make } = setUp();
    const producer = await make();
    log.faults.hold();
    const held = producer.send(batch('one'));
    await clock.advance(0);
    log.faults.goAway();
    const unsent = producer.send(batch('two'));
    const closed = producer.close({ timeoutMs: 100 });
    await clock.advance(100);
    await closed;
    const causes = [await held, await unsent].map((result) => result.failures[0]?.error.cause);
    expect(causes).toEqual([new Error('stored, but not answered'), new Error('not stored')]);
    log.faults.comeBack();
    await clock.advance(0);
    expect(log.values('prices')).toEqual(['one']);
    await expect(producer.send(batch('x'))).rejects.toMatchObject({ code: 'closed' });
    expect(clock.pending).toBe(0);
  });

  it('is fenced when another producer has taken over', async () => {
    const { clock, log, make } = setUp();
    const producer = await make();
    log.faults.goAway();
    const sent = producer.send(batch('one'));
    await clock.advance(0);
    log.faults.fence();
    expect(codes(await sent)).toEqual(['0 fenced']);
    await expect(producer.send(batch('two'))).rejects.toMatchObject({ code: 'fenced' });
  });

  it('refuses records of topics that do not exist, when topics are not created by themselves', async () => {
    const log = createScriptedLog({ autoCreateTopics: false });
    const producer = await log.connect().producer({ clientId: 'p' });
    expect(codes(await producer.send(batch('one')))).toEqual(['0 topic_unavailable']);
    log.createTopic({ name: 'prices', partitions: 2 });
    const wrongPartition = batch('one').map((record) => ({ ...record, partition: 2 }));
    expect(codes(await producer.send(wrongPartition))).toEqual(['0 topic_unavailable']);
    expect(codes(await producer.send(batch('one')))).toEqual([]);
  });
});

describe('a compacted log of a scripted log', () => {
  const options = (seen: string[]) => ({
    topic: { name: 'connect-configs', partitions: 1 },
    configKey: 'config.storage.topic',
    exactPartitions: true,
    clientId: 'test',
    onRecord: (record: { key: Uint8Array | null; value: Uint8Array | null }) => {
      const text = (part: Uint8Array | null): string =>
        part === null ? 'null' : Buffer.from(part).toString();
      seen.push(`${text(record.key)}=${text(record.value)}`);
    },
  });

  it('shows every opener every record, in the same order', async () => {
    const { log } = setUp();
    const [first, second, late] = [[], [], []] as string[][] as [string[], string[], string[]];
    const a = await log.connect().compactedLog(options(first));
    const b = await log.connect().compactedLog(options(second));
    await a.put(bytes('k'), bytes('1'));
    await b.put(bytes('k'), bytes('2'));
    await a.put(bytes('k'), null);
    await Promise.all([a.readToEnd(), b.readToEnd()]);
    await log.connect().compactedLog(options(late));
    expect(first).toEqual(['k=1', 'k=2', 'k=null']);
    expect([second, late]).toEqual([first, first]);
  });

  it('shows only the last of each key after compaction, and continues after it', async () => {
    const { log } = setUp();
    const [early, late] = [[], []] as string[][] as [string[], string[]];
    const a = await log.connect().compactedLog(options(early));
    for (const [key, value] of [
      ['a', '1'],
      ['b', '1'],
      ['a', '2'],
    ] as const)
      await a.put(bytes(key), bytes(value));
    await a.put(bytes('b'), null);
    await a.readToEnd();
    log.compact('connect-configs');
    const b = await log.connect().compactedLog(options(late));
    await a.put(bytes('c'), bytes('1'));
    await Promise.all([a.readToEnd(), b.readToEnd()]);
    expect(early).toEqual(['a=1', 'b=1', 'a=2', 'b=null', 'c=1']);
    expect(late).toEqual(['a=2', 'c=1']);
  });

  it('shows own writes after put has resolved, as a broker does', async () => {
    const { clock, log } = setUp();
    const seen: string[] = [];
    const opened = await log.connect().compactedLog(options(seen));
    await opened.put(bytes('k'), bytes('1'));
    expect(seen).toEqual([]);
    await clock.advance(0);
    expect(seen).toEqual(['k=1']);
    await opened.close();
    await expect(opened.put(bytes('k'), null)).rejects.toMatchObject({ code: 'closed' });
  });

  it('rejects a topic of another policy or partition count, naming the key', async () => {
    const { log } = setUp();
    log.createTopic({ name: 'connect-configs' });
    const open = () => log.connect().compactedLog(options([]));
    await expect(open()).rejects.toThrow("'connect-configs' supplied via the 'config.storage.topic'");
    const other = setUp().log;
    other.createTopic({ name: 'connect-configs', partitions: 3, config: { 'cleanup.policy': 'compact' } });
    await expect(other.connect().compactedLog(options([]))).rejects.toThrow('1 partitions, found 3');
  });

  it('rejects with a retriable error while the log is away', async () => {
    const { log } = setUp();
    const platform = log.connect();
    const opened = await platform.compactedLog(options([]));
    log.faults.goAway('down for repair');
    await expect(opened.put(bytes('k'), null)).rejects.toMatchObject({
      code: 'log_unavailable',
      retriable: true,
    });
    await expect(opened.readToEnd()).rejects.toThrow('down for repair');
    expect(platform.health()).toMatchObject({ status: 'away', reason: 'down for repair' });
    log.faults.comeBack();
    await opened.put(bytes('k'), null);
    expect(platform.health()).toEqual({ status: 'ok' });
  });
});
