// For hosts: what runs connectors.

export type { TransformedConfig } from '../config/config-transformer.ts';
export { transformConfig } from '../config/config-transformer.ts';
export { createConfigProviders } from '../config/create-config-providers.ts';
export type { PropertyEntry } from '../config/properties-file.ts';
export { propertyEntries } from '../config/properties-file.ts';
export { builtInConfigProviders } from '../config/providers/built-in-config-providers.ts';
export { scrubber } from '../config/scrubber.ts';
export { sourceConnectorConfig } from '../connector/connector-config.ts';
export { topicCreation } from '../connector/topic-creation.ts';
export { builtInConverters } from '../converter/built-in-converters.ts';
export { configResolver } from './config-resolver.ts';
export type { ConfigUpdate, KeyChange } from './config-update.ts';
export type {
  ClientOverridePolicy,
  ConnectRuntime,
  ConnectRuntimeOptions,
  ConverterChoice,
  StopReport,
} from './connect-runtime.ts';
export type { WorkerConverters } from './converter-settings.ts';
export { converterIssues } from './converter-settings.ts';
export { createConnectRuntime } from './create-connect-runtime.ts';
export { closingShare } from './deadline.ts';
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
export { runtimeEvents } from './runtime-events.ts';
export { SecretMask } from './secret-mask.ts';
export type { ConnectorStatus, ConnectorType, RunState, Status, TaskStatus } from './status.ts';
export type { TargetState } from './target-state.ts';
