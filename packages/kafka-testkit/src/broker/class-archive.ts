import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { brokerArguments, READY } from './broker-arguments.ts';
import { versionFolder } from './broker-jars.ts';
import { serverProperties } from './broker-settings.ts';
import { javaCommand, javaVersion } from './broker-unavailable.ts';
import type { BrokerVersion } from './broker-version.ts';
import { makeDataFolder, newId } from './data-folder.ts';
import { withFolderLock } from './folder-lock.ts';
import { freePorts } from './free-port.ts';
import { JvmProcess } from './jvm-process.ts';

/** The archive is written when the broker ends. */
const WRITE_LIMIT_MS = 120_000;

/**
 * The file with the classes that a broker loads, in the form in which the JVM uses them. Made once per version and JVM, by one
 * start and end of a broker; with it a start takes less than half of the processor time.
 */
export async function classArchive(version: BrokerVersion): Promise<string> {
  return await keptClasses(versionFolder(version), (made) => writeClasses(version, made));
}

/**
 * The archive of classes in a folder for the JVM of this machine, which `write` makes at the path that it is given. Made once;
 * the file appears complete or not at all.
 */
export async function keptClasses(folder: string, write: (file: string) => Promise<void>): Promise<string> {
  const jvm = createHash('sha256')
    .update(javaVersion() ?? '')
    .digest('hex')
    .slice(0, 16);
  const archive = join(folder, `classes-${jvm}.jsa`);
  if (existsSync(archive)) return archive;
  await withFolderLock(`${archive}.lock`, async () => {
    if (existsSync(archive)) return;
    const fresh = await mkdtemp(join(folder, 'classes-'));
    try {
      const made = join(fresh, 'classes.jsa');
      await write(made);
      // A JVM that makes no archive ignores an empty one, too.
      if (existsSync(made)) await rename(made, archive);
      else await writeFile(archive, '');
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  });
  return archive;
}

/** Starts and ends a broker once. */
async function writeClasses(version: BrokerVersion, made: string): Promise<void> {
  const folder = dirname(made);
  const dataFolder = join(folder, 'data');
  await makeDataFolder(version, dataFolder, { nodeId: 1, clusterId: newId() });
  const [port = 0, controllerPort = 0] = await freePorts(2);
  const properties = serverProperties({
    dataFolder,
    nodeId: 1,
    controllerPorts: [controllerPort],
    listeners: [{ name: 'PLAINTEXT', port, advertisedPort: port }],
    clientCertificateRequired: false,
    authorizer: false,
    autoCreateTopics: true,
    extra: {},
  });
  const args = await brokerArguments({ version, folder, properties });
  const broker = new JvmProcess([javaCommand()], [`-XX:ArchiveClassesAtExit=${made}`, ...args], READY);
  try {
    await broker.ready();
  } finally {
    await broker.end('SIGTERM', WRITE_LIMIT_MS);
  }
}
