import type { RawConfig } from '@levada/connect-runtime-core';
import type { Herder } from '../port/herder.ts';
import {
  type GroupContext,
  type HerderContext,
  redirectTo,
  requireConnector,
  requireLeader,
} from './herder-context.ts';

/**
 * Stores the task configurations that a connector of this worker made: in the config topic on the leader, by a signed request to the
 * leader on other workers. Rejects while there is no leader that takes them.
 */
export async function publishTasks(
  context: GroupContext,
  name: string,
  tasks: readonly RawConfig[],
): Promise<void> {
  const { assignment, configs, options, sessionKeys } = context;
  if (assignment.leads) {
    await configs.putTasks(name, tasks);
    return;
  }
  const { leaderUrl } = assignment;
  if (leaderUrl === undefined || options.callWorker === undefined) throw redirectTo(undefined);
  const body = JSON.stringify(tasks);
  await options.callWorker({
    method: 'POST',
    baseUrl: leaderUrl,
    path: ['connectors', name, 'tasks'],
    body,
    signature: configs.sessionKey === undefined ? undefined : sessionKeys.sign(body),
  });
}

/** The leader's side of {@link publishTasks}. */
export function taskPublication(context: HerderContext): Pick<Herder, 'putTasks'> {
  const { gate, assignment, configs, sessionKeys } = context;
  return {
    putTasks: async (name, body, readTasks, signature) => {
      // Before the turn among other changes, as in Kafka Connect: until then a body of unknown origin would be kept.
      if (assignment.signed) sessionKeys.check(body, signature, assignment);
      const tasks = readTasks(body);
      await gate.run({
        name,
        stage: `writing task configs for connector ${name} to the config topic`,
        run: async () => {
          requireLeader(context);
          requireConnector(context, name);
          await configs.putTasks(name, tasks);
        },
      });
    },
  };
}
