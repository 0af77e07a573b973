import { describe, expect, it } from 'vitest';
import { problemsOfConnections, problemsOfExports, problemsOfFile } from './sequences.ts';

describe('records of a connector', () => {
  it('are right when each connection continues the one before it', () => {
    expect(problemsOfConnections(['<0:0>', '<0:1>', '<1:0>', '<3:0>', '<3:1>'])).toEqual([]);
  });

  it.each([
    [['<0:0>', '<1:0>', '<0:1>'], 'two tasks at the same time: <0:1> after <1:0>'],
    [['<0:0>', '<0:1>', '<0:1>'], 'twice: <0:1> after <0:1>'],
    [['<0:0>', '<0:2>'], 'missing: <0:2> after <0:0>'],
    [['<0:0>', '<1:1>'], 'missing: <1:1> after <0:0>'],
    [['hello'], 'not a message of the feed: hello'],
  ])('%j are wrong: %s', (values, problem) => {
    expect(problemsOfConnections(values)).toEqual([problem]);
  });
});

describe('records of a file', () => {
  it('may begin again once for each takeover', () => {
    expect(problemsOfFile(['0', '1', '2', '1', '2', '3'], 1)).toEqual([]);
    expect(problemsOfFile(['0', '1', '0', '1', '0', '1'], 1)).toEqual([
      'read again 2 times after 1 takeovers',
    ]);
  });

  it('may not leave out a line', () => {
    expect(problemsOfFile(['0', '2'], 1)).toEqual(['missing: 2 after 0']);
  });
});

describe('records of a receiver', () => {
  const sent = new Map([
    ['a', { attempts: 2, acknowledged: true }],
    ['b', { attempts: 1, acknowledged: false }],
  ]);

  it('are right when what was acknowledged is there, as often as it was sent at most', () => {
    expect(problemsOfExports(['a', 'a'], sent)).toEqual([]);
  });

  it('are wrong when one is missing, or is there more often', () => {
    expect(problemsOfExports(['b', 'b'], sent)).toEqual(['missing: a', 'stored 2 times, sent 1 times: b']);
  });
});
