// The installed command on the lowest version of Node: a project is checked by a small install.
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeProject } from './clients.mjs';

const execute = promisify(execFile);

/** What checking a project may install. It was 98 packages and 45 MB while a worker came with it. */
const most = { packages: 12, megabytes: 14 };

/** Installs the command alone: a project is checked, and a worker is refused with one sentence. */
export async function checkCommand({ folder, tools, client, version, run, problems }) {
  const cwd = join(folder, 'command');
  writeProject(cwd, { client, dependencies: { '@levada/cli': version['@levada/cli'] } });
  const install = [tools.node22, tools.npm, 'install', '--engine-strict', '--no-audit', '--no-fund'];
  if ((await run('cli: install', install, { cwd, tries: 2 })) === undefined) return;
  const installed = sizeOf(join(cwd, 'node_modules'));
  if (installed.packages > most.packages || installed.megabytes > most.megabytes) {
    problems.push(
      `cli: installs ${installed.packages} packages, ${installed.megabytes} MB; at most ${JSON.stringify(most)}`,
    );
  }
  process.stdout.write(`@levada/cli: ${installed.packages} packages, ${installed.megabytes} MB\n`);
  const levada = [tools.node22, 'node_modules/@levada/cli/bin/levada.js'];
  await run('levada project init', [...levada, 'project', 'init', 'shop'], { cwd });
  const answer = await run('levada project validate', [...levada, 'project', 'validate', 'shop'], { cwd });
  if (answer !== undefined && !answer.includes('✓')) problems.push(`levada project validate: ${answer}`);
  const refused = await failureOf([...levada, 'worker', 'dev'], { cwd });
  if (!/needs the package @levada\/runtime-server/.test(refused)) problems.push(`levada worker: ${refused}`);
  await checkOldNode({ cwd, bin: levada[1], problems });
}

/** Says which version is needed where the present one is older, before anything else is loaded. */
async function checkOldNode({ cwd, bin, problems }) {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });`;
  const said = await failureOf(
    [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(old)}`, bin],
    { cwd },
  );
  if (!/^levada needs Node [\d.]+ or newer, and this is Node 20\.19\.0\n$/.test(said)) {
    problems.push(`levada on an old Node: ${said}`);
  }
}

/** What a command that must fail writes to standard error. */
async function failureOf([command, ...args], { cwd }) {
  const failed = await execute(command, args, { cwd }).then(
    () => ({ stderr: 'it did not fail' }),
    (thrown) => thrown,
  );
  return failed.stderr;
}

/** Packages below a node_modules folder, and what they take. */
function sizeOf(modules) {
  const manifests = readdirSync(modules, { recursive: true }).filter((path) =>
    /(?:^|node_modules\/)(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(path),
  );
  const kilobytes = Number(execFileSync('du', ['-sk', modules], { encoding: 'utf8' }).split('\t')[0]);
  return { packages: manifests.length, megabytes: Math.round(kilobytes / 1024) };
}
