import { describe, expect, it } from 'vitest';
import { judge } from './regression.ts';

describe('judge', () => {
  it('takes a ratio more than a quarter below the committed one for a regression', () => {
    const [verdict] = judge({ 'grpc/least': 0.29 }, { 'grpc/least': 0.4 });
    expect(verdict).toMatchObject({ committed: 0.4, now: 0.29, verdict: 'regression' });
    expect(verdict?.least).toBeCloseTo(0.3);
  });

  it('lets a ratio vary within the tolerance, and rise', () => {
    const now = { 'grpc/least': 0.31, 'grpc/bare': 0.29, 'websocket/least': 0.9 };
    const verdicts = judge(now, { 'grpc/least': 0.4, 'grpc/bare': 0.4, 'websocket/least': 0.4 });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'ok']);
  });

  it('takes a committed ratio that is not measured any more for a regression', () => {
    expect(judge({}, { 'grpc/bare': 0.4 })).toMatchObject([{ now: 0, verdict: 'regression' }]);
  });

  it('does not pass a case without a committed ratio', () => {
    expect(judge({ sse: 0.1 }, {})).toMatchObject([{ committed: undefined, verdict: 'not committed' }]);
  });
});
