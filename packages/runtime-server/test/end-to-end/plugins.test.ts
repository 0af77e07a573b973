import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { version as ownVersion } from '../../src/version.ts';
import { plugin } from './plugin-folder.ts';
import { stage } from './stage.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const example = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));

describe('a worker with plugins', () => {
  it('reports plugins that cannot be loaded, with place and reason, and works with the others', async () => {
    const folder = await newFolder();
    const plugins = join(folder, 'plugins');
    await plugin(plugins, 'throws', "throw new Error('this plugin does not like to be loaded')");
    await plugin(plugins, 'no-module', '', '{"levada":{"connectors":"./missing.js"}}');
    await plugin(plugins, 'syntax', 'export const = ;');
    await plugin(plugins, 'manifest', '', '{"levada":');
    await plugin(plugins, 'outside', '', '{"levada":{"connectors":"../../etc/passwd.js"}}');
    await plugin(plugins, 'nothing', 'export const connector = 5;');
    await plugin(plugins, 'half', "export const connector = { className: 'example.Half' };");
    const shape =
      "className: 'example.Quarter', version: '1', config: { keys: [] }, taskConfigs() {}, createTask() {}";
    await plugin(plugins, 'quarter', `export const connector = { ${shape} };`);
    const builtIn = 'io.vendor.connect.websocket.WebSocketSourceConnector';
    const members =
      "version: '9', config: { keys: [] }, metrics: {}, events: {}, objectName() {}, taskConfigs() {}";
    const double = `{ className: '${builtIn}', ${members}, createTask() {} }`;
    await plugin(plugins, 'double', `export const connector = ${double};`);
    await plugin(plugins, 'no-plugin', "throw new Error('must not be loaded')", '{"name":"no-plugin"}');
    const worker = await startWorkerProcess(folder, { 'plugin.path': `${plugins},${example}` });
    await worker.ready();
    const places = worker.logged('plugin_broken').map(({ place, reason, level }) => {
      expect(level).toBe('error');
      expect(reason).toEqual(expect.stringMatching(/./));
      return String(place).slice(folder.length + 1);
    });
    expect(places.sort()).toEqual([
      'plugins/double',
      'plugins/half',
      'plugins/manifest',
      'plugins/no-module',
      'plugins/nothing',
      'plugins/outside',
      'plugins/quarter',
      'plugins/syntax',
      'plugins/throws',
    ]);
    expect(worker.output()).toContain('this plugin does not like to be loaded');
    const { json } = await worker.call('GET', '/connector-plugins');
    const found = json as readonly { class: string; version: string }[];
    const classes = found.map((one) => one.class);
    expect(classes).toContain('org.apache.kafka.connect.file.FileStreamSourceConnector');
    expect(found.filter((one) => one.class === builtIn).map(({ version }) => version)).toEqual([ownVersion]);
    expect((await worker.call('GET', '/metrics')).status).toBe(200);
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
