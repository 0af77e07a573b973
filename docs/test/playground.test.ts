import { readFileSync } from 'node:fs';
import { compile, loadProject, memoryFileSystem } from '@levada/stream-project-compiler';
import { describe, expect, it } from 'vitest';
import { lineagePicture } from '../playground/lineage.ts';
import { fragmentOf, projectOf } from '../playground/share.ts';

const sample = readFileSync(new URL('../playground/sample.yml', import.meta.url), 'utf8');

it('begins with a project that is valid and compiles', async () => {
  const fileSystem = memoryFileSystem({ 'stream_project.yml': sample });
  const { diagnostics, files } = compile(await loadProject({ fileSystem }));
  expect(diagnostics).toEqual([]);
  expect([...files.keys()]).toContain('jobs/orders_clean.sql');
});

describe('links of the playground', () => {
  it('carry any project, in characters of URLs', async () => {
    for (const text of [sample, '', 'name: "Größe — 価格 😀"\n']) {
      const fragment = await fragmentOf(text);
      expect(fragment).toMatch(/^#project=[\w-]+$/);
      expect(await projectOf(fragment)).toBe(text);
    }
  });

  it('give no project when they were cut, changed or have none', async () => {
    const fragment = await fragmentOf(sample);
    for (const broken of ['', '#lineage', fragment.slice(0, 60), '#project=%%%', '#project=AAAA'])
      expect(await projectOf(broken)).toBeUndefined();
  });

  it('give no project that unpacks to more than a million characters', async () => {
    expect(await projectOf(await fragmentOf('a'.repeat(5_000_000)))).toBeUndefined();
  });
});

describe('the picture of lineage', () => {
  const node = (id: string) => ({ id, name: id, kind: 'topic' });

  it('places each node right of all that it reads, and none on another', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c' },
      { from: 'b', to: 'd' },
      { from: 'c', to: 'd' },
    ];
    const { nodes, paths } = lineagePicture(['a', 'b', 'c', 'd'].map(node), edges);
    const x = Object.fromEntries(nodes.map((one) => [one.id, one.x]));
    for (const { from, to } of edges) expect(x[from]).toBeLessThan(x[to] ?? 0);
    expect(new Set(nodes.map((one) => `${one.x},${one.y}`)).size).toBe(4);
    expect(paths).toHaveLength(4);
  });

  it('draws cycles', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(lineagePicture(['a', 'b'].map(node), edges).paths).toHaveLength(2);
  });
});
