// The installed commands on the lowest version of Node: a project is checked by a small install, a worker reads a real feed.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
  if ((await run('cli: install', install, { cwd })) === undefined) return;
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

/** Installs command and worker: a worker on its embedded log reads a feed, and the command shows the records. */
export async function checkWorker({ folder, tools, client, version, run, problems }) {
  const cwd = join(folder, 'worker');
  const names = ['@levada/cli', '@levada/runtime-server'];
  writeProject(cwd, { client, dependencies: Object.fromEntries(names.map((name) => [name, version[name]])) });
  const install = [tools.node22, tools.npm, 'install', '--engine-strict', '--no-audit', '--no-fund'];
  if ((await run('worker: install', install, { cwd })) === undefined) return;
  const levada = [tools.node22, 'node_modules/@levada/cli/bin/levada.js'];
  const [node, bin] = levada;
  const worker = spawn(node, [bin, 'worker', 'dev', '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  let errors = '';
  worker.stderr.on('data', (data) => {
    errors += data;
  });
  const feed = startFeed(cwd);
  try {
    const environment = { LEVADA_URL: await addressOf(worker) };
    const files = {
      'connector.class': 'WebSocketSource',
      'websocket.url': await feed.url,
      'platform.topic': 'words',
    };
    writeFileSync(join(cwd, 'words.json'), JSON.stringify(files));
    const apply = ['connector', 'apply', '-f', 'words.json'];
    await run('levada connector apply', [...levada, ...apply], { cwd, environment });
    // It ends when it has shown the records that it was asked for.
    const read = [...levada, 'tap', 'words', '--records', '3'];
    const text = await untilThree([...read, '--no-follow'], { cwd, env: { ...process.env, ...environment } });
    if (!text.includes('three')) problems.push(`levada tap: ${text}`);
  } catch (thrown) {
    problems.push(`worker: ${thrown.message}\n${errors}`);
  } finally {
    worker.kill('SIGTERM');
    await ended;
    feed.close();
  }
  if (errors !== '') problems.push(`worker: wrote to standard error: ${errors}`);
}

/** A feed that sends three words to everybody who connects. */
function startFeed(cwd) {
  const { WebSocketServer } = createRequire(join(cwd, 'node_modules/@levada/source-websocket/package.json'))(
    'ws',
  );
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket) => {
    for (const text of ['one', 'two', 'three']) socket.send(text);
  });
  const url = once(server, 'listening').then(() => `ws://127.0.0.1:${server.address().port}`);
  return {
    url,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

/** Where a worker says that it listens. */
async function addressOf(worker) {
  for await (const line of createInterface({ input: worker.stdout })) {
    const { event, url } = JSON.parse(line);
    if (event !== 'rest_listening') continue;
    worker.stdout.resume();
    return url;
  }
  throw new Error('ended before it listened');
}

/** What a command prints as soon as it shows the third word; each try costs the start of a process. */
async function untilThree([command, ...args], options) {
  let text = '';
  for (let tries = 0; tries < 40 && !text.includes('three'); tries++) {
    const { stdout, stderr } = await execute(command, args, options).catch((failed) => failed);
    text = `${stdout}${stderr}`;
  }
  return text;
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
