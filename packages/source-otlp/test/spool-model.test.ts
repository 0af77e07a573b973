import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SpoolComparison, spoolStep } from './spool-comparison.ts';

describe('a spool, whatever happens to it', () => {
  it('a spool keeps every acknowledged entry in order until it is committed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(spoolStep, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const comparison = await SpoolComparison.begin();
        for (const one of steps) {
          await comparison.run(one);
          expect(comparison.actual()).toEqual(comparison.expected());
        }
        await comparison.end();
      }),
      { numRuns: 40, endOnFailure: true },
    );
  }, 60_000);
});
