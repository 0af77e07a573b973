import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { topicTexts } from '../worker-child.ts';
import { stage } from './stage.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();
const path = (name: string): string => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));
const guide = readFileSync(path('docs/guides/write-a-connector.md'), 'utf8');

/** Code blocks of a language, in order. */
function blocks(language: string): readonly string[] {
  return [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, text = '']) =>
    name === language ? [text] : [],
  );
}

/** The files of a reader's package: a block begins with the name of its file, or continues the connector. */
async function follow(manifest: string): Promise<string> {
  const folder = await newFolder();
  const files = new Map([['package.json', manifest]]);
  for (const block of blocks('js')) {
    const name = /^\/\/ (\S+\.js)\n/.exec(block)?.[1] ?? 'file-stream-source.js';
    files.set(name, (files.get(name) ?? '') + block);
  }
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  const core = join(folder, 'node_modules/@levada/connect-runtime-core');
  await mkdir(dirname(core), { recursive: true });
  await symlink(path('packages/connect-runtime-core'), core);
  return folder;
}

/** A text of the guide that names files in /tmp, with those of the folder instead. */
const inFolder = (text: string, folder: string): string => text.replaceAll('/tmp/', `${folder}/`);

/** Properties of a worker on a port of its own. */
function worker(folder: string, text: string) {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((row) => [row.slice(0, row.indexOf('=')), row.slice(row.indexOf('=') + 1)]);
  return startWorkerProcess(folder, { ...Object.fromEntries(rows), listeners: 'http://127.0.0.1:0' });
}

describe('the guide to writing a connector', () => {
  const [connectorOnly = '', everything = '', usingAll = '', ...others] = blocks('json');
  const [start = '', use = ''] = blocks('sh').filter((text) => /worker start|-X POST/.test(text));

  it('builds a connector that a worker loads and runs', async () => {
    const folder = await follow(connectorOnly);
    const [, properties = ''] = /<<'EOF'\n(.*?)^EOF$/ms.exec(start) ?? [];
    const running = await worker(folder, properties);
    await running.ready();
    expect(running.logged('plugin_broken')).toEqual([]);
    const [, lines = ''] = /printf '(.*?)' >/.exec(use) ?? [];
    await writeFile(join(folder, 'lines.txt'), lines.replaceAll('\\n', '\n'));
    const [, body = ''] = /-d '(\{.*?\n\})'/s.exec(use) ?? [];
    const answer = await running.call('POST', '/connectors', JSON.parse(inFolder(body, folder)));
    expect(answer.status).toBe(201);
    await waitFor(async () => (await topicTexts(folder, 'lines')).length >= 2, { timeoutMs: 30_000 });
    expect(await topicTexts(folder, 'lines')).toEqual(['one', 'two']);
    expect(await running.end('SIGTERM')).toBe(0);
  });

  it('builds plugins of every other kind that a worker loads and uses', async () => {
    expect(others).toEqual([]);
    const folder = await follow(everything);
    const [properties = ''] = blocks('properties');
    const running = await worker(folder, properties);
    await running.ready();
    expect(running.logged('plugin_broken')).toEqual([]);
    const { json } = await running.call('GET', '/connector-plugins?connectorsOnly=false');
    const own = (json as { class: string }[]).filter((one) => one.class.startsWith('com.example.'));
    expect(own).toEqual([
      { class: 'com.example.transforms.Shorten', type: 'transformation', version: '1.0.0' },
      { class: 'com.example.predicates.StartsWith', type: 'predicate', version: '1.0.0' },
      { class: 'com.example.converters.UpperCaseConverter', type: 'converter', version: '1.0.0' },
      { class: 'com.example.converters.UpperCaseConverter', type: 'header_converter', version: '1.0.0' },
    ]);
    await writeFile(join(folder, 'names.json'), '{"topic":"greetings"}');
    await writeFile(join(folder, 'lines.txt'), 'hello world\nand others\n');
    const config = JSON.parse(inFolder(usingAll, folder)) as Record<string, string>;
    const broken = await running.call('PUT', '/connectors/lines/config', {
      ...config,
      'transforms.short.characters': '0',
    });
    expect(broken.status).toBe(400);
    expect(broken.text).toContain('for configuration characters: Value must be at least 1');
    expect((await running.call('PUT', '/connectors/lines/config', config)).status).toBe(201);
    await waitFor(async () => (await topicTexts(folder, 'greetings')).length >= 2, { timeoutMs: 30_000 });
    expect(await topicTexts(folder, 'greetings')).toEqual(['HEL', 'AND OTHERS']);
    expect(await running.end('SIGTERM')).toBe(0);
  });
});
