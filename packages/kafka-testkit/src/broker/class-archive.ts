import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const jvm = createHash('sha256')
    .update(javaVersion() ?? '')
    .digest('hex')
    .slice(0, 16);
  const archive = join(versionFolder(version), `classes-${jvm}.jsa`);
  if (existsSync(archive)) return archive;
  await withFolderLock(`${archive}.lock`, async () => {
    if (!existsSync(archive)) await makeArchive(version, archive);
  });
  return archive;
}

/** The file appears complete or not at all. */
async function makeArchive(version: BrokerVersion, archive: string): Promise<void> {
  const folder = await mkdtemp(join(versionFolder(version), 'classes-'));
  try {
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
    const made = join(folder, 'classes.jsa');
    const args = await brokerArguments({ version, folder, properties });
    const broker = new JvmProcess(javaCommand(), [`-XX:ArchiveClassesAtExit=${made}`, ...args], READY);
    try {
      await broker.ready();
    } finally {
      await broker.end('SIGTERM', WRITE_LIMIT_MS);
    }
    // A JVM that makes no archive ignores an empty one, too.
    if (existsSync(made)) await rename(made, archive);
    else await writeFile(archive, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
