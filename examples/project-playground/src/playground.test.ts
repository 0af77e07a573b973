import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('is one script for browsers without a module of Node', async () => {
  const { outputFiles, metafile, warnings } = await build({
    entryPoints: [fileURLToPath(new URL('playground.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
  });
  expect(warnings).toEqual([]);
  expect(outputFiles).toHaveLength(1);
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.some((path) => path.includes('stream-project-compiler/dist/index.js'))).toBe(true);
  expect(inputs.filter((path) => path.startsWith('node:'))).toEqual([]);
});
