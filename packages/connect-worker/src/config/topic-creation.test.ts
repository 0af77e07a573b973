import { describe, expect, it } from 'vitest';
import { topicCreation, topicCreationWarnings } from './topic-creation.ts';

const defaults = {
  'topic.creation.default.partitions': '3',
  'topic.creation.default.replication.factor': '2',
};

describe('topicCreation', () => {
  it('leaves topics to the log when no key asks for them', () => {
    expect(topicCreation({ name: 'prices' })).toBeUndefined();
  });

  it('makes topics as the default group says', () => {
    const specFor = topicCreation({ ...defaults, 'topic.creation.default.retention.ms': '1000' });
    expect(specFor?.('prices')).toEqual({
      name: 'prices',
      partitions: 3,
      replicationFactor: 2,
      config: { 'retention.ms': '1000' },
    });
  });

  it('makes a topic as the first group that takes its name says, with counts of the default group where it has none', () => {
    const specFor = topicCreation({
      ...defaults,
      'topic.creation.default.retention.ms': '1000',
      'topic.creation.groups': 'compacted, wide',
      'topic.creation.compacted.include': 'table\\..*, state',
      'topic.creation.compacted.exclude': '.*\\.tmp',
      'topic.creation.compacted.cleanup.policy': 'compact',
      'topic.creation.wide.include': '.*',
      'topic.creation.wide.partitions': '-1',
    });
    expect(specFor?.('table.users')).toEqual({
      name: 'table.users',
      partitions: 3,
      replicationFactor: 2,
      config: { 'cleanup.policy': 'compact' },
    });
    expect(specFor?.('table.users.tmp')).toEqual({
      name: 'table.users.tmp',
      replicationFactor: 2,
      config: {},
    });
  });

  it('reports everything that is wrong at once', () => {
    const raw = {
      'topic.creation.groups': 'g',
      'topic.creation.g.include': 'ok,(',
      'topic.creation.g.partitions': '0',
      'topic.creation.default.partitions': 'many',
    };
    expect(() => topicCreation(raw)).toThrowError(
      expect.objectContaining({
        code: 'config_invalid',
        issues: [
          {
            key: 'topic.creation.g.include',
            message:
              'Invalid value [ok, (] for configuration topic.creation.g.include: Syntax error in regular expression: pattern (: missing ) at position 2',
          },
          {
            key: 'topic.creation.g.partitions',
            message:
              "Invalid value 0 for configuration topic.creation.g.partitions: Number of partitions must be positive, or -1 to use the broker's default",
          },
          {
            key: 'topic.creation.default.replication.factor',
            message:
              'Missing required configuration "topic.creation.default.replication.factor" which has no default value.',
          },
          {
            key: 'topic.creation.default.partitions',
            message:
              'Invalid value many for configuration topic.creation.default.partitions: Not a number of type INT',
          },
        ],
      }),
    );
  });

  it('does not read the patterns of the default group, which takes every topic', () => {
    const specFor = topicCreation({ ...defaults, 'topic.creation.default.exclude': '(,prices' });
    expect(specFor?.('prices')).toMatchObject({ partitions: 3, config: {} });
  });

  it('takes the first of several groups that fit, also when it is written with the default group', () => {
    const specFor = topicCreation({
      ...defaults,
      'topic.creation.groups': 'default,first,second',
      'topic.creation.first.include': 'p.*',
      'topic.creation.first.partitions': '7',
      'topic.creation.second.include': 'prices',
      'topic.creation.second.partitions': '8',
    });
    expect(specFor?.('prices').partitions).toBe(7);
  });

  it('warns of keys whose group is not listed', () => {
    const raw = { ...defaults, 'topic.creation.groups': 'a', 'topic.creation.a.include': 'x' };
    expect(topicCreationWarnings(raw)).toEqual([]);
    expect(topicCreationWarnings({ ...raw, 'topic.creation.b.partitions': '1' })).toEqual([
      '"topic.creation.b.partitions" has no effect, its group is not listed in topic.creation.groups',
    ]);
  });

  it('survives a group with a harmful name', () => {
    const specFor = topicCreation({ ...defaults, 'topic.creation.groups': '__proto__' });
    expect(specFor?.('prices').partitions).toBe(3);
  });
});
