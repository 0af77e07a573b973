import { describe, expect, it } from 'vitest';
import { answerTime } from './answer-time.ts';

describe('answerTime', () => {
  it.each([
    [8000, undefined, 8000],
    [8000, 60_000, 8000],
    [8000, 10_000, 8000],
    [8000, 5000, 4500],
    [8000, 1000, 750],
    [8000, 1, 1],
    [8000, 0, 1],
  ])(
    'the answer time for a limit of %d ms and a client limit of %s ms is %d',
    (timeoutMs, clientMs, expected) => {
      expect(answerTime(timeoutMs, clientMs)).toBe(expected);
    },
  );
});
