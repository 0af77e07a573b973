// An installed worker on the lowest version of Node: it reads a real feed, and runs a connector of a package that has a copy of the
// core of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { writeProject } from './clients.mjs';

const execute = promisify(execFile);
const words = ['one', 'two', 'three'];

/** Installs command and worker: a worker on its embedded log reads two feeds, and the command shows the records. */
export async function checkWorker({ folder, tools, client, version, run, problems }) {
  const cwd = join(folder, 'worker');
  const names = ['@levada/cli', '@levada/runtime-server'];
  writeProject(cwd, { client, dependencies: Object.fromEntries(names.map((name) => [name, version[name]])) });
  const install = [tools.node22, tools.npm, 'install', '--engine-strict', '--no-audit', '--no-fund'];
  if ((await run('worker: install', install, { cwd, tries: 2 })) === undefined) return;
  const levada = [tools.node22, join(cwd, 'node_modules/@levada/cli/bin/levada.js')];
  const plugin = await writePlugin({ folder, tools, client, levada, install, run });
  if (plugin === undefined) return;
  if (!existsSync(join(plugin, 'node_modules/@levada/connect-runtime-core/package.json'))) {
    problems.push('plugin: it has no copy of the core of its own');
  }
  writeFileSync(join(cwd, 'worker.json'), JSON.stringify({ 'plugin.path': plugin }));

  const [node, bin] = levada;
  const worker = spawn(node, [bin, 'worker', 'dev', 'worker.json', '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  let errors = '';
  worker.stderr.on('data', (data) => {
    errors += data;
  });
  const feeds = await startFeeds(cwd);
  try {
    const environment = { LEVADA_URL: await addressOf(worker) };
    for (const [name, config] of Object.entries(feeds.connectors)) {
      writeFileSync(join(cwd, `${name}.json`), JSON.stringify(config));
      await run(`apply ${name}`, [...levada, 'connector', 'apply', '-f', `${name}.json`], {
        cwd,
        environment,
      });
      const tap = [...levada, 'tap', name, '--records', '3', '--no-follow'];
      const text = await untilLast(tap, { cwd, env: { ...process.env, ...environment } });
      if (!words.every((word) => text.includes(word))) problems.push(`levada tap ${name}: ${text}`);
    }
  } catch (thrown) {
    problems.push(`worker: ${thrown.message}\n${errors}`);
  } finally {
    worker.kill('SIGTERM');
    await ended;
    feeds.close();
  }
  if (errors !== '') problems.push(`worker: wrote to standard error: ${errors}`);
}

/** A package as `levada plugin new` writes it, installed, tested and built; its folder. */
async function writePlugin({ folder, tools, client, levada, install, run }) {
  const plugin = join(folder, 'lines');
  const create = [...levada, 'plugin', 'new', 'lines', '--class', 'com.acme.LinesSource'];
  if ((await run('levada plugin new', create, { cwd: folder })) === undefined) return undefined;
  for (const [name, text] of Object.entries(client.files)) writeFileSync(join(plugin, name), text);
  if ((await run('plugin: install', install, { cwd: plugin, tries: 2 })) === undefined) return undefined;
  await run('plugin: npm test', [tools.node22, '--run', 'test'], { cwd: plugin });
  const built = await run('plugin: npm run build', [tools.node22, '--run', 'build'], { cwd: plugin });
  return built === undefined ? undefined : plugin;
}

/** Two feeds that send three words to each client, and the connectors that read them. */
async function startFeeds(cwd) {
  const source = join(cwd, 'node_modules/@levada/source-websocket/package.json');
  const { WebSocketServer } = createRequire(source)('ws');
  const feed = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  feed.on('connection', (socket) => {
    for (const word of words) socket.send(word);
  });
  const sockets = new Set();
  const lines = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write(`${words.join('\n')}\n`);
  }).listen(0, '127.0.0.1');
  await Promise.all([once(feed, 'listening'), once(lines, 'listening')]);
  return {
    connectors: {
      words: {
        'connector.class': 'WebSocketSource',
        'websocket.url': `ws://127.0.0.1:${feed.address().port}`,
        'platform.topic': 'words',
      },
      lines: {
        'connector.class': 'com.acme.LinesSource',
        topic: 'lines',
        'lines.host': '127.0.0.1',
        'lines.port': String(lines.address().port),
      },
    },
    close: () => {
      for (const socket of [...feed.clients, ...sockets]) (socket.terminate ?? socket.destroy).call(socket);
      feed.close();
      lines.close();
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

/** What a command prints as soon as it shows the last word; each try costs the start of a process. */
async function untilLast([command, ...args], options) {
  let text = '';
  for (let tries = 0; tries < 40 && !text.includes(words.at(-1)); tries++) {
    const { stdout, stderr } = await execute(command, args, options).catch((failed) => failed);
    text = `${stdout}${stderr}`;
  }
  return text;
}
