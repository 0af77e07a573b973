import { describe, expect, it } from 'vitest';
import { compareOptions, parts } from './options.ts';

describe('compareOptions', () => {
  it('measures everything five times without arguments', () => {
    const options = compareOptions([]);
    expect(options.parts).toEqual(parts);
    expect(options.rounds).toEqual({ runs: 5, seconds: 4, warmUpShare: 1 });
  });

  it('measures the named parts in the order of the page', () => {
    expect(compareOptions(['grpc', 'websocket', '--runs', '3']).parts).toEqual(['websocket', 'grpc']);
  });

  it('takes numbers over those of the quick look', () => {
    const { rounds } = compareOptions(['--quick', '--seconds', '0.5']);
    expect(rounds).toMatchObject({ runs: 3, seconds: 0.5 });
  });

  it.each([
    [['kafka'], 'unknown part "kafka", expected one of websocket, grpc, otlp, latency, idle'],
    [['--runs', '2.5'], '--runs is 2.5, expected a whole number'],
    [['grpc', '--docs'], '--docs writes the whole page, expected no names of parts beside it'],
    [['--seconds', 'x'], '--seconds is "x", expected a number above 0'],
  ])('refuses %j and says what it expects', (args, message) => {
    expect(() => compareOptions(args)).toThrow(message);
  });
});
