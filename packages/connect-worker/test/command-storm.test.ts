import { waitFor } from '@levada/connect-runtime-core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Herder } from '../src/port/herder.ts';
import { configOf, runtimeHarness } from './runtime-harness.ts';

const commands: readonly ((herder: Herder, n: number) => Promise<unknown>)[] = [
  (herder, n) => herder.create('a', configOf('a', { file: `${n}` })),
  (herder, n) => herder.putConfig('a', configOf('a', { file: `${n}` })),
  (herder, n) => herder.patchConfig('a', { label: `${n}` }),
  (herder) => herder.delete('a'),
  (herder) => herder.setTargetState('a', 'PAUSED'),
  (herder) => herder.setTargetState('a', 'STARTED'),
  (herder) => herder.setTargetState('a', 'STOPPED'),
  (herder) => herder.restart('a', { includeTasks: false, onlyFailed: false }),
  (herder) => herder.restart('a', { includeTasks: true, onlyFailed: false }),
  (herder) => herder.restartTask('a', 0),
  (herder) => herder.resetOffsets('a'),
];

describe('a storm of commands', () => {
  it('ends with the last accepted state and one task, and refuses only what cannot be', async () => {
    const step = fc.record({ command: fc.nat(commands.length - 1), pause: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { runtime, herder, source, states, clock } = runtimeHarness();
        source.script.reconfigurable = true;
        await runtime.start();
        const running: Promise<unknown>[] = [];
        const refused: string[] = [];
        for (const [n, { command, pause }] of steps.entries()) {
          const done = commands[command]?.(herder, n).catch((thrown: { kind?: string }) => {
            refused.push(thrown.kind ?? 'not a HerderError');
          });
          running.push(done ?? Promise.resolve());
          if (pause) await new Promise((resolve) => setImmediate(resolve));
        }
        await Promise.all(running);
        await herder.putConfig('a', configOf('a', { file: 'last' }));
        await herder.setTargetState('a', 'STARTED');
        await states('a', 'RUNNING', 'RUNNING');
        await waitFor(() => source.task().started && source.task().config.file === 'last');
        const alive = () => source.tasks.filter((task) => task.stops === 0);
        expect(alive()).toEqual([source.task()]);
        expect(refused.filter((kind) => !/^(not_found|already_exists|bad_request)$/.test(kind))).toEqual([]);
        await herder.putConfig('a', configOf('a', { file: 'overtaken' }));
        await herder.setTargetState('a', 'STOPPED');
        await waitFor(async () => (await herder.tasks('a')).length === 0 && alive().length === 0);
        expect(await herder.resetOffsets('a')).toContain('reset');
        await states('a', 'STOPPED');
        await runtime.stop();
        expect(clock.pending).toBe(0);
      }),
      { numRuns: 25 },
    );
  });
});
