import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildFolder, builtFolder } from './build-folder.ts';
import { type Peer, type PeerFiles, spawnPeer } from './peer.ts';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('go', import.meta.url));
const BUILD_LIMIT_MS = 300_000;
/** As go.mod has it. */
const OLDEST_GO = 24;
/** The executable is not measured: a build without optimisation takes two thirds of the time. */
const FLAGS = ['-trimpath', '-mod=readonly', '-buildvcs=false', '-gcflags=all=-N -l', '-ldflags=-s -w'];

/** Why the peer cannot be made here, as one line; undefined when it can. */
export function goUnavailable(): string | undefined {
  if (existsSync(builtFolder(sources))) return undefined;
  const go = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8', cwd: sources });
  if (go.error !== undefined)
    return `no gRPC server in Go: Go 1.${OLDEST_GO} or newer is needed, none was found`;
  const minor = Number(/^go1\.(\d+)/.exec(go.stdout)?.[1]);
  if (minor >= OLDEST_GO) return undefined;
  return `no gRPC server in Go: Go 1.${OLDEST_GO} or newer is needed, found "${go.stdout.trim()}"`;
}

/** Starts a server made with grpc-go. The first time on a machine it is built, with its modules from Go's module proxy. */
export async function startGoPeer({ descriptors, certificates }: PeerFiles): Promise<Peer> {
  const folder = await buildFolder(sources, async (output) => {
    await run('go', ['build', ...FLAGS, '-o', join(output, 'peer'), '.'], {
      cwd: sources,
      timeout: BUILD_LIMIT_MS,
      env: { ...process.env, GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
    });
  });
  return spawnPeer(join(folder, 'peer'), ['-descriptors', descriptors, '-certificates', certificates]);
}
