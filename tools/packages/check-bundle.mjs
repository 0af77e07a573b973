// Programs of the packed packages are bundled as services and pages are: each bundle is one file, which runs where no package is
// installed.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { writeProject } from './clients.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** As docs/guides/bundling.md says. `ws` requires modules of Node, which a module has to be able to. */
const banner = `import { createRequire as requireAt } from 'node:module'; const require = requireAt(import.meta.url);`;

/** `entry` becomes `out`. */
const bundles = [
  {
    name: 'esbuild, ESM for Node',
    out: 'service.mjs',
    words: ['--platform=node', '--format=esm', '--target=node22', `--banner:js=${banner}`],
  },
  {
    name: 'esbuild, CJS for Node',
    out: 'service.cjs',
    words: ['--platform=node', '--format=cjs', '--target=node22'],
  },
];

/** Bundles a service and a page with esbuild and Vite, and runs what they write. */
export async function checkBundles({ folder, tools, client, dependencies, run, problems }) {
  const cwd = join(folder, 'bundles');
  const alone = join(folder, 'bundled');
  writeProject(cwd, { client, dependencies });
  cpSync(at('project'), cwd, { recursive: true });
  mkdirSync(alone);
  if ((await run('bundles: install', client.install, { cwd, tries: 2 })) === undefined) return;
  const node = process.execPath;
  for (const { name, out, words } of bundles) {
    const bundle = [
      node,
      tools.esbuild,
      'service.mjs',
      '--bundle',
      ...words,
      `--outfile=${join(alone, out)}`,
    ];
    if ((await run(name, bundle, { cwd })) !== undefined) await runService(name, join(alone, out));
  }
  writeFileSync(join(cwd, 'vite.service.mjs'), viteConfig({ ssr: 'service.mjs', out: join(alone, 'vite') }));
  const vite = (config) => [node, tools.vite, 'build', '--logLevel', 'error', '--config', config];
  if ((await run('Vite for Node', vite('vite.service.mjs'), { cwd })) !== undefined) {
    await runService('Vite for Node', join(alone, 'vite/service.mjs'));
  }
  const page = ['page.mjs', '--bundle', '--minify', '--platform=browser', '--format=iife'];
  const bundle = [node, tools.esbuild, ...page, `--outfile=${join(alone, 'page.js')}`];
  if ((await run('esbuild, page', bundle, { cwd })) !== undefined) await runPage('esbuild, page', 'page.js');
  writeFileSync(join(cwd, 'vite.page.mjs'), viteConfig({ page: 'page.mjs', out: join(alone, 'vite-page') }));
  if ((await run('Vite, page', vite('vite.page.mjs'), { cwd })) !== undefined) {
    await runPage('Vite, page', 'vite-page/page.js');
  }

  async function runService(name, file) {
    for (const version of [node, tools.node22]) {
      const said = await run(`${name}: run`, [version, file], { cwd: alone });
      if (said !== undefined && said !== 'read by a bundle\n') problems.push(`${name}: ${said}`);
    }
  }

  /** Runs a page's script with what pages and workers of browsers have, and nothing of Node. */
  async function runPage(name, file) {
    const globals = { TextDecoder, TextEncoder, URL, console, queueMicrotask, setTimeout, clearTimeout };
    const context = createContext(globals);
    try {
      runInContext(readFileSync(join(alone, file), 'utf8'), context);
      const text = await context.found;
      if (!String(text).includes('stream_project.yml:1:11')) problems.push(`${name}: found ${text}`);
    } catch (thrown) {
      problems.push(`${name}: ${thrown.stack}`);
    }
  }
}

function viteConfig({ ssr, page, out }) {
  const output =
    ssr === undefined ? { format: 'iife', entryFileNames: 'page.js' } : { entryFileNames: 'service.mjs' };
  const build = {
    outDir: out,
    emptyOutDir: true,
    ssr: ssr ?? false,
    target: ssr === undefined ? 'es2022' : 'node22',
    rollupOptions: { input: ssr ?? page, output },
  };
  return `export default ${JSON.stringify({ build, ssr: { noExternal: true }, configFile: false })};\n`;
}
