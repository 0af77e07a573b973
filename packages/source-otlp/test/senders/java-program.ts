import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildFolder, builtFolder } from '../../../source-grpc/test/peers/build-folder.ts';
import { type Sender, senderOf } from './sender.ts';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('java', import.meta.url));
const FETCH_LIMIT_MS = 300_000;
const COPY_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
const OLDEST_JAVA = 17;
/** It lives for a second. */
const JVM = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

/** Why the exporters cannot be had here, as one line; undefined when they can. */
export function javaUnavailable(): string | undefined {
  const java = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const needed = `no OTLP exporters in Java: Java ${OLDEST_JAVA} or newer is needed`;
  if (java.error !== undefined) return `${needed}, none was found`;
  const major = Number(/version "(\d+)/.exec(java.stderr)?.[1]);
  if (!(major >= OLDEST_JAVA)) return `${needed}, found "${java.stderr.split('\n')[0] ?? ''}"`;
  if (existsSync(builtFolder(sources))) return undefined;
  const missing = ['javac', 'mvn'].find((tool) => spawnSync(tool, ['-version']).error !== undefined);
  return missing === undefined ? undefined : `no OTLP exporters in Java: "${missing}" was not found`;
}

/** The official Java exporters. The first time on a machine they are built, with jars fetched by Maven. */
export async function javaProgram(): Promise<Sender> {
  const folder = await buildFolder(sources, build);
  const path = [join(folder, 'jars', '*'), folder].join(delimiter);
  return senderOf('java', [...JVM, '-cp', path, 'Send'], ['traces']);
}

async function build(folder: string): Promise<void> {
  const jars = join(folder, 'jars');
  const goal = [COPY_GOAL, `-DoutputDirectory=${jars}`, '-DincludeScope=runtime'];
  await run('mvn', ['-B', '-q', '-f', join(sources, 'pom.xml'), ...goal], { timeout: FETCH_LIMIT_MS });
  const files = globSync('*.java', { cwd: sources }).map((file) => join(sources, file));
  await run('javac', ['-cp', join(jars, '*'), '-d', folder, ...files]);
}
