// For connectors that open connections or read local files: what touches Node's network and file system.
export { guardedLookup, isDeniedAddress } from './egress.ts';
export { hostName } from './host-name.ts';
export { isLoopback } from './no-proxy.ts';
export type { HttpProxy, ProxyEnvironment, ProxySettings, TunnelTarget } from './proxy.ts';
export { proxyFor, proxyProblems, tunnelTarget } from './proxy.ts';
export { proxyKeys } from './proxy-keys.ts';
export { readRegularFile } from './regular-file.ts';
export type { TlsAdvice } from './tls-failure.ts';
export { tlsFailure } from './tls-failure.ts';
export type { TlsFile } from './tls-files.ts';
export { readTlsFiles } from './tls-files.ts';
export { openTunnel, tunnelledConnection } from './tunnel.ts';
