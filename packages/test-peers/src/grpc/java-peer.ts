import { fileURLToPath } from 'node:url';
import { javaBuild } from '../programs/java-build.ts';
import { type Peer, type PeerFiles, spawnPeer } from './peer.ts';

const program = javaBuild({
  folder: fileURLToPath(new URL('java', import.meta.url)),
  mainClass: 'Peer',
  what: 'gRPC server',
});

/** Why the peer cannot be made here, as one line; undefined when it can. */
export const javaUnavailable: () => string | undefined = program.unavailable;

/** Starts a server made with grpc-java. */
export async function startJavaPeer({ descriptors, certificates }: PeerFiles): Promise<Peer> {
  const [command, ...args] = await program.command();
  return spawnPeer(command, [...args, descriptors, certificates]);
}
