import { type ConfigKey, configDef, type RawConfig } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { configOf, type RuntimeHarness, runtimeHarness } from '../../test/runtime-harness.ts';
import { maskText } from '../config/secret-mask.ts';
import { effectOf, keyChanges } from './config-update.ts';

const row = { type: 'string', default: null, importance: 'low', documentation: '' } as const;
const definition = configDef([
  { ...row, name: 'file' },
  { ...row, name: 'label', update: 'live', aliases: ['tag'] },
  { ...row, name: 'room', update: 'reconnect' },
  { ...row, name: 'header.', prefix: true, update: 'live' },
] as const satisfies readonly ConfigKey[]);

describe('what differs between two configurations', () => {
  it.each<[string, RawConfig, RawConfig, readonly string[]]>([
    ['nothing', { file: 'f', label: 'l' }, { label: 'l', file: 'f' }, []],
    ['a text', { label: 'a', room: 'b' }, { label: 'c', room: 'b' }, ['label live']],
    ['a key more', { file: 'f' }, { file: 'f', room: '1' }, ['room reconnect']],
    ['a key less', { file: 'f' }, {}, ['file restart']],
    ['another name of the same key', { tag: 'a' }, { label: 'a' }, []],
    ['a key of a prefix', {}, { 'header.x': '1' }, ['header.x live']],
    ['a key of every connector', { 'tasks.max': '1' }, { 'tasks.max': '2' }, ['tasks.max restart']],
    ['a name that every object has', {}, { toString: 'x' }, ['toString restart']],
  ])('is %s', (_, before, after, expected) => {
    const changes = keyChanges(definition, before, after);
    expect(changes.map(({ name, update }) => `${name} ${update}`)).toEqual(expected);
  });

  it('needs as much as the key that needs most', () => {
    const live = { name: 'a', update: 'live' } as const;
    const reconnect = { name: 'b', update: 'reconnect' } as const;
    const restart = { name: 'c', update: 'restart' } as const;
    expect(effectOf([])).toBe('none');
    expect(effectOf([live])).toBe('live');
    expect(effectOf([live, reconnect])).toBe('reconnect');
    expect(effectOf([restart, reconnect, live])).toBe('restart');
  });
});

const plugin = 'ArraySource';
const open: RuntimeHarness[] = [];

/** A worker whose connector `a` runs, and whose tasks can be handed a configuration. */
async function withConnector(config: RawConfig = {}): Promise<RuntimeHarness> {
  const harness = runtimeHarness();
  open.push(harness);
  harness.source.script.reconfigurable = true;
  await harness.runtime.start();
  await harness.running('a', config);
  return harness;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('what storing a configuration would do', () => {
  it('is to create a connector whose name is new', async () => {
    const { herder } = await withConnector();
    const create = { effect: 'create', changed: [] };
    expect(await herder.configUpdate(plugin, configOf('b'))).toEqual(create);
    expect(await herder.configUpdate(plugin, { 'connector.class': 'ArraySource' })).toEqual(create);
  });

  it.each<[string, RawConfig, readonly string[], { tasks: number; handed: number }]>([
    ['none', {}, [], { tasks: 1, handed: 0 }],
    ['live', { label: 'blue' }, ['label'], { tasks: 1, handed: 1 }],
    ['reconnect', { room: '20' }, ['room'], { tasks: 1, handed: 1 }],
    ['reconnect', { room: '20', label: 'blue' }, ['label', 'room'], { tasks: 1, handed: 1 }],
    ['restart', { file: 'g', label: 'blue' }, ['file', 'label'], { tasks: 2, handed: 0 }],
    ['restart', { 'tasks.max': '1' }, ['tasks.max'], { tasks: 2, handed: 0 }],
    ['restart', { unknown: 'x' }, ['unknown'], { tasks: 2, handed: 0 }],
  ])('is reported as "%s" of %j, and is what happens then', async (effect, change, changed, done) => {
    const { herder, source } = await withConnector();
    const config = configOf('a', change);
    const seen = () => ({ tasks: source.tasks.length, handed: source.task().reconfigured.length });
    const update = await herder.configUpdate(plugin, config);
    expect(update.effect).toBe(effect);
    expect(update.changed.map(({ name }) => name).sort()).toEqual(changed);
    expect(seen()).toEqual({ tasks: 1, handed: 0 });
    await herder.putConfig('a', config);
    await waitFor(() => JSON.stringify(seen()) === JSON.stringify(done));
    await waitFor(() => source.task().started);
    expect(source.task().config).toMatchObject({ room: Number(change['room'] ?? 10) });
  });

  it('is to make a new task when the present one cannot be handed anything', async () => {
    const { herder, source, states } = await withConnector();
    source.task().fail(new Error('gone'));
    await states('a', 'RUNNING', 'FAILED');
    const update = await herder.configUpdate(plugin, configOf('a', { label: 'blue' }));
    expect(update).toEqual({ effect: 'restart', changed: [{ name: 'label', update: 'live' }] });
    expect((await herder.configUpdate(plugin, configOf('a'))).effect).toBe('none');
  });

  it('counts what the connector makes of its configuration for its tasks', async () => {
    const { herder, source } = await withConnector();
    const one = source.script.taskConfigs;
    source.script.taskConfigs = (raw) => [{ ...raw, file: `by label ${raw['label']}` }];
    const config = configOf('a', { label: 'blue' });
    const changed = [{ name: 'label', update: 'live' }];
    expect(await herder.configUpdate(plugin, config)).toEqual({ effect: 'restart', changed });
    source.script.taskConfigs = (raw) => [raw, raw];
    expect((await herder.configUpdate(plugin, { ...config, 'tasks.max': '2' })).effect).toBe('restart');
    // Two tasks where one is allowed: that configuration would be refused, and no task changed.
    expect((await herder.configUpdate(plugin, config)).effect).toBe('live');
    source.script.taskConfigs = one;
  });

  it('is the same for a connector that is stopped', async () => {
    const { herder, states } = await withConnector();
    await herder.setTargetState('a', 'STOPPED');
    await states('a', 'STOPPED');
    expect((await herder.configUpdate(plugin, configOf('a', { label: 'blue' }))).effect).toBe('live');
  });

  it('takes the mask of a secret for the secret, and shows no value', async () => {
    const { herder } = await withConnector({ 'feed.auth': 's3cret' });
    const masked = configOf('a', { 'feed.auth': maskText });
    expect(await herder.configUpdate(plugin, masked)).toEqual({ effect: 'none', changed: [] });
    const update = await herder.configUpdate(plugin, configOf('a', { 'feed.auth': 'an0ther' }));
    expect(update).toEqual({ effect: 'restart', changed: [{ name: 'feed.auth', update: 'restart' }] });
  });

  it('is refused for another class, as validation is', async () => {
    const { herder } = await withConnector();
    await expect(herder.configUpdate('Other', configOf('a'))).rejects.toMatchObject({ kind: 'bad_request' });
    const unknown = { ...configOf('a'), 'connector.class': 'test.OtherConnector' };
    await expect(herder.configUpdate('Other', unknown)).rejects.toMatchObject({ kind: 'unknown_class' });
  });
});
