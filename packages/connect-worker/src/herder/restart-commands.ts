import { taskKey } from '@levada/connect-runtime-core/platform';
import type { Herder, RestartRequest } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';
import type { ConnectorStatus, Status } from '../port/status.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import { connectorInfo } from './connector-reads.ts';
import {
  type HerderContext,
  redirectTo,
  requireConnector,
  requireLeader,
  staleConfiguration,
} from './herder-context.ts';

type Restarts = Pick<Herder, 'restart' | 'restartTask'>;

/** Which parts of a connector a request restarts, given what is observed of it. */
export interface RestartPlan {
  readonly connector: boolean;
  readonly tasks: readonly number[];
}

/** Plans a restart. */
export function planRestart(status: ConnectorStatus, request: RestartRequest): RestartPlan {
  const wanted = ({ state }: Status): boolean => !request.onlyFailed || state === 'FAILED';
  return {
    connector: wanted(status.connector),
    tasks: request.includeTasks ? status.tasks.filter(wanted).map(({ id }) => id) : [],
  };
}

/** The herder's restarts. */
export function restartCommands(context: HerderContext): Restarts {
  const { gate, reconciler } = context;
  const unknown = (name: string): string => `Unknown connector: ${name}`;
  return {
    restart: (name, request) =>
      gate.run({
        name,
        stage: `restarting connector ${name}`,
        run: async () => {
          const stored = requireConnector(context, name, unknown(name));
          const plan = request.includeTasks || request.onlyFailed;
          if (plan) requireLeader(context);
          else requireOwner(context, { connector: name });
          if (plan) return await restartByPlan(context, stored, request);
          if (stored.target === 'STARTED') await reconciler.kick(name, { connector: true, tasks: [] });
          return undefined;
        },
      }),
    restartTask: (name, task) =>
      gate.run({
        name,
        stage: `restarting task ${name}-${task}`,
        run: async () => {
          const stored = requireConnector(context, name, unknown(name));
          if (stored.tasks?.[task] === undefined) {
            throw new HerderError('not_found', `Unknown task: ${name}-${task}`);
          }
          requireOwner(context, { task: taskKey(name, task) });
          if (stored.target === 'STARTED') await reconciler.kick(name, { connector: false, tasks: [task] });
        },
      }),
  };
}

/** Throws unless what is to be restarted was assigned to this worker: the leader knows its owner, other workers ask the leader. */
function requireOwner(
  { assignment }: HerderContext,
  key: { readonly connector: string } | { readonly task: string },
): void {
  const isHere = 'connector' in key ? assignment.connector(key.connector) : assignment.taskOf(key.task);
  if (isHere) return;
  if (!assignment.leads) throw redirectTo(assignment.leaderUrl);
  const owner = assignment.ownerUrl(key);
  if (owner === undefined) throw staleConfiguration();
  throw redirectTo(owner);
}

/**
 * Carries out a restart that was read from the config topic, for what runs here. Nothing of a paused or stopped connector
 * does, although the answer says RESTARTING of it, as Kafka Connect's.
 */
export function executeRestart(context: HerderContext, name: string, request: RestartRequest): void {
  const stored = context.configs.get(name);
  const status = stored?.target === 'STARTED' ? observed(context, stored) : undefined;
  if (stored === undefined || status === undefined) return;
  const plan = planRestart(status, request);
  if (plan.connector || plan.tasks.length > 0) void context.reconciler.kick(name, plan);
}

async function restartByPlan(
  context: HerderContext,
  stored: StoredConnector,
  request: RestartRequest,
): Promise<ConnectorStatus> {
  const status = observed(context, stored);
  if (status === undefined) {
    throw new HerderError('not_found', `Status for connector ${stored.name} not found`);
  }
  const plan = planRestart(status, request);
  if (plan.connector || plan.tasks.length > 0) await context.configs.putRestart(stored.name, request);
  const restarting = <S extends Status>(one: S): S => ({ ...one, state: 'RESTARTING' });
  return {
    ...status,
    connector: plan.connector ? restarting(status.connector) : status.connector,
    tasks: status.tasks.map((task) => (plan.tasks.includes(task.id) ? restarting(task) : task)),
  };
}

function observed(context: HerderContext, stored: StoredConnector): ConnectorStatus | undefined {
  const { name } = stored;
  const connector = context.statuses.connector(name);
  if (connector === undefined) return undefined;
  const { type } = connectorInfo(context, stored);
  return { name, connector, tasks: context.statuses.tasks(name), type };
}
