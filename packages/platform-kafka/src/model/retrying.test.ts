import { ConnectorError } from '@levada/connect-runtime-core';
import { backoffDelay } from '@levada/connect-runtime-core/platform';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { retrying, retryPolicy } from './retrying.ts';

describe('retrying', () => {
  it('retries never spin, even without a delay', () => {
    const delays = [1, 2, 50].map((attempt) => backoffDelay(retryPolicy(0, 0), attempt, () => 0));
    expect(delays).toEqual([10, 10, 10]);
  });

  it('retries end with the reason of their signal', async () => {
    const clock = createManualClock();
    const controller = new AbortController();
    const fail = async (): Promise<never> => {
      controller.abort(new ConnectorError('closed', 'over'));
      throw new ConnectorError('connection_lost', 'away');
    };
    const work = retrying(fail, { clock, policy: retryPolicy(100, 1000), signal: controller.signal });
    await expect(work).rejects.toMatchObject({ code: 'closed', message: 'over' });
  });
});
