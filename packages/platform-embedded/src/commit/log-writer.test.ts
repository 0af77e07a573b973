import { describe, expect, it } from 'vitest';
import { record } from '../../test/records.ts';
import { migrate } from '../folder/schema.ts';
import { openDatabase, scalar } from '../folder/sqlite.ts';
import { StoredBatch } from '../model/stored-batch.ts';
import { LogWriter } from './log-writer.ts';

function rows(log: number, ...values: string[]) {
  const batch = new StoredBatch(log, false, Buffer.alloc(1000));
  for (const value of values) batch.append(record('t', value));
  const { count, maxTimestamp } = batch;
  return [{ log, compacted: false, count, maxTimestamp, data: batch.content() }];
}

describe('LogWriter', () => {
  it('a group is stored once if it is repeated after an unsure commit that succeeded', async () => {
    const database = await openDatabase(':memory:');
    migrate(database, 'log');
    new LogWriter(database).commit(1, [], rows(5, 'a', 'b'));
    const after = new LogWriter(database, { group: 1, ends: new Map([[5, 2]]) });
    after.commit(1, [], rows(5, 'a', 'b'));
    expect(scalar(database, 'SELECT sum(count) FROM batch')).toBe(2);
    after.commit(2, [], rows(5, 'c'));
    expect(scalar(database, 'SELECT max(base_offset) FROM batch')).toBe(2);
    database.close();
  });

  it('a group is stored if its unsure commit had failed', async () => {
    const database = await openDatabase(':memory:');
    migrate(database, 'log');
    const writer = new LogWriter(database, { group: 1, ends: new Map([[5, 2]]) });
    writer.commit(1, [], rows(5, 'a', 'b'));
    expect(scalar(database, 'SELECT sum(count) FROM batch')).toBe(2);
    database.close();
  });

  it('a group is stored completely or not at all', async () => {
    const database = await openDatabase(':memory:');
    migrate(database, 'log');
    database.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON batch WHEN new.log = 6 BEGIN SELECT raise(FAIL, 'no'); END",
    );
    const writer = new LogWriter(database);
    const topic = { id: 1, name: 't', partitions: 2, firstLog: 5, config: {} };
    expect(() => writer.commit(1, [topic], [...rows(5, 'a'), ...rows(6, 'b')])).toThrow('no');
    expect(scalar(database, 'SELECT count(*) FROM batch')).toBe(0);
    expect(scalar(database, 'SELECT count(*) FROM topic')).toBe(0);
    writer.commit(2, [topic], rows(5, 'a'));
    expect(scalar(database, 'SELECT base_offset FROM batch')).toBe(0);
    database.close();
  });
});
