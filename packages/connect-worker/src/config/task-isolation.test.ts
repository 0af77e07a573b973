import { describe, expect, it } from 'vitest';
import { configOf, runtimeHarness } from '../../test/runtime-harness.ts';
import { runsInThreads } from './task-isolation.ts';

const threads = { entry: new URL('file:///thread.js'), host: undefined, byDefault: false, heapMb: 64 };

async function validated(isolation: string, taskThreads: typeof threads | undefined) {
  const { herder } = runtimeHarness({ taskThreads });
  const { configs, warnings } = await herder.validate(
    'ArraySource',
    configOf('a', { 'task.isolation': isolation }),
  );
  return { errors: configs.flatMap(({ value }) => value.errors), warnings, configs };
}

describe('task.isolation of a connector', () => {
  it('is refused with key and reason where the log has one writer', async () => {
    const { errors } = await validated('thread', undefined);
    expect(errors).toEqual([
      expect.stringMatching(/^Invalid value thread for configuration task\.isolation: .*bootstrap\.servers/),
    ]);
    expect((await validated('none', undefined)).errors).toEqual([]);
  });

  it('is none or thread, and no unknown key', async () => {
    expect(await validated('thread', threads)).toMatchObject({ errors: [], warnings: [] });
    expect((await validated('process', threads)).errors).toEqual([
      'Invalid value process for configuration task.isolation: String must be one of: none, thread',
    ]);
  });

  it('is refused as a reference, because it is not resolved where tasks are started', async () => {
    const provider = { get: async () => new Map([['ISOLATION', 'thread']]) };
    const { herder } = runtimeHarness({
      taskThreads: threads,
      configProviders: new Map([['env', provider]]),
    });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference of Kafka Connect
    const config = configOf('a', { 'task.isolation': '${env:ISOLATION}' });
    const { configs } = await herder.validate('ArraySource', config);
    expect(configs.flatMap(({ value }) => value.errors)).toEqual([
      expect.stringMatching(/^Invalid value .* for configuration task\.isolation: String must be one of/),
    ]);
  });

  it("is the worker's when the connector has none", () => {
    expect(runsInThreads({}, true)).toBe(true);
    expect(runsInThreads({}, false)).toBe(false);
    expect(runsInThreads({ 'task.isolation': 'none' }, true)).toBe(false);
    expect(runsInThreads({ 'task.isolation': 'thread' }, false)).toBe(true);
  });

  it('is shown by validation only when it is given, so that other answers are those of Kafka Connect', async () => {
    const { herder } = runtimeHarness({ taskThreads: threads });
    const names = (await herder.validate('ArraySource', configOf('a', {}))).configs.map(
      ({ value }) => value.name,
    );
    expect(names).not.toContain('task.isolation');
    const { configs } = await validated('thread', threads);
    expect(configs.map(({ value }) => value.name)).toContain('task.isolation');
  });
});
