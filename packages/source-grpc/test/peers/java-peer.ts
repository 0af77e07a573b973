import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildFolder, builtFolder } from './build-folder.ts';
import { type Peer, type PeerFiles, spawnPeer } from './peer.ts';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('java', import.meta.url));
const FETCH_LIMIT_MS = 300_000;
const COPY_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
const OLDEST_JAVA = 17;
/** It lives for seconds. */
const JVM = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

/** Why the peer cannot be made here, as one line; undefined when it can. */
export function javaUnavailable(): string | undefined {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const needed = `no gRPC server in Java: Java ${OLDEST_JAVA} or newer is needed`;
  if (java.error !== undefined) return `${needed}, none was found`;
  const major = Number(/version "(\d+)/.exec(java.stderr)?.[1]);
  if (!(major >= OLDEST_JAVA)) return `${needed}, found "${java.stderr.split('\n')[0] ?? ''}"`;
  if (existsSync(builtFolder(sources))) return undefined;
  for (const tool of ['javac', 'mvn']) {
    if (spawnSync(tool, ['-version']).error !== undefined)
      return `no gRPC server in Java: "${tool}" was not found`;
  }
  return undefined;
}

/** Starts a server made with grpc-java. The first time on a machine it is built, with its jars fetched by Maven. */
export async function startJavaPeer({ descriptors, certificates }: PeerFiles): Promise<Peer> {
  const folder = await buildFolder(sources, build);
  const path = [join(folder, 'jars', '*'), folder].join(delimiter);
  return spawnPeer('java', [...JVM, '-cp', path, 'Peer', descriptors, certificates]);
}

async function build(folder: string): Promise<void> {
  const jars = join(folder, 'jars');
  const goal = [COPY_GOAL, `-DoutputDirectory=${jars}`, '-DincludeScope=runtime'];
  await run('mvn', ['-B', '-q', '-f', join(sources, 'pom.xml'), ...goal], { timeout: FETCH_LIMIT_MS });
  const files = globSync('*.java', { cwd: sources }).map((file) => join(sources, file));
  await run('javac', ['-cp', join(jars, '*'), '-d', folder, ...files]);
}
