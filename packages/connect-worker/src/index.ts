// For hosts: what runs connectors.

export { configResolver } from './config/config-resolver.ts';
export { sourceConnectorConfig } from './config/connector-config.ts';
export type { WorkerConverters } from './config/converter-settings.ts';
export { converterIssues, converterRows } from './config/converter-settings.ts';
export { SecretMask } from './config/secret-mask.ts';
export { topicCreation } from './config/topic-creation.ts';
export { createConnectRuntime } from './create-connect-runtime.ts';
export { checkGroup, type GroupReport } from './group/lacking-classes.ts';
export { connectFamilies } from './metrics/connect-families.ts';
export type { ConfigUpdate, KeyChange } from './port/config-update.ts';
export type {
  AskWorker,
  ClientOverridePolicy,
  ConnectorPlugin,
  ConnectRuntime,
  ConnectRuntimeOptions,
  ConverterChoice,
  DeferredConnector,
  ExactlyOnceSourceSupport,
  RequestSignature,
  RuntimeOperation,
  StopReport,
  TaskThreads,
  WorkerRequest,
} from './port/connect-runtime.ts';
export type {
  CommittedOffset,
  ConfigValidation,
  ConnectorInfo,
  ConnectorMetrics,
  Herder,
  HerderHealth,
  PluginInfo,
  RestartRequest,
  TaskConnection,
  TaskInfo,
} from './port/herder.ts';
export type { HerderErrorKind } from './port/herder-error.ts';
export { HerderError, herderErrorStatus } from './port/herder-error.ts';
export type {
  AnyMetricFamily,
  MeasuredConnector,
  MetricObject,
  WorkerMetrics,
} from './port/metric-objects.ts';
export { LEAST_KEY_BITS, macAlgorithms, type RequestSigning } from './port/request-signing.ts';
export { runtimeEvents } from './port/runtime-events.ts';
export type {
  ConnectorStatus,
  ConnectorType,
  RunState,
  Status,
  TargetState,
  TaskStatus,
} from './port/status.ts';
export { runTaskThread, type TaskThreadParts } from './task-thread.ts';
