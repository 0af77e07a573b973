export type { EmbeddedPlatform } from './embedded-platform.ts';
export type { EmbeddedReader, PartitionSummary, TopicSummary } from './embedded-reader.ts';
export { embeddedLogEvents } from './log-events.ts';
export type { EmbeddedPlatformOptions } from './open-embedded-platform.ts';
export { openEmbeddedPlatform } from './open-embedded-platform.ts';
export type { EmbeddedReaderOptions } from './open-embedded-reader.ts';
export { openEmbeddedReader } from './open-embedded-reader.ts';
export type { ReadFrom, ReadOptions, StoredRecord } from './record-stream.ts';
export { folderProblem } from './writable-folder.ts';
