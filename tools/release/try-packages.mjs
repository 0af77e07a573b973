// Installs every package of a registry into an empty project of its own, as a user would, and imports its entry points there.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeProject } from '../packages/clients.mjs';

const execute = promisify(execFile);

/** Answers what went wrong, one text each; `client` is a row of clients.mjs. */
export async function tryPackages(packages, { folder, client, version }) {
  const problems = [];
  const open = [...packages];
  const next = async () => {
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      try {
        await tryOne(one, { cwd: join(folder, one.name), client, version });
      } catch (failed) {
        problems.push(`${one.manifest.name}: ${failed.message}\n${failed.stdout ?? ''}`);
      }
    }
  };
  await Promise.all([next(), next()]);
  return problems;
}

async function tryOne({ manifest }, { cwd, client, version }) {
  // Entry points such as source-grpc/grpc-js need what is optional for the others.
  const peers = Object.entries(manifest.peerDependencies ?? {}).filter(
    ([peer]) => !peer.startsWith('@levada/'),
  );
  writeProject(cwd, { client, dependencies: { ...Object.fromEntries(peers), [manifest.name]: version } });
  const { npm_config_user_agent: _, ...env } = process.env;
  const run = ([program, ...words]) =>
    execute(program, words, { cwd, env, timeout: 600_000, maxBuffer: 1 << 24 });
  await run(client.install);
  const entries = Object.keys(manifest.exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => join(manifest.name, entry));
  const script = `for (const entry of ${JSON.stringify(entries)}) {
    const count = Object.keys(await import(entry)).length;
    if (count === 0) throw new Error(entry + ' exports nothing');
  }`;
  await run([process.execPath, '--input-type=module', '--eval', script]);
  for (const [command, file] of Object.entries(manifest.bin ?? {})) {
    if (command !== 'levada') continue;
    const { stdout } = await run([
      process.execPath,
      join(cwd, 'node_modules', manifest.name, file),
      '--version',
    ]);
    if (stdout !== `${version}\n`) throw new Error(`"${command} --version" printed ${stdout}`);
  }
}
