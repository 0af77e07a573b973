// Packs every public package as it would be published.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exportedModules, isBundled, sharedModule } from './bundled-modules.mjs';

const execute = promisify(execFile);
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The public packages: folder, manifest. */
export function publicPackages() {
  return readdirSync(join(root, 'packages'))
    .map((name) => ({ name, folder: join(root, 'packages', name) }))
    .filter(({ folder }) => existsSync(join(folder, 'package.json')))
    .map((one) => ({ ...one, manifest: JSON.parse(readFileSync(join(one.folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true);
}

/** Writes the tarballs into a folder; answers each package with the path of its own. */
export async function packAll(folder) {
  mkdirSync(folder, { recursive: true });
  const packages = publicPackages();
  const packed = [];
  const next = async () => {
    for (let one = packages.pop(); one !== undefined; one = packages.pop())
      packed.push(await pack(one, folder));
  };
  await Promise.all([next(), next()]);
  return packed.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function pack(one, destination) {
  removeLeftovers(one.folder);
  const { stdout } = await execute(
    join(root, 'node_modules/.bin/pnpm'),
    ['pack', '--json', '--pack-destination', destination],
    { cwd: one.folder, maxBuffer: 1 << 24 },
  );
  return { ...one, tarball: JSON.parse(stdout).filename };
}

/** A build writes files, and not every one removes those of the build before: what no source or export asks for would be packed too. */
function removeLeftovers(folder) {
  const dist = join(folder, 'dist');
  if (!existsSync(dist)) throw new Error(`${dist} is missing: run "pnpm run build" first`);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const bundled = isBundled(manifest) ? new Set([...exportedModules(manifest), sharedModule]) : undefined;
  for (const entry of readdirSync(dist, { recursive: true })) {
    const source = /^(.*)\.(?:js|d\.ts|js\.map|d\.ts\.map)$/.exec(entry)?.[1];
    if (source === undefined) continue;
    const hasSource = existsSync(join(folder, 'src', `${source}.ts`));
    const isMade = entry.endsWith('.js') ? (bundled?.has(entry) ?? hasSource) : hasSource;
    if (!isMade) rmSync(join(dist, entry));
  }
}
