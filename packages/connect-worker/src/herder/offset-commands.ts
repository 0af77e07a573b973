import { isConnectorError, type SourceOffset, type SourcePartition } from '@levada/connect-runtime-core';
import type { OffsetChange } from '@levada/connect-runtime-core/contract';
import type { Herder } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';
import { textOf } from '../port/raw-config.ts';
import { traceOf } from '../port/trace.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { ConnectorOffsets } from '../stores/offset-stores.ts';
import { writesTransactions } from '../worker/task-settings.ts';
import {
  type HerderContext,
  requireConnector,
  requireLeader,
  staleConfiguration,
  useOffsets,
} from './herder-context.ts';

type OffsetCommands = Pick<Herder, 'alterOffsets' | 'resetOffsets'>;

/** The herder's changes of offsets. Only a stopped connector's may be changed. */
export function offsetCommands(context: HerderContext): OffsetCommands {
  const { gate } = context;
  const stage = (name: string) => `modifying offsets for connector ${name}`;
  return {
    alterOffsets: (name, changes) =>
      gate.run({
        name,
        stage: stage(name),
        run: async () => {
          requireLeader(context);
          if (changes.length === 0) {
            throw new HerderError(
              'bad_request',
              'Partitions / offsets need to be provided for an alter offsets request',
            );
          }
          const stored = await requireStopped(context, name);
          return await withOffsets(context, stored, async (offsets) =>
            change({ context, stored, offsets }, { changes, done: 'altered' }),
          );
        },
      }),
    resetOffsets: (name) =>
      gate.run({
        name,
        stage: stage(name),
        run: async () => {
          requireLeader(context);
          const stored = await requireStopped(context, name);
          return await withOffsets(context, stored, async (offsets) => {
            await offsets.readToEnd();
            const changes = offsets.list().map(({ partition }) => ({ partition, offset: null }));
            return await change({ context, stored, offsets }, { changes, done: 'reset' });
          });
        },
      }),
  };
}

async function requireStopped(context: HerderContext, name: string): Promise<StoredConnector> {
  requireConnector(context, name);
  // A task that is still stopping would commit over the change.
  await context.reconciler.settled(name);
  const stored = requireConnector(context, name);
  if (stored.target === 'STOPPED' && (stored.tasks ?? []).length === 0) {
    // Also on another worker: it has stopped when it has joined the next round of the group.
    if (context.assignment.mayRunElsewhere(name)) throw staleConfiguration();
    return stored;
  }
  throw new HerderError(
    'bad_request',
    `Connectors must be in the STOPPED state before their offsets can be modified. This can be done for the specified connector by issuing a 'PUT' request to the '/connectors/${name}/stop' endpoint`,
  );
}

async function withOffsets<T>(
  context: HerderContext,
  stored: StoredConnector,
  work: (offsets: ConnectorOffsets) => Promise<T>,
): Promise<T> {
  const offsets = await useOffsets(context, stored);
  try {
    return await work(offsets);
  } finally {
    await offsets.release();
  }
}

async function change(
  {
    context,
    stored,
    offsets,
  }: {
    readonly context: HerderContext;
    readonly stored: StoredConnector;
    readonly offsets: ConnectorOffsets;
  },
  { changes, done }: { readonly changes: readonly OffsetChange[]; readonly done: 'altered' | 'reset' },
): Promise<string> {
  const accepted = await ask(context, stored, changes);
  // One that was cut off would commit its own offsets over the change.
  if (writesTransactions(context.options)) await context.fenceZombies(stored.name);
  await offsets.put(changes.flatMap(named));
  await offsets.readToEnd();
  if (accepted) return `The offsets for this connector have been ${done} successfully`;
  return `The Connect framework-managed offsets for this connector have been ${done} successfully. However, if this connector manages offsets externally, they will need to be manually ${done} in the system that the connector uses.`;
}

/** Asks the connector, with references resolved. Its refusal is the client's fault, anything else is not. */
async function ask(
  context: HerderContext,
  stored: StoredConnector,
  changes: readonly OffsetChange[],
): Promise<boolean> {
  const connector = context.registry.connector(textOf(stored.config, 'connector.class')?.trim() ?? '');
  if (connector.alterOffsets === undefined) return false;
  const { config, scrub } = await context.resolve(stored.config);
  try {
    return connector.alterOffsets(connector.config.canonical(config), changes);
  } catch (thrown) {
    const message = scrub(thrown instanceof Error ? thrown.message : String(thrown));
    // The error itself may hold secrets, and causes get into the log.
    const cause = traceOf(thrown, scrub);
    throw new HerderError(isConnectorError(thrown) ? 'refused_offsets' : 'internal', message, { cause });
  }
}

/** Forgetting the offset of no partition changes nothing; giving it one makes no sense. */
function named(given: OffsetChange): readonly { partition: SourcePartition; offset: SourceOffset | null }[] {
  const { partition, offset } = given;
  if (partition !== null) return [{ partition, offset }];
  if (offset === null) return [];
  throw new HerderError('refused_offsets', 'The partition for a source offset cannot be null');
}
