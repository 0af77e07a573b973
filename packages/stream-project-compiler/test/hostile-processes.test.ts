import { describe, expect, test } from 'vitest';
import { hostileCases } from './hostile/hostile-cases.ts';
import { runCommand } from './hostile/run-command.ts';

/** Of more than 400: all of them have their own process in `npm run bench -- project-hostile`. */
const EVERY = 8;
const sample = hostileCases.filter((_, at) => at % EVERY === 0);

describe('levada project validate, in its own process', () => {
  test.concurrent.each(sample)('refuses $name', async (one) => {
    const { exitCode, signal, output } = await runCommand(one);
    expect({ exitCode, signal, output }).toEqual({
      exitCode: 1,
      signal: null,
      output: expect.stringContaining('error'),
    });
  });
});
