import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrokerVersion, brokerVersions } from './broker-version.ts';
import { withFolderLock } from './folder-lock.ts';

const run = promisify(execFile);
const COPY_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
const FETCH_LIMIT_MS = 300_000;

/** Path in the folder where the project keeps what it fetched or built once on this machine. `XDG_CACHE_HOME` moves it. */
export function cachePath(...names: readonly string[]): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'levada', ...names);
}

/** Where the files of a version are kept between runs. */
export function versionFolder(version: BrokerVersion): string {
  return cachePath('kafka', version);
}

/** Where the jars of a version are, once they were fetched. */
export function cachedJars(version: BrokerVersion): string {
  return join(versionFolder(version), 'jars');
}

/**
 * The folder with the jars of a broker. Fetched by Maven once per machine (about 56 MB) and kept; processes that ask at the
 * same time wait for the one that fetches.
 */
export async function brokerJars(version: BrokerVersion): Promise<string> {
  const kafka = [`org.apache.kafka:kafka_2.13:${version}`, `org.apache.kafka:kafka-tools:${version}`];
  return await cached(version, 'jars', [...kafka, ...brokerVersions[version].logging]);
}

/** The folder with the jars of the connectors that a Java worker of this version has in tests: file stream source and sink. */
export async function connectorJars(version: BrokerVersion): Promise<string> {
  return await cached(version, 'connectors', [`org.apache.kafka:connect-file:${version}`]);
}

async function cached(
  version: BrokerVersion,
  name: 'jars' | 'connectors',
  coordinates: readonly string[],
): Promise<string> {
  const jars = join(versionFolder(version), name);
  if (existsSync(jars)) return jars;
  await withFolderLock(join(versionFolder(version), `${name}.lock`), async () => {
    if (!existsSync(jars)) await fetchJars(version, jars, coordinates);
  });
  return jars;
}

/** The folder appears complete or not at all. */
async function fetchJars(
  version: BrokerVersion,
  jars: string,
  coordinates: readonly string[],
): Promise<void> {
  const folder = await mkdtemp(join(versionFolder(version), 'fetch-'));
  try {
    await writeFile(join(folder, 'pom.xml'), pom(coordinates));
    const copied = join(folder, 'jars');
    const goal = [COPY_GOAL, `-DoutputDirectory=${copied}`, '-DincludeScope=runtime'];
    await run('mvn', ['-B', '-q', ...goal], { cwd: folder, timeout: FETCH_LIMIT_MS });
    await rename(copied, jars);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pom(coordinates: readonly string[]): string {
  const dependencies = coordinates.map((one) => {
    const [group, artifact, number] = one.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${number}</version></dependency>`;
  });
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>levada</groupId><artifactId>broker</artifactId><version>1</version>
  <dependencies>${dependencies.join('')}</dependencies>
</project>
`;
}
