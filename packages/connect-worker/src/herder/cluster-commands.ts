import { ConnectorError } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/converter';
import type { Herder } from '../port/herder.ts';
import { setTargetState } from './connector-commands.ts';
import {
  type GroupContext,
  type HerderContext,
  redirectTo,
  requireConnector,
  requireLeader,
} from './herder-context.ts';

/** How often a connector that is complete is tried to be stopped. */
const ATTEMPTS = 10;
const backoff: BackoffPolicy = { intervalMs: 250, maxMs: 10_000 };

/** The herder's part in what concerns the whole group. */
export function clusterCommands(context: HerderContext): Pick<Herder, 'fence' | 'setLoggerLevel'> {
  const { gate, assignment, configs, sessionKeys, fenceZombies } = context;
  return {
    fence: (name, body, signature) =>
      gate.run({
        name,
        stage: `fencing earlier tasks of connector ${name}`,
        run: async () => {
          if (assignment.signed) sessionKeys.check(body, signature, assignment);
          requireLeader(context);
          requireConnector(context, name);
          await fenceZombies(name);
        },
      }),
    setLoggerLevel: (logger, level) =>
      gate.run({
        name: `logger ${logger}`,
        stage: `writing the level of logger ${logger} to the config topic`,
        run: () => configs.putLoggerLevel(logger, level),
      }),
  };
}

/** Whether all tasks of a running connector, on whichever workers, have nothing more to read. */
function isComplete(
  { configs, statuses }: Pick<HerderContext, 'configs' | 'statuses'>,
  name: string,
): boolean {
  const stored = configs.get(name);
  if (stored?.target !== 'STARTED' || stored.tasks === undefined) return false;
  if (stored.tasks.length === 0) return false;
  return stored.tasks.every((_, task) => statuses.task(name, task)?.complete === true);
}

/**
 * Stops a connector with nothing more to read, as a user would do it, if this worker owns it. Target states are any worker's to write,
 * and the pass that follows lets the leader take the tasks away by a signed request: users' requests to the leader may need a password.
 * Tried again for a while; the next owner is asked as well.
 */
export async function stopCompleted(
  context: GroupContext & Pick<HerderContext, 'statuses'>,
  name: string,
): Promise<void> {
  const { assignment, configs, gate, log, options } = context;
  const stop = async (): Promise<void> => {
    // Its turn among other changes may come late.
    if (!isComplete(context, name)) return;
    if (assignment.leads) await setTargetState(context, name, 'STOPPED');
    else if (assignment.connector(name)) await configs.putTarget(name, 'STOPPED');
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (!isComplete(context, name) || !assignment.connector(name)) return;
    try {
      if (!assignment.confirmed) throw redirectTo(assignment.leaderUrl);
      const stage = `writing the target state of connector ${name} to the config topic`;
      await gate.run({ name, stage, run: stop });
      return;
    } catch (thrown) {
      const { message: reason } = ConnectorError.from(thrown);
      log('effect_failed', { connector: name, attempt, what: 'stop after completion', reason });
      await options.clock.sleep(backoffDelay(backoff, attempt, Math.random));
    }
  }
}
