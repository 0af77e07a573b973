import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from './recording-logger.ts';

describe('createRecordingLogger', () => {
  it('keeps lines of children with the fields of their parents', () => {
    const logger = createRecordingLogger();
    logger.child({ connector: 'prices' }).child({ task: 0 }).warn({ event: 'queue_full', size: 3 }, 'full');
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        fields: { connector: 'prices', task: 0, event: 'queue_full', size: 3 },
        message: 'full',
      },
    ]);
  });

  it('finds lines by their event', () => {
    const logger = createRecordingLogger();
    logger.info({ event: 'a' });
    logger.info({ event: 'b', n: 1 });
    expect(logger.withEvent('b').map((line) => line.fields['n'])).toEqual([1]);
  });

  it('shows the causes of errors in its text', () => {
    const logger = createRecordingLogger();
    logger.error({ error: new Error('outer', { cause: new Error('inner') }), big: 1n }, 'failed');
    expect(logger.text()).toMatch(/error failed .*outer.*inner/);
  });
});
