import { fileURLToPath } from 'node:url';
import { type Peer, type PeerFiles, spawnPeer } from './peer.ts';

const server = fileURLToPath(new URL('node/server.ts', import.meta.url));
const proto = fileURLToPath(new URL('proto/teststream/stream.proto', import.meta.url));

/** Starts a server made with grpc-js. */
export async function startNodePeer({ certificates }: Pick<PeerFiles, 'certificates'>): Promise<Peer> {
  return spawnPeer(process.execPath, [server, proto, certificates]);
}
