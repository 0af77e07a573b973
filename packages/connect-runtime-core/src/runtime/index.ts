// For hosts: what runs connectors.
export { sourceConnectorConfig } from '../connector/connector-config.ts';
export { builtInConverters } from '../converter/built-in-converters.ts';
export type {
  ClientOverridePolicy,
  ConnectRuntime,
  ConnectRuntimeOptions,
  ConverterChoice,
  StopReport,
} from './connect-runtime.ts';
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
} from './herder.ts';
export type { HerderErrorKind } from './herder-error.ts';
export { HerderError, herderErrorStatus } from './herder-error.ts';
export type { ConnectorStatus, ConnectorType, RunState, Status, TaskStatus } from './status.ts';
export type { TargetState } from './target-state.ts';
