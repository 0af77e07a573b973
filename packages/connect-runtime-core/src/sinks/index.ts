// Where records go: the contract of sinks, and sinks that need no package beside this one.

export type { SendFailure, SendResult } from '../platform/log-platform.ts';
export type { CallbackContext, CallbackOptions, FailureAction } from './callback-attempts.ts';
export type { EachOptions } from './each.ts';
export { each } from './each.ts';
export type { EachBatchOptions } from './each-batch.ts';
export { eachBatch } from './each-batch.ts';
export type { LogSinkOptions } from './log-sink.ts';
export { logSink, openedLogSink } from './log-sink.ts';
export type { Sink, SinkContext, SinkWriter } from './sink.ts';
