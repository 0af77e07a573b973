import { describe, expect, it } from 'vitest';
import { createRecordingLogger } from '../testing/recording-logger.ts';
import { createScriptedLog } from '../testing/scripted-log.ts';
import { systemClock } from '../time/clock.ts';
import { logOffsets } from './log-offsets.ts';

const partition = { feed: 'f' };

/** A store whose platform opens and closes slowly, and a source that uses it. */
function setUp() {
  const log = createScriptedLog();
  const steps: string[] = [];
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const store = logOffsets(
    async () => {
      const platform = log.connect();
      await turn();
      steps.push('open');
      return {
        ...platform,
        close: async (options) => {
          await turn();
          await platform.close(options);
          steps.push('close');
        },
      };
    },
    { topic: { name: 'offsets', partitions: 1 } },
  );
  const open = async (source: string): Promise<void> =>
    await store.open?.({
      source,
      logger: createRecordingLogger(),
      clock: systemClock,
      signal: new AbortController().signal,
    });
  return { store, steps, open };
}

describe('logOffsets', () => {
  it('opens the platform once for all sources, and closes it after the last', async () => {
    const { store, steps, open } = setUp();
    await Promise.all([open('one'), open('two')]);
    await store.write('one', [{ partition, offset: { position: 1 } }]);
    await store.close?.('one');
    await store.write('two', [{ partition, offset: { position: 2 } }]);
    expect(steps).toEqual(['open']);
    await store.close?.('two');
    expect(steps).toEqual(['open', 'close']);
    await expect(store.read('one', partition)).rejects.toThrow('the offset store is not open');
  });

  it.each([0, 1, 2, 3])(
    'serves a source that opens it %i turns after the last one has begun to close it',
    async (turns) => {
      const { store, steps, open } = setUp();
      await open('one');
      await store.write('one', [{ partition, offset: { position: 1 } }]);
      const closing = store.close?.('one');
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await open('two');
      await closing;
      await store.write('two', [{ partition, offset: { position: 2 } }]);
      expect(await store.read('one', partition)).toEqual({ position: 1 });
      await store.close?.('two');
      expect(steps).toEqual(['open', 'close', 'open', 'close']);
    },
  );
});
