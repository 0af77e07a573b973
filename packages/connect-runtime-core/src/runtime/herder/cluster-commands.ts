import type { Herder } from '../port/herder.ts';
import { type HerderContext, requireConnector, requireLeader } from './herder-context.ts';

/** The herder's part in what concerns the whole group. */
export function clusterCommands(context: HerderContext): Pick<Herder, 'fence' | 'setLoggerLevel'> {
  const { gate, assignment, configs, sessionKeys, fenceZombies } = context;
  return {
    fence: (name, body, signature) =>
      gate.run({
        name,
        stage: `fencing earlier tasks of connector ${name}`,
        run: async () => {
          if (assignment.signed) sessionKeys.check(body, signature);
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
