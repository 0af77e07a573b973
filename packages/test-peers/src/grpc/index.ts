export type { RunningPeer } from './describe-peers.ts';
export { describePeers } from './describe-peers.ts';
export { descriptorSet, protoFolder, testDescriptor, testFiles } from './descriptor-fixtures.ts';
export { eventBytes, eventJson } from './events.ts';
export type { Listener } from './peer.ts';
export type { ServerCall, StreamServer, StreamServerOptions } from './stream-server.ts';
export { startStreamServer, tlsCredentials } from './stream-server.ts';
export { messageBytes, messageJson } from './test-messages.ts';
