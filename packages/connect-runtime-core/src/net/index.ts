// For connectors that open connections or read local files: what touches Node's network and file system.
export { guardedLookup, isDeniedAddress } from './egress.ts';
export { hostName } from './host-name.ts';
export { readRegularFile } from './regular-file.ts';
export type { TlsAdvice } from './tls-failure.ts';
export { tlsFailure } from './tls-failure.ts';
export type { TlsFile } from './tls-files.ts';
export { readTlsFiles } from './tls-files.ts';
