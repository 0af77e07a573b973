import { describe, expect, it } from 'vitest';
import { waitFor } from './wait-for.ts';

describe('waitFor', () => {
  it('resolves with the first value that is there, zero and empty text included', async () => {
    let looks = 0;
    const values = [undefined, null, false, 0];
    expect(await waitFor(() => values[looks++] as number | undefined | null | false)).toBe(0);
    expect(await waitFor(async () => '')).toBe('');
  });

  it('gives up at its deadline, saying what it waited for', async () => {
    const waiting = waitFor(() => false, { timeoutMs: 5, what: () => 'three records' });
    await expect(waiting).rejects.toThrow('not within 5 ms: three records');
  });

  it('rejects with what the condition throws', async () => {
    await expect(waitFor(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
