import type { RawConfig } from '../../config/config-key.ts';
import type { AnySourceConnector } from '../../contract/source-connector.ts';
import type { EventLog } from '../../diagnostics/log-event.ts';
import type { PluginRegistry } from '../config/plugin-registry.ts';
import type { ResolveConfig } from '../config/resolved-config.ts';
import type { SecretMask } from '../config/secret-mask.ts';
import type { ValidationOptions } from '../config/validation.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import { HerderError } from '../port/herder-error.ts';
import type { runtimeEvents } from '../port/runtime-events.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { ConfigStore } from '../stores/config-store.ts';
import type { OffsetStore } from '../stores/offset-store.ts';
import type { StatusStore } from '../stores/status-store.ts';
import type { Assignment } from '../worker/assignment.ts';
import type { Reconciler } from '../worker/reconciler.ts';
import type { Worker } from '../worker/worker.ts';
import type { CommandGate } from './command-gate.ts';
import type { SessionKeys } from './session-keys.ts';

/** What the herder's verbs share. */
export interface HerderContext {
  readonly options: ConnectRuntimeOptions;
  readonly registry: PluginRegistry;
  readonly configs: ConfigStore;
  readonly offsets: OffsetStore;
  readonly statuses: StatusStore;
  readonly worker: Worker;
  readonly reconciler: Reconciler;
  readonly gate: CommandGate;
  readonly assignment: Assignment;
  readonly sessionKeys: SessionKeys;
  readonly resolve: ResolveConfig;
  /** How secrets of a connector's configuration are shown, also of its tasks'; by name alone when its class is unknown. */
  readonly maskFor: (connector: AnySourceConnector | undefined, config: RawConfig) => SecretMask;
  readonly validation: ValidationOptions;
  readonly log: EventLog<typeof runtimeEvents>;
}

/** The connector of a name. Throws Kafka Connect's 404; its text depends on the request. */
export function requireConnector(
  { configs }: HerderContext,
  name: string,
  message = `Connector ${name} not found`,
): StoredConnector {
  const stored = configs.get(name);
  if (stored === undefined) throw new HerderError('not_found', message);
  return stored;
}

/** Throws unless this worker leads its group: the leader makes all changes, and requests are forwarded to it. */
export function requireLeader({ assignment }: HerderContext): void {
  if (!assignment.leads) throw elsewhere(assignment.leaderUrl);
}

/** The refusal that makes the REST interface forward a request to another worker. */
export function elsewhere(target: string | undefined): HerderError {
  return new HerderError(
    'elsewhere',
    'Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway.',
    { target },
  );
}
