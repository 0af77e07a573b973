import { describe, expect, it } from 'vitest';
import { timeoutMs } from './grpc-timeout.ts';

describe('timeoutMs', () => {
  it.each([
    ['2H', 7_200_000],
    ['3M', 180_000],
    ['10S', 10_000],
    ['99999999m', 99_999_999],
    ['1500u', 1.5],
    ['250n', 0.00025],
    ['0S', 0],
  ])('reads "%s" as %d ms', (header, ms) => {
    expect(timeoutMs(header)).toBeCloseTo(ms, 9);
  });

  it.each([
    '',
    'S',
    '5',
    'abc',
    '5s',
    '-1S',
    '1.5S',
    '+5S',
    ' 5S',
    '5S ',
    '123456789m',
    '5SS',
    '5S, 6S',
    '0x5S',
  ])('does not read "%s"', (header) => expect(timeoutMs(header)).toBeUndefined());
});
