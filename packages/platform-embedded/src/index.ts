export type { EmbeddedPlatform } from './embedded-platform.ts';
export { folderProblem } from './folder/writable-folder.ts';
export { embeddedLogEvents } from './model/log-events.ts';
export type { EmbeddedPlatformOptions } from './open-embedded-platform.ts';
export { openEmbeddedPlatform } from './open-embedded-platform.ts';
export type { EmbeddedReader, PartitionSummary, TopicSummary } from './read/embedded-reader.ts';
export type { EmbeddedReaderOptions } from './read/open-embedded-reader.ts';
export { openEmbeddedReader } from './read/open-embedded-reader.ts';
export type { ReadFrom, ReadOptions, StoredRecord } from './read/record-stream.ts';
