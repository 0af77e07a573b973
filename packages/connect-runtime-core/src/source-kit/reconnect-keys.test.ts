import { describe, expect, it } from 'vitest';
import { reconnectKeys } from './reconnect-keys.ts';

describe('the reconnect keys', () => {
  it('take a change of interval, attempts and longest delay live', () => {
    expect(reconnectKeys('feed').map(({ name, ...row }) => [name, 'update' in row && row.update])).toEqual([
      ['feed.reconnect.enabled', false],
      ['feed.reconnect.interval.ms', 'live'],
      ['feed.reconnect.max.attempts', 'live'],
      ['feed.reconnect.backoff.max.ms', 'live'],
    ]);
  });

  it('take a change of the longest delay as their source has it', () => {
    const updates = reconnectKeys('feed', { backoffMaxUpdate: 'restart' }).flatMap((row) =>
      'update' in row ? [row.update] : [],
    );
    expect(updates).toEqual(['live', 'live', 'restart']);
  });
});
