// Every entry point of every package: it is imported by Node 22, and its declarations are checked with those of all libraries that
// they name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeProject } from './clients.mjs';

/** Optional peers, which entry points and declarations may name. */
const optional = (manifest) =>
  Object.entries(manifest.peerDependenciesMeta ?? {}).filter(([, { optional }]) => optional);

export async function checkEntries({ folder, tools, client, version, packed, tsconfig, accept, run }) {
  const cwd = join(folder, 'entries');
  const peers = packed.flatMap(({ manifest }) =>
    optional(manifest).map(([name]) => [name, version[name] ?? manifest.peerDependencies[name]]),
  );
  const dependencies = { ...version, ...Object.fromEntries(peers), '@types/node': '^22.0.0' };
  writeProject(cwd, { client, dependencies });
  if ((await run('entries: install', client.install, { cwd, tries: 2 })) === undefined) return;
  const entries = packed.flatMap(({ manifest }) =>
    Object.entries(manifest.exports)
      .filter(([, target]) => target.types !== undefined)
      .map(([path]) => join(manifest.name, path)),
  );
  writeFileSync(join(cwd, 'entries.mjs'), entries.map((entry) => `await import('${entry}');\n`).join(''));
  await run('entries: import', [tools.node22, 'entries.mjs'], { cwd });
  writeFileSync(
    join(cwd, 'entries.ts'),
    entries.map((entry, index) => `export * as entry${index} from '${entry}';\n`).join(''),
  );
  for (const compiler of Object.keys(accept)) {
    writeFileSync(join(cwd, 'tsconfig.json'), tsconfig('nodenext', 'entries.ts'));
    const words = [process.execPath, tools.typescript(compiler), '-p', '.'];
    await run(`entries: TypeScript ${compiler}`, words, { cwd, accept: accept[compiler] });
  }
}
