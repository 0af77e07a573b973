// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of configurations look like that
import { ConnectorError } from '@levada/connect-runtime-core';
import type { OffsetChange } from '@levada/connect-runtime-core/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { maskText } from '../src/config/secret-mask.ts';
import type { ConnectRuntimeOptions } from '../src/port/connect-runtime.ts';
import type { Herder } from '../src/port/herder.ts';
import { configOf, type RuntimeHarness, runtimeHarness } from './runtime-harness.ts';
import { scriptedSource } from './scripted-connector.ts';

const open: RuntimeHarness[] = [];

async function started(overrides: Partial<ConnectRuntimeOptions> = {}): Promise<RuntimeHarness> {
  const harness = runtimeHarness(overrides);
  open.push(harness);
  await harness.runtime.start();
  return harness;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('requests for a connector that does not exist', () => {
  const flags = { includeTasks: false, onlyFailed: false };
  const requests: readonly [string, (herder: Herder) => Promise<unknown>, string][] = [
    ['info', (herder) => herder.connector('x'), 'Connector x not found'],
    ['config', (herder) => herder.config('x'), 'Connector x not found'],
    ['tasks', (herder) => herder.tasks('x'), 'Connector x not found'],
    ['offsets', (herder) => herder.offsets('x'), 'Connector x not found'],
    ['patch', (herder) => herder.patchConfig('x', {}), 'Connector x not found'],
    ['delete', (herder) => herder.delete('x'), 'Connector x not found'],
    ['reset of offsets', (herder) => herder.resetOffsets('x'), 'Connector x not found'],
    ['status', (herder) => herder.status('x'), 'No status found for connector x'],
    ['task status', (herder) => herder.taskStatus('x', 0), 'No status found for task x-0'],
    ['pause', (herder) => herder.setTargetState('x', 'PAUSED'), 'Unknown connector x'],
    ['restart', (herder) => herder.restart('x', flags), 'Unknown connector: x'],
    [
      'restart by plan',
      (herder) => herder.restart('x', { ...flags, includeTasks: true }),
      'Unknown connector: x',
    ],
    ['restart of a task', (herder) => herder.restartTask('x', 0), 'Unknown connector: x'],
    ['name of every object', (herder) => herder.connector('__proto__'), 'Connector __proto__ not found'],
  ];

  it.each(requests)('%s answers 404', async (_, request, message) => {
    const { herder } = await started();
    await expect(request(herder)).rejects.toMatchObject({ kind: 'not_found', message });
  });

  it('answers no topics for a connector that does not exist', async () => {
    const { herder } = await started();
    expect(await herder.activeTopics('x')).toEqual([]);
    expect(await herder.resetActiveTopics('x')).toBeUndefined();
  });

  it('restart of an unknown task answers 404', async () => {
    const { herder, running } = await started();
    await running('a');
    await expect(herder.restartTask('a', 1)).rejects.toMatchObject({
      kind: 'not_found',
      message: 'Unknown task: a-1',
    });
  });
});

describe('create', () => {
  it('answers without tasks, which are made later, also when a connector of that name was there before', async () => {
    const { herder, running } = await started();
    await running('a');
    await herder.delete('a');
    for (const name of ['a', 'b']) {
      expect((await herder.create(name, configOf(name))).tasks).toEqual([]);
    }
    expect((await herder.putConfig('c', configOf('c'))).info.tasks).toEqual([]);
  });

  it('lists every problem of the configuration', async () => {
    const { herder } = await started();
    const config = configOf('a', { topic: '', 'tasks.max': '0' });
    await expect(herder.create('a', config)).rejects.toMatchObject({
      kind: 'bad_request',
      message: [
        'Connector configuration is invalid and contains the following 2 error(s):',
        'Invalid value 0 for configuration tasks.max: Value must be at least 1',
        'Invalid value  for configuration topic: String must be non-empty',
        'You can also find the above list of errors at the endpoint `/connector-plugins/{connectorType}/config/validate`',
      ].join('\n'),
    });
  });

  it('refuses a name in the configuration that is another one', async () => {
    const { herder } = await started();
    await expect(herder.create('a', configOf('b'))).rejects.toMatchObject({
      kind: 'bad_request',
      message: "Connector name configuration (b) doesn't match connector name in the URL (a)",
    });
  });

  it('refuses an empty name and control characters', async () => {
    const { herder } = await started();
    await expect(herder.create('', configOf(''))).rejects.toThrow('String may not be empty');
    await expect(herder.create(' ', configOf(' '))).rejects.toThrow('String may not be empty');
    for (const name of ['a\n', 'a\nb']) {
      await expect(herder.create(name, configOf(name))).rejects.toMatchObject({
        kind: 'bad_request',
        message: expect.stringContaining('had the following ASCII chars: 10'),
      });
    }
  });

  it('lets exactly one of 200 concurrent creates of the same name succeed', async () => {
    const { herder } = await started();
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, () => herder.create('a', configOf('a'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('puts no more warnings into the log than people read', async () => {
    const { herder, logger } = await started();
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`unknown.${i}`, 'x']));
    await herder.create('a', configOf('a', unknown));
    const lines = logger.withEvent('config_warning');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)?.fields['warning']).toBe('and 480 more');
  });

  it('takes keys that every object has for plain keys', async () => {
    const { herder } = await started();
    const config = JSON.parse(
      '{"__proto__":"p","constructor":"c","toString":"t","connector.class":"ArraySource","topic":"t"}',
    ) as Record<string, string>;
    const info = await herder.create('a', config);
    expect(Object.entries(info.config)).toEqual([...Object.entries(config), ['name', 'a']]);
    expect(({} as Record<string, unknown>)['p']).toBeUndefined();
  });
});

