import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, describeProgram } from '@levada/test-peers/programs';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

describeProgram('the playground in a browser', chromium, (browser) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'playground-'));
    await copyFile(here('../index.html'), join(folder, 'index.html'));
    const entryPoints = [here('playground.ts')];
    await build({ entryPoints, bundle: true, minify: true, outfile: join(folder, 'playground.js') });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const page = (project = ''): Promise<string> => {
    const url = pathToFileURL(join(folder, 'index.html'));
    url.hash = encodeURIComponent(project);
    return browser()(url.href);
  };

  it('shows what is wrong with the project that it begins with', async () => {
    const html = await page();
    expect(html).toContain('<h1>Not valid</h1>');
    expect(html).toMatch(/<li class="error">Line 8: [^<]*"orders"/);
  });

  it('shows the order of a valid project that a link carries', async () => {
    const project = [
      'project: { name: shop }',
      'runtime:',
      '  platform: { bootstrap_servers: "localhost:9092" }',
      'sources: [{ name: orders, topic: orders.v1 }]',
      'models: [{ name: orders_clean, sql: "SELECT * FROM {{ source(\\"orders\\") }}" }]',
    ];
    const html = await page(project.join('\n'));
    expect(html).toContain('<h1>Valid: model:orders_clean</h1>');
  });
});
