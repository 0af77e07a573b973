import type { EventLog, RawConfig } from '@levada/connect-runtime-core';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import type { ResolveConfig } from '../config/config-resolver.ts';
import { offsetsTopicOf } from '../config/exactly-once.ts';
import type { PluginRegistry } from '../config/plugin-registry.ts';
import type { SecretMask } from '../config/secret-mask.ts';
import type { ValidationOptions } from '../config/validation.ts';
import type { Assignment } from '../group/assignment.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import { HerderError } from '../port/herder-error.ts';
import type { runtimeEvents } from '../port/runtime-events.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { ConfigStore } from '../stores/config-store.ts';
import type { ConnectorOffsets, OffsetStores } from '../stores/offset-stores.ts';
import type { StatusStore } from '../stores/status-store.ts';
import type { Reconciler } from '../worker/reconciler.ts';
import type { Worker } from '../worker/worker.ts';
import type { CommandGate } from './command-gate.ts';
import type { SessionKeys } from './session-keys.ts';

/** Longest that a request waits for the offsets topic of a connector to be read. */
const OPEN_OFFSETS_MS = 30_000;

/** What of a worker has to do with its group: who makes changes, and who is asked to. */
export interface GroupContext {
  readonly options: ConnectRuntimeOptions;
  readonly configs: ConfigStore;
  readonly gate: CommandGate;
  readonly assignment: Assignment;
  readonly sessionKeys: SessionKeys;
  readonly log: EventLog<typeof runtimeEvents>;
}

/** Shared by all operations of the herder. */
export interface HerderContext extends GroupContext {
  readonly registry: PluginRegistry;
  readonly offsets: OffsetStores;
  readonly statuses: StatusStore;
  readonly worker: Worker;
  readonly reconciler: Reconciler;
  readonly resolve: ResolveConfig;
  /** How secrets of a connector's configuration are shown, also of its tasks'; by name alone when its class is unknown. */
  readonly maskFor: (connector: AnySourceConnector | undefined, config: RawConfig) => SecretMask;
  readonly validation: ValidationOptions;
  /** On the leader: sees to it that no earlier task of a connector writes transactions any more. */
  readonly fenceZombies: (name: string) => Promise<void>;
}

/** The connector of a name. Throws Kafka Connect's 404; its text depends on the request. */
export function requireConnector(
  { configs }: Pick<HerderContext, 'configs'>,
  name: string,
  message = `Connector ${name} not found`,
): StoredConnector {
  const stored = configs.get(name);
  if (stored === undefined) throw new HerderError('not_found', message);
  return stored;
}

/** The offsets of a connector, in its own topic if it has one. The caller releases them. */
export async function useOffsets(
  { resolve, offsets, options }: HerderContext,
  { name, config }: StoredConnector,
): Promise<ConnectorOffsets> {
  const topic = offsetsTopicOf((await resolve(config)).config);
  const ending = new AbortController();
  const timer = options.clock.after(OPEN_OFFSETS_MS, () => ending.abort());
  try {
    return await offsets.use(name, topic, ending.signal);
  } finally {
    timer.cancel();
  }
}

/** Throws unless this worker leads its group: the leader makes all changes, and requests are forwarded to it. */
export function requireLeader({ assignment }: HerderContext): void {
  if (!assignment.leads) throw redirectTo(assignment.leaderUrl);
}

/** The refusal while the group has not carried out yet what is configured. */
export function staleConfiguration(): HerderError {
  const text =
    'Cannot complete request momentarily due to stale configuration (typically caused by a concurrent config change)';
  return new HerderError('conflict', text);
}

/** The refusal that makes the REST interface forward a request to another worker. */
export function redirectTo(target: string | undefined): HerderError {
  return new HerderError(
    'elsewhere',
    'Cannot complete request momentarily due to no known leader URL, likely because a rebalance was underway.',
    { target },
  );
}
