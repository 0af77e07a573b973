import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachePath } from './broker-jars.ts';
import { javaCommand, javaUnavailable, onPath } from './broker-unavailable.ts';
import { keptClasses } from './class-archive.ts';
import { withFolderLock } from './folder-lock.ts';
import { freePorts } from './free-port.ts';
import { JvmProcess, jvmFlags } from './jvm-process.ts';

const run = promisify(execFile);
const VERSION = '2.6.13.Final';
const ARTIFACT = `io.apicurio:apicurio-registry-app:${VERSION}:zip:all`;
const UNPACK_GOAL = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack';
const FETCH_LIMIT_MS = 300_000;
/** The archive of classes is written when it ends. */
const WRITE_LIMIT_MS = 120_000;
/** Printed when it serves. */
const READY = 'Listening on:';

/** A running schema registry, Apicurio with its store in memory. */
export interface SchemaRegistry {
  /** URL of Confluent's HTTP interface, without trailing slash. */
  readonly url: string;
  /** Ends it. Idempotent. */
  stop(): Promise<void>;
}

const cacheFolder = (): string => cachePath('schema-registry');

/** Why no schema registry can be started here, as one line; undefined when one can. */
export function schemaRegistryUnavailable(): string | undefined {
  const java = javaUnavailable();
  if (java !== undefined) return `no schema registry: ${java}`;
  if (existsSync(join(cacheFolder(), VERSION)) || onPath('mvn')) return undefined;
  return 'no schema registry: Maven (mvn) is needed once to fetch Apicurio, none was found';
}

/**
 * Starts a schema registry on a free port of 127.0.0.1, in three to six seconds. The first start on a machine fetches it (146 MB)
 * and writes an archive of its classes (60 MB).
 */
export async function startSchemaRegistry(): Promise<SchemaRegistry> {
  const folder = await fetched();
  const archive = await keptClasses(cacheFolder(), (made) => writeClasses(folder, made));
  const { url, registry } = await launch(folder, `-XX:SharedArchiveFile=${archive}`);
  // Its store is in memory, so that nothing is lost.
  return { url, stop: () => registry.end('SIGKILL') };
}

/** Starts and ends it once, so that the JVM writes down its classes. */
async function writeClasses(folder: string, file: string): Promise<void> {
  const { registry } = await launch(folder, `-XX:ArchiveClassesAtExit=${file}`);
  await registry.end('SIGTERM', WRITE_LIMIT_MS);
}

async function launch(
  folder: string,
  classes: string,
): Promise<{ readonly url: string; readonly registry: JvmProcess }> {
  const runner = (await readdir(folder)).find((name) => name.endsWith('-runner.jar'));
  if (runner === undefined) throw new Error(`"${folder}" holds no runner of Apicurio`);
  const [port] = await freePorts(1);
  const settings = ['-Dquarkus.http.host=127.0.0.1', `-Dquarkus.http.port=${port}`];
  const args = [...jvmFlags, classes, ...settings, '-jar', join(folder, runner)];
  const registry = new JvmProcess([javaCommand()], args, READY);
  try {
    await registry.ready();
  } catch (error) {
    await registry.end('SIGKILL');
    throw error;
  }
  return { url: `http://127.0.0.1:${port}/apis/ccompat/v7`, registry };
}

/** The folder with the registry. It appears complete or not at all. */
async function fetched(): Promise<string> {
  const cache = cacheFolder();
  const folder = join(cache, VERSION);
  if (existsSync(folder)) return folder;
  await withFolderLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return;
    const fresh = await mkdtemp(join(cache, 'fetch-'));
    try {
      const unpacked = join(fresh, 'registry');
      const goal = [UNPACK_GOAL, `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${unpacked}`];
      await run('mvn', ['-B', '-q', ...goal], { cwd: fresh, timeout: FETCH_LIMIT_MS });
      await rename(unpacked, folder);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  });
  return folder;
}
