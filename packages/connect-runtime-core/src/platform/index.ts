// For authors of platforms, and for those who write into a log: the port of a log, and converters to its bytes.
export { byteArrayConverter } from '../converter/byte-array-converter.ts';
export type { Converter, ConverterPlugin } from '../converter/converter.ts';
export { jsonConverter } from '../converter/json-converter.ts';
export { stringConverter } from '../converter/string-converter.ts';
export { serviceLogger } from '../diagnostics/service-logger.ts';
export type { BackoffPolicy } from '../time/backoff.ts';
export { backoffDelay } from '../time/backoff.ts';
export type {
  ConfiguredWork,
  GroupAssignment,
  GroupMember,
  GroupMembership,
  GroupMembershipOptions,
  GroupObservation,
  GroupProtocol,
  GroupWork,
} from './group-membership.ts';
export { groupProtocols, parseTaskKey, singleMembership, taskKey } from './group-membership.ts';
export type {
  CompactedLog,
  CompactedLogOptions,
  CompactedRecord,
  LogHeader,
  LogPlatform,
  LogPlatformContext,
  LogProducer,
  LogProducerOptions,
  LogRecord,
  LogTransactions,
  PlatformHealth,
  SendFailure,
  SendResult,
  TopicDescription,
  TopicSpec,
  TransactionalProducer,
  TransactionalProducerOptions,
} from './log-platform.ts';
export { isWhollyAway } from './log-platform.ts';
export { partitionOfKey } from './murmur2.ts';
export { newSlab, SLAB_BYTES } from './new-slab.ts';
export type { RecordPage, RecordQuery } from './record-page.ts';
export { selectRecords } from './record-page.ts';
