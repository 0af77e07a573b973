// Installs the packed packages into empty projects with every package manager that people use, and uses them there as a stranger
// would: imported, required, type-checked by compilers from TypeScript 5.4 to 7, and run by Node 22.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkBundles } from './check-bundle.mjs';
import { checkCommand } from './check-command.mjs';
import { checkEntries } from './check-entries.mjs';
import { checkWorker } from './check-worker.mjs';
import { clients, writeProject } from './clients.mjs';
import { packAll } from './pack.mjs';
import { startRegistry } from './registry.mjs';
import { toolchains } from './toolchains.mjs';

const execute = promisify(execFile);
const started = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'levada-install-'));
const tools = toolchains();
const packed = await packAll(join(folder, 'tarballs'));
const registry = await startRegistry(packed.map(({ tarball }) => tarball));
const version = Object.fromEntries(packed.map(({ manifest }) => [manifest.name, `^${manifest.version}`]));
const dependencies = {
  ...Object.fromEntries(
    [
      'connect-runtime-core',
      'protobuf-tables',
      'source-grpc',
      'source-otlp',
      'source-websocket',
      'stream-project-compiler',
    ].map((name) => [`@levada/${name}`, version[`@levada/${name}`]]),
  ),
  '@bufbuild/protobuf': '^2.17.0',
  '@types/node': '^22.0.0',
  ws: '^8.0.0',
};
const resolutions = ['nodenext', 'bundler'];
/** Compilers and resolutions with which a service in CommonJS compiles: TypeScript 5.8 is the first that lets `nodenext` require modules. */
const commonJs = [
  ['5.4', 'node10'],
  ['5.9', 'node10'],
  ['5.9', 'nodenext'],
  ['7', 'nodenext'],
];
const modules = { bundler: 'esnext', nodenext: 'nodenext', node10: 'commonjs' };
/** Compilers see only where packages lie: flat and linked stand for the others. */
const typeChecked = new Set(['npm', 'pnpm without automatic peers']);
/** What compilers say of other people's declarations: those of @bufbuild/protobuf are written for TypeScript 5.7. */
const known = {
  5.4: /^\S*node_modules\/@bufbuild\/protobuf\/\S+ error TS2315: .*$/,
  5.9: undefined,
  7: undefined,
};
const problems = [];

/**
 * Runs a command of a project; a failure is reported, unless `accept` matches each line, and the next one is tried. `tries`: of what
 * asks the network.
 */
async function run(what, [command, ...args], { cwd, environment = {}, accept, tries = 1 }) {
  try {
    const { npm_config_user_agent: _, ...inherited } = process.env;
    const env = { ...inherited, ...environment };
    const { stdout } = await execute(command, args, { cwd, env, maxBuffer: 1 << 24, timeout: 600_000 });
    return stdout;
  } catch (failed) {
    const lines = (failed.stdout ?? '').split('\n').filter((line) => line !== '');
    if (accept !== undefined && lines.length > 0 && lines.every((line) => accept.test(line)))
      return failed.stdout;
    if (tries > 1) {
      process.stdout.write(`${what}: failed, and is tried again: ${failed.message}\n`);
      return run(what, [command, ...args], { cwd, environment, accept, tries: tries - 1 });
    }
    problems.push(`${what}: ${failed.message}\n${failed.stdout ?? ''}`);
    return undefined;
  }
}

async function checkClient(name, client) {
  const cwd = join(folder, name.replaceAll(/\W+/g, '-'));
  const at = { cwd, environment: client.environment };
  const plugAndPlay = client.programs !== undefined;
  const withCompiler = plugAndPlay ? { ...dependencies, typescript: '5.9.3' } : dependencies;
  writeProject(cwd, { client, dependencies: withCompiler });
  cpSync(fileURLToPath(new URL('project', import.meta.url)), cwd, { recursive: true });
  if ((await run(`${name}: install`, client.install, { ...at, tries: 2 })) === undefined) return;
  for (const node of [process.execPath, tools.node22]) {
    for (const program of ['esm.mjs', 'require.cjs']) {
      const words = plugAndPlay ? [node, tools.yarn, 'node', program] : [node, program];
      await run(`${name}: ${program}`, words, at);
    }
  }
  if (plugAndPlay) {
    writeFileSync(join(cwd, 'tsconfig.json'), tsconfig('nodenext'));
    await run(`${name}: TypeScript 5.9`, [process.execPath, tools.yarn, 'tsc', '-p', '.'], at);
  }
  if (!typeChecked.has(name)) return;
  for (const compiler of Object.keys(known)) {
    for (const resolution of resolutions) {
      const config = join(cwd, `tsconfig.${resolution}.json`);
      writeFileSync(config, tsconfig(resolution));
      const words = [process.execPath, tools.typescript(compiler), '-p', config];
      await run(`${name}: TypeScript ${compiler}, ${resolution}`, words, { ...at, accept: known[compiler] });
    }
  }
  for (const [compiler, resolution] of commonJs) {
    const config = join(cwd, `tsconfig.commonjs.${resolution}.json`);
    writeFileSync(config, tsconfig(resolution, 'service.cts'));
    const words = [process.execPath, tools.typescript(compiler), '-p', config];
    await run(`${name}: TypeScript ${compiler}, CommonJS, ${resolution}`, words, {
      ...at,
      accept: known[compiler],
    });
  }
}

function tsconfig(resolution, file = 'types.ts') {
  return JSON.stringify({
    compilerOptions: {
      module: modules[resolution],
      moduleResolution: resolution,
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable'],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      types: ['node'],
    },
    files: [file],
  });
}

try {
  const rows = clients({ tools, registry: registry.address, caches: join(folder, 'caches') });
  const context = { folder, tools, client: rows.npm, version, dependencies, run, problems };
  const parts = {
    command: () => checkCommand(context),
    worker: () => checkWorker(context),
    bundles: () => checkBundles(context),
    entries: () => checkEntries({ ...context, packed, tsconfig, accept: known }),
    ...Object.fromEntries(
      Object.entries(rows).map(([name, client]) => [name, () => checkClient(name, client)]),
    ),
  };
  // `pnpm run check:install bundles` does only that part.
  const [only] = process.argv.slice(2);
  if (only !== undefined && parts[only] === undefined)
    throw new Error(`no part "${only}", only ${Object.keys(parts).join(', ')}`);
  const jobs = only === undefined ? Object.values(parts) : [parts[only]];
  const next = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
  };
  await Promise.all([next(), next()]);
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  const seconds = Math.round((Date.now() - started) / 1000);
  if (problems.length === 0) {
    process.stdout.write(`installed and used: ${only ?? Object.keys(parts).join(', ')}; ${seconds} s\n`);
  }
} finally {
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = problems.length === 0 ? 0 : 1;
