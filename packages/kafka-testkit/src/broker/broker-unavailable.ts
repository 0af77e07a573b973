import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cachedJars } from './broker-jars.ts';
import { type BrokerVersion, defaultBrokerVersion } from './broker-version.ts';

const OLDEST_JAVA = 17;

/** The `java` to run brokers with: that of `JAVA_HOME`, else the first on the path. */
export function javaCommand(): string {
  const home = process.env['JAVA_HOME'];
  const ofHome = home === undefined ? undefined : join(home, 'bin', 'java');
  return ofHome !== undefined && existsSync(ofHome) ? ofHome : 'java';
}

/** What `java -version` prints; undefined where there is no Java. */
export function javaVersion(): string | undefined {
  const java = spawnSync(javaCommand(), ['-version'], { encoding: 'utf8' });
  return java.error === undefined ? java.stderr : undefined;
}

/** Why no broker of this version can be started here, as one line; undefined when one can. Starts nothing but `java -version`. */
export function brokerUnavailable(version: BrokerVersion = defaultBrokerVersion): string | undefined {
  const java = javaUnavailable();
  if (java !== undefined) return `no Kafka broker: ${java}`;
  if (existsSync(cachedJars(version)) || onPath('mvn')) return undefined;
  return `no Kafka broker: Maven (mvn) is needed once to fetch the jars of Kafka ${version}, none was found`;
}

/** Why there is no Java that is new enough; undefined when there is. */
export function javaUnavailable(): string | undefined {
  const java = javaVersion();
  if (java === undefined) return `Java ${OLDEST_JAVA} or newer is needed, none was found`;
  if (Number(/version "(\d+)/.exec(java)?.[1]) >= OLDEST_JAVA) return undefined;
  return `Java ${OLDEST_JAVA} or newer is needed, found ${java.split('\n')[0] ?? ''}`;
}

/** Whether a command can be run by its name. */
export function onPath(command: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      // not in this folder
      return false;
    }
  });
}
