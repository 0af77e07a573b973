import type { Herder } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';
import { type HerderContext, requireConnector, requireLeader } from './herder-context.ts';

/** The herder's part in what concerns the whole group. */
export function clusterCommands(context: HerderContext): Pick<Herder, 'fence' | 'setLoggerLevel'> {
  const { gate, assignment, configs, sessionKeys } = context;
  return {
    fence: (name, body, signature) =>
      gate.run({
        name,
        stage: `fencing earlier tasks of connector ${name}`,
        run: async () => {
          if (assignment.signed) sessionKeys.check(body, signature);
          requireLeader(context);
          requireConnector(context, name);
          await configs.readToEnd();
          await fence(context, name);
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

/**
 * Tasks of ours write no transactions, so there is nothing to fence of them; those of a Java worker may. A single task that
 * replaces a single one fences it by itself, since both have the same transactional id.
 */
async function fence({ configs }: HerderContext, name: string): Promise<void> {
  const tasks = configs.get(name)?.tasks?.length ?? 0;
  const before = configs.fenced(name);
  if (before?.current === true) return;
  if (before !== undefined && (before.tasks !== 1 || tasks !== 1)) {
    throw new HerderError(
      'internal',
      `Failed to perform zombie fencing: the leader cannot fence the transactions of ${before.tasks} earlier tasks of connector ${name}; stop the connector, or let a Java worker lead the group`,
    );
  }
  await configs.putFenced(name, tasks);
}
