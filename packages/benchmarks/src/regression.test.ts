import { describe, expect, it } from 'vitest';
import { judge } from './regression.ts';

describe('judge', () => {
  it('takes a ratio more than a quarter below the committed one for a regression', () => {
    expect(judge({ grpc: 0.29 }, { grpc: 0.4 })).toEqual([
      { name: 'grpc', committed: 0.4, now: 0.29, regressed: true },
    ]);
  });

  it('lets a ratio vary within the tolerance, and rise', () => {
    const verdicts = judge({ grpc: 0.31, websocket: 0.9 }, { grpc: 0.4, websocket: 0.4 });
    expect(verdicts.map(({ regressed }) => regressed)).toEqual([false, false]);
  });

  it('takes a case without a committed ratio for a new one', () => {
    expect(judge({ sse: 0.1 }, {})).toMatchObject([{ committed: undefined, regressed: false }]);
  });
});
