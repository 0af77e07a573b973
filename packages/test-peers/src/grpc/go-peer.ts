import { fileURLToPath } from 'node:url';
import { goBuild } from '../programs/go-build.ts';
import { type Peer, type PeerFiles, spawnPeer } from './peer.ts';

const program = goBuild({
  folder: fileURLToPath(new URL('go', import.meta.url)),
  oldest: 24,
  what: 'gRPC server',
});

/** Why the peer cannot be made here, as one line; undefined when it can. */
export const goUnavailable: () => string | undefined = program.unavailable;

/** Starts a server made with grpc-go. */
export async function startGoPeer({ descriptors, certificates }: PeerFiles): Promise<Peer> {
  const [command, ...args] = await program.command();
  return spawnPeer(command, [...args, '-descriptors', descriptors, '-certificates', certificates]);
}
