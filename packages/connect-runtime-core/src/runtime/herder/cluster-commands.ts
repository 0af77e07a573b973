import type { Herder } from '../port/herder.ts';
import { commandTargetState } from './connector-commands.ts';
import { type GroupContext, type HerderContext, requireConnector, requireLeader } from './herder-context.ts';

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
export function isComplete(
  { configs, statuses }: Pick<HerderContext, 'configs' | 'statuses'>,
  name: string,
): boolean {
  const stored = configs.get(name);
  if (stored?.target !== 'STARTED' || stored.tasks === undefined) return false;
  if (stored.tasks.length === 0) return false;
  return stored.tasks.every((_, task) => statuses.task(name, task)?.complete === true);
}

/** A connector with nothing more to read is stopped, as a user would do it. What keeps it from that shows in its tasks. */
export async function stopCompleted(context: GroupContext, name: string): Promise<void> {
  const { assignment, options } = context;
  try {
    if (assignment.leads || assignment.leaderUrl === undefined || options.callWorker === undefined) {
      await commandTargetState(context, name, 'STOPPED');
      return;
    }
    const path = ['connectors', name, 'stop'];
    await options.callWorker({
      method: 'PUT',
      baseUrl: assignment.leaderUrl,
      path,
      body: '',
      signature: undefined,
    });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    context.log('effect_failed', { connector: name, what: 'stop after completion', reason });
  }
}