describe('put and patch', () => {
  it('put creates what does not exist, and says so', async () => {
    const { herder } = await started();
    expect(await herder.putConfig('a', configOf('a'))).toMatchObject({ created: true, info: { name: 'a' } });
    expect(await herder.putConfig('a', configOf('a'))).toMatchObject({ created: false });
  });

  it('patch cannot take the name away', async () => {
    const { herder, running } = await started();
    await running('a');
    await expect(herder.patchConfig('a', { name: null })).rejects.toThrow(
      'Missing required configuration "name" which has no default value.',
    );
  });

  it('patch merges, and null removes a key', async () => {
    const { herder } = await started();
    await herder.create('a', configOf('a', { file: 'x', label: 'y' }));
    const info = await herder.patchConfig('a', { file: null, label: 'z', extra: '1' });
    expect(info.config).toEqual(configOf('a', { label: 'z', extra: '1' }));
  });
});

describe('secrets', () => {
  const canary = 'canary-0815-canary';

  it('are masked in every answer, and stay when the mask is sent back', async () => {
    const env = { get: async () => new Map([['T', 'resolved-token']]) };
    const harness = await started({ configProviders: new Map([['env', env]]) });
    const { herder, source, states, logger } = harness;
    const config = configOf('a', {
      'feed.auth': canary,
      endpoint: `wss://u:${canary}@h/`,
      'my.token': '${env:T}',
    });
    await herder.create('a', config);
    await states('a', 'RUNNING', 'RUNNING');
    const shown = await herder.config('a');
    expect(shown).toMatchObject({ 'feed.auth': maskText, 'my.token': '${env:T}' });
    await herder.putConfig('a', { ...shown, label: 'x' });
    await herder.patchConfig('a', { 'feed.auth': maskText, label: 'y' });
    await states('a', 'RUNNING', 'RUNNING');
    await herder.restartTask('a', 0);
    expect(source.task().config['feed.auth']?.reveal()).toBe(canary);
    const answers = [await herder.connector('a'), await herder.tasks('a'), await herder.status('a')];
    expect(JSON.stringify([shown, answers]) + logger.text()).not.toContain(canary);
    expect(logger.withEvent('literal_secret')[0]?.fields).toMatchObject({ keys: 'feed.auth, endpoint' });
  });

  it('refuses a masked secret when no value is stored', async () => {
    const { herder } = await started();
    await expect(herder.create('a', configOf('a', { 'feed.auth': maskText }))).rejects.toThrow(
      'the value is masked, and no stored value is there to keep',
    );
  });
});

