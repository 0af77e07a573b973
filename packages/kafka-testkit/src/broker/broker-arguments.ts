import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brokerJars } from './broker-jars.ts';
import { type BrokerVersion, brokerVersions } from './broker-version.ts';
import { type JvmLaunch, jvmFlags } from './jvm-process.ts';

/** Part of the line that a broker prints when it serves. */
export const READY = 'Kafka Server started';

interface BrokerRun {
  readonly version: BrokerVersion;
  /** Where its configuration is written. */
  readonly folder: string;
  /** Text of `server.properties`. */
  readonly properties: string;
  readonly jvm?: JvmLaunch | undefined;
}

/** Writes the configuration of a broker; resolves with the arguments of `java` that start it. */
export async function brokerArguments({
  version,
  folder,
  properties,
  jvm,
}: BrokerRun): Promise<readonly string[]> {
  const jars = await brokerJars(version);
  const { loggingFlag, loggingConfig } = brokerVersions[version];
  const logging = join(folder, 'logging.properties');
  await writeFile(logging, loggingConfig);
  const file = join(folder, 'server.properties');
  await writeFile(file, properties, { mode: 0o600 });
  return [
    ...(jvm?.flags ?? jvmFlags),
    `-D${loggingFlag}=file:${logging}`,
    '-cp',
    join(jars, '*'),
    'kafka.Kafka',
    file,
  ];
}
