// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of configurations look like that

import { ConnectorError } from '@levada/connect-runtime-core';
import type { ConfigProvider } from '@levada/connect-runtime-core/config';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type RuntimeHarness, runtimeHarness } from '../../test/runtime-harness.ts';

const open: RuntimeHarness[] = [];

/** A worker with a connector whose secret comes from a provider that the test plays. */
async function withSecret(): Promise<RuntimeHarness & { readonly vault: Map<string, string> }> {
  const vault = new Map([['auth', 'first-secret']]);
  const provider: ConfigProvider = {
    get: async () => {
      if (vault.size === 0) throw new ConnectorError('file_unreadable', 'the vault is gone');
      return vault;
    },
  };
  const harness = runtimeHarness({ configProviders: new Map([['vault', provider]]) });
  harness.source.script.reconfigurable = true;
  open.push(harness);
  await harness.runtime.start();
  await harness.running('a', { 'feed.auth': '${vault:auth}', endpoint: 'one' });
  return { ...harness, vault };
}

async function change(harness: RuntimeHarness, changes: Readonly<Record<string, string>>): Promise<void> {
  await harness.herder.patchConfig('a', changes);
}

afterEach(async () => {
  await Promise.all(open.splice(0).map(({ runtime, advanceUntil }) => advanceUntil(runtime.stop())));
});

describe('a task that asks for its configuration again', () => {
  it('gets secrets that were replaced since its start', async () => {
    const harness = await withSecret();
    const { context } = harness.source.task();
    harness.vault.set('auth', 'second-secret');
    expect(await context.resolveConfig?.()).toMatchObject({ 'feed.auth': 'second-secret' });
  });

  it('gets what it was reconfigured with', async () => {
    const harness = await withSecret();
    await change(harness, { label: 'new' });
    await waitFor(() => harness.logger.withEvent('task_reconfigured').length === 1);
    expect(harness.source.tasks).toHaveLength(1);
    expect(await harness.source.task().context.resolveConfig?.()).toMatchObject({ label: 'new' });
  });

  it('gets what it is just being reconfigured with, for a connection that it makes meanwhile', async () => {
    const harness = await withSecret();
    const task = harness.source.task();
    const asked: unknown[] = [];
    const reconfigure = async (): Promise<void> => {
      asked.push(await task.context.resolveConfig?.());
    };
    Object.assign(task, { reconfigure });
    await change(harness, { room: '20' });
    await waitFor(() => harness.logger.withEvent('task_reconfigured').length === 1);
    expect(asked).toMatchObject([{ room: '20', 'feed.auth': 'first-secret' }]);
    expect(harness.source.tasks).toHaveLength(1);
  });

  it('gets an error when a provider fails, instead of the reference', async () => {
    const harness = await withSecret();
    const { context } = harness.source.task();
    harness.vault.clear();
    await expect(context.resolveConfig?.()).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'Cannot resolve the references of feed.auth: the vault is gone',
    });
  });

  it('has every secret that it got scrubbed from its trace', async () => {
    const harness = await withSecret();
    const task = harness.source.task();
    for (const secret of ['second-secret', 'third-secret']) {
      harness.vault.set('auth', secret);
      await task.context.resolveConfig?.();
    }
    task.fail(new Error('first-secret, second-secret and third-secret were refused'));
    await harness.states('a', 'RUNNING', 'FAILED');
    const { trace } = await harness.herder.taskStatus('a', 0);
    expect(trace).toMatch(/^Error: \[hidden\], \[hidden\] and \[hidden\] were refused\n/);
    expect(harness.logger.text()).not.toMatch(/(first|second|third)-secret/);
  });
});
