import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type BuiltProgram, buildFolder, builtFolder } from './build-folder.ts';

const run = promisify(execFile);
const FETCH_LIMIT_MS = 300_000;
const COPY_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies';
const OLDEST_JAVA = 17;
/** It lives for seconds. */
const JVM = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

/** A program in Java. */
export interface JavaSources {
  /** Its pom.xml and sources. */
  readonly folder: string;
  readonly mainClass: string;
  /** What it is, for the line that says why it cannot be made. */
  readonly what: string;
  /** Properties of its pom.xml, such as the version of what it is built with. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Flags of the JVM beside those that all programs have. */
  readonly flags?: readonly string[];
}

/** Builds a program the first time it is needed on a machine, with its jars fetched by Maven. */
export function javaBuild({
  folder,
  mainClass,
  what,
  properties = {},
  flags = [],
}: JavaSources): BuiltProgram & {
  /** Folders of its classes and of its jars. Makes them, if they are not there yet. */
  readonly classpath: () => Promise<readonly string[]>;
} {
  const classpath = async () => {
    const built = await buildFolder(folder, (output) => compile(folder, output, properties), variant);
    return [join(built, 'jars', '*'), built];
  };
  const variant = Object.values(properties).join('-');
  return {
    unavailable: () => {
      const java = spawnSync('java', ['-version'], { encoding: 'utf8' });
      const needed = `no ${what} in Java: Java ${OLDEST_JAVA} or newer is needed`;
      if (java.error !== undefined) return `${needed}, none was found`;
      const major = Number(/version "(\d+)/.exec(java.stderr)?.[1]);
      if (!(major >= OLDEST_JAVA)) return `${needed}, found "${java.stderr.split('\n')[0] ?? ''}"`;
      if (existsSync(builtFolder(folder, variant))) return undefined;
      const missing = ['javac', 'mvn'].find((tool) => spawnSync(tool, ['-version']).error !== undefined);
      return missing === undefined ? undefined : `no ${what} in Java: "${missing}" was not found`;
    },
    command: async () => {
      return ['java', ...JVM, ...flags, '-cp', (await classpath()).join(delimiter), mainClass];
    },
    classpath,
  };
}

async function compile(
  sources: string,
  output: string,
  properties: Readonly<Record<string, string>>,
): Promise<void> {
  const jars = join(output, 'jars');
  const goal = [COPY_GOAL, `-DoutputDirectory=${jars}`, '-DincludeScope=runtime'];
  const defined = Object.entries(properties).map(([name, value]) => `-D${name}=${value}`);
  await run('mvn', ['-B', '-q', '-f', join(sources, 'pom.xml'), ...goal, ...defined], {
    timeout: FETCH_LIMIT_MS,
  });
  const files = globSync('*.java', { cwd: sources }).map((file) => join(sources, file));
  await run('javac', ['-cp', join(jars, '*'), '-d', output, ...files]);
}
