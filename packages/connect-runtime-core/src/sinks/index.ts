// Where records go, and where it is remembered how far they went: sinks and offset stores that need no package beside this one.
export type { OffsetStore, OffsetStoreContext, PartitionOffset } from '../contract/offset-store.ts';

export type { SendFailure, SendResult } from '../platform/log-platform.ts';
export type { FileOffsetsOptions } from '../stores/file-offsets.ts';
export { fileOffsets } from '../stores/file-offsets.ts';
export type { LogOffsetsOptions } from '../stores/log-offsets.ts';
export { logOffsets } from '../stores/log-offsets.ts';
export type { CallbackContext, CallbackOptions, FailureAction } from './callback-attempts.ts';
export type { ClientSinkOptions } from './client-producer.ts';
export { confluentKafkaSink } from './confluent-kafka-sink.ts';
export type { EachOptions } from './each.ts';
export { each } from './each.ts';
export type { EachBatchOptions } from './each-batch.ts';
export { eachBatch } from './each-batch.ts';
export type { KafkaJsMessage, KafkaJsProducer } from './kafkajs-sink.ts';
export { kafkajsSink } from './kafkajs-sink.ts';
export type { LogSinkOptions, OpenedProducer } from './log-sink.ts';
export { logSink, logSinkChecks, openedLogSink, sinkHealthOf } from './log-sink.ts';
export type {
  PlatformaticKafkaMessage,
  PlatformaticKafkaProducer,
  PlatformaticKafkaSinkOptions,
} from './platformatic-kafka-sink.ts';
export { platformaticKafkaSink } from './platformatic-kafka-sink.ts';
export type { Sink, SinkContext, SinkHealth, SinkWriter } from './sink.ts';