describe('offsets', () => {
  const stoppedMessage =
    "Connectors must be in the STOPPED state before their offsets can be modified. This can be done for the specified connector by issuing a 'PUT' request to the '/connectors/a/stop' endpoint";
  const change = { partition: { file: 'f' }, offset: { position: 9 } };

  async function stopped(alterOffsets?: (raw: unknown, changes: readonly OffsetChange[]) => boolean) {
    const source = scriptedSource(alterOffsets === undefined ? {} : { alterOffsets });
    const harness = await started({ connectors: [source.connector] });
    await harness.running('a');
    source.task().offer('one', 'two');
    await harness.stored(2);
    await expect(harness.herder.alterOffsets('a', [change])).rejects.toMatchObject({
      kind: 'bad_request',
      message: stoppedMessage,
    });
    await harness.herder.setTargetState('a', 'STOPPED');
    return harness;
  }

  it('changes offsets of a connector that stores none itself, with a hint', async () => {
    const { herder } = await stopped();
    expect(await herder.alterOffsets('a', [change])).toBe(
      'The Connect framework-managed offsets for this connector have been altered successfully. However, if this connector manages offsets externally, they will need to be manually altered in the system that the connector uses.',
    );
    expect(await herder.offsets('a')).toEqual([change]);
    expect(await herder.resetOffsets('a')).toMatch(/^The Connect framework-managed offsets .* been reset/);
    expect(await herder.offsets('a')).toEqual([]);
  });

  it('changes offsets as the connector that validates them decides', async () => {
    const asked: (readonly OffsetChange[])[] = [];
    const { herder } = await stopped((_, changes) => asked.push(changes) > 0);
    expect(await herder.alterOffsets('a', [change])).toBe(
      'The offsets for this connector have been altered successfully',
    );
    expect(await herder.resetOffsets('a')).toBe(
      'The offsets for this connector have been reset successfully',
    );
    expect(asked).toEqual([[change], [{ partition: change.partition, offset: null }]]);
  });

  it('keeps offsets when the connector refuses the change', async () => {
    const message = "Offset objects should either be null or contain the key 'position'";
    const { herder } = await stopped(() => {
      throw new ConnectorError('config_invalid', message);
    });
    await expect(herder.alterOffsets('a', [change])).rejects.toMatchObject({
      kind: 'refused_offsets',
      message,
    });
    expect(await herder.offsets('a')).toEqual([{ partition: { file: 'f' }, offset: { position: 2 } }]);
  });

  it('are not changed by an empty request, nor given to no partition', async () => {
    const { herder } = await stopped();
    await expect(herder.alterOffsets('a', [])).rejects.toMatchObject({
      kind: 'bad_request',
      message: 'Partitions / offsets need to be provided for an alter offsets request',
    });
    await expect(herder.alterOffsets('a', [{ partition: null, offset: { n: 1 } }])).rejects.toMatchObject({
      kind: 'refused_offsets',
    });
  });
});

describe('topics', () => {
  it('are not reset where that is switched off', async () => {
    const { herder } = await started({ topicTrackingAllowReset: false });
    await expect(herder.resetActiveTopics('a')).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'Topic tracking reset is disabled.',
    });
  });
});

describe('metrics', () => {
  it('answers metrics of a connector that never ran with their initial values', async () => {
    const { herder } = await started();
    await herder.create('a', configOf('a'), 'STOPPED');
    const { group, objectName } = await herder.metrics('a');
    expect(group.snapshot()).toMatchObject({ MessagesReceived: 0, RecordsProduced: 0 });
    expect(objectName).toMatchObject({ keys: { name: 'a' } });
  });

  it('go by the name that the present configuration gives them, without its secrets', async () => {
    const { herder, running } = await started();
    await running('a', { endpoint: 'wss://bob:pw@one/' });
    const before = await herder.metrics('a');
    await herder.patchConfig('a', { endpoint: 'wss://bob:pw@two/' });
    const after = await herder.metrics('a');
    expect([before, after].map(({ objectName }) => objectName.keys['endpoint'])).toEqual([
      'wss://********@one/',
      'wss://********@two/',
    ]);
    expect(after.group).toBe(before.group);
  });

  it('continue over a pause and over a failed task', async () => {
    const { herder, source, running, states, stored } = await started();
    await running('a');
    source.task().offer('one');
    await stored(1);
    source.task().fail(new Error('x'));
    await states('a', 'RUNNING', 'FAILED');
    expect((await herder.metrics('a')).group.read('RecordsProduced')).toBe(1);
    await herder.restartTask('a', 0);
    source.task().offer('two');
    await stored(2);
    expect((await herder.metrics('a')).group.read('MessagesReceived')).toBe(2);
  });
});
