// Builds `levada` as single executables: one file each, with Node, the command, a worker and the live demo. `build.mjs [folder]
// [platform...]`, platforms being linux-x64 and linux-arm64; without them tools/executable/dist/bin and this machine's own.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { licenceTexts } from './licences.mjs';
import { nodeFor, platforms } from './node-for.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'packages/cli');
/** The same for every Node; what is between the parts is changed by the injection. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** As bin/levada.js of the package has them. A code cache is taken by a Node only that runs with the flags it was made with. */
const [, flagList = ''] =
  /^const flags = \[(.*?)\];$/ms.exec(readFileSync(join(cli, 'bin/levada.js'), 'utf8')) ?? [];
const flags = [...flagList.matchAll(/'(--[^']+)'/g)].map(([, flag]) => flag);
if (flags.length === 0) throw new Error('bin/levada.js of the command names no flags');

const words = process.argv.slice(2);
const asked = words.filter((word) => platforms.includes(word));
const folder = resolve(
  words.find((word) => !platforms.includes(word)) ?? join(root, 'tools/executable/dist/bin'),
);
const work = mkdtempSync(join(tmpdir(), 'levada-executable-'));
try {
  const assets = await writeParts();
  mkdirSync(folder, { recursive: true });
  for (const platform of asked.length === 0 ? [`linux-${process.arch}`] : asked) {
    const target = join(folder, `levada-${platform}`);
    make({ platform, assets, target });
    process.stdout.write(`${target}: ${Math.round(statSync(target).size / 1e6)} MB\n`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Writes the program and its assets; answers the files by the names of the assets. */
async function writeParts() {
  const { code, threads, inputs } = await bundle(join(root, 'tools/executable/dist/main.js'));
  writeFileSync(join(work, 'main.cjs'), code);
  const texts = { 'cli-files.json': JSON.stringify(filesOfCommand()), 'licences.txt': licenceTexts(inputs) };
  for (const [name, program] of threads) texts[`threads/${name}`] = program.code;
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const file = join(work, name.replaceAll('/', '-'));
      writeFileSync(file, text);
      return [name, file];
    }),
  );
}

/** What packages/cli/src/output/package-files.ts reads. */
function filesOfCommand() {
  const templates = readdirSync(join(cli, 'templates'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(cli.length + 1));
  return Object.fromEntries(
    ['package.json', ...templates.sort()].map((path) => [path, readFileSync(join(cli, path), 'utf8')]),
  );
}

function make({ platform, assets, target }) {
  const blob = join(work, `${platform}.blob`);
  const config = join(work, `${platform}.json`);
  const own = platform === `linux-${process.arch}`;
  const settings = {
    main: join(work, 'main.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    // A code cache is for the processor that it was made on.
    useCodeCache: own,
    execArgv: flags,
    execArgvExtension: 'env',
    assets,
  };
  writeFileSync(config, JSON.stringify(settings));
  run(process.execPath, [...flags, '--experimental-sea-config', config]);
  rmSync(target, { force: true });
  copyFileSync(nodeFor(platform), target);
  const postject = join(root, 'node_modules/postject/dist/cli.js');
  run(process.execPath, [postject, target, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', FUSE]);
}

/** Runs a program whose output counts only when it fails: postject warns of every section without a name. */
function run(program, words) {
  try {
    execFileSync(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (failed) {
    throw new Error(`${words.join(' ')}: ${failed.stdout}${failed.stderr}`);
  }
}
