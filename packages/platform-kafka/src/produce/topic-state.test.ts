import { ConnectorError } from '@levada/connect-runtime-core';
import { describe, expect, it } from 'vitest';
import { record } from '../../test/producing.ts';
import { PartitionState } from './partition-state.ts';
import { sameError } from './pending-batch.ts';
import { Submission } from './submission.ts';
import { TopicState } from './topic-state.ts';

const BATCH = 100;
const text = record('t', 'x');

function topicOf(leaders: readonly number[]): TopicState {
  const topic = new TopicState('t', { pendingBytes: 0, unsentBytes: 0 }, () => 0);
  topic.count = leaders.length;
  topic.partitions.push(
    ...leaders.map((leader, id) => Object.assign(new PartitionState('t', id), { leader })),
  );
  return topic;
}

function chosen(topic: TopicState, times: number): readonly (number | undefined)[] {
  return Array.from({ length: times }, () => topic.partitionFor(text, BATCH / 2, BATCH)?.id);
}

describe('a topic', () => {
  it('records without a key stay in one partition for a batch, then use the next', () => {
    expect(chosen(topicOf([1, 1, 1]), 7)).toEqual([0, 0, 1, 1, 2, 2, 0]);
  });

  it('partitions without a leader are skipped', () => {
    expect(chosen(topicOf([-1, 1, -1, 1]), 5)).toEqual([1, 1, 3, 3, 1]);
  });

  it('records without a key get a partition even if none has a leader', () => {
    expect(chosen(topicOf([-1, -1]), 1)).toEqual([1]);
  });

  it('records without a key leave a partition that lost its leader', () => {
    const topic = topicOf([1, 1]);
    expect(chosen(topic, 1)).toEqual([0]);
    Object.assign(topic.partitions[0] ?? {}, { leader: -1 });
    expect(chosen(topic, 1)).toEqual([1]);
  });

  it('records with a key keep their partition, with or without a leader', () => {
    const keyed = record('t', 'x', { key: Buffer.from('key') });
    expect(topicOf([-1, -1, -1]).partitionFor(keyed, 1, BATCH)?.id).toBe(
      topicOf([1, 1, 1]).partitionFor(keyed, 1, BATCH)?.id,
    );
  });

  it('no partition beyond the count of the topic is chosen', () => {
    const beyond = record('t', 'x', { partition: 2 });
    expect(topicOf([1, 1]).partitionFor(beyond, 1, BATCH)).toBe(undefined);
  });

  it('held records count until they are released or given up', async () => {
    const ledger = { pendingBytes: 0, unsentBytes: 0 };
    const topic = new TopicState('t', ledger, () => 0);
    const submission = new Submission(2);
    const held = { record: text, headers: new Uint8Array(1), submission, bytes: 10 };
    topic.hold({ ...held, index: 0, createdAt: 1 });
    topic.hold({ ...held, index: 1, createdAt: 2 });
    expect(ledger).toEqual({ pendingBytes: 20, unsentBytes: 20 });
    topic.expireBefore(1, sameError(new ConnectorError('closed', 'over')));
    expect(topic.release().map(({ index }) => index)).toEqual([1]);
    submission.noteStored(1);
    expect(await submission.result).toMatchObject({ stored: 1, failures: [{ index: 0 }] });
    expect({ ...ledger, empty: topic.empty }).toEqual({ pendingBytes: 0, unsentBytes: 0, empty: true });
  });
});
