// For connectors that open connections or read local files: what touches Node's network and file system.
export { guardedLookup, isDeniedAddress } from './egress.ts';
