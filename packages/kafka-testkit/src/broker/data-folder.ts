import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brokerJars, versionFolder } from './broker-jars.ts';
import { brokerUser, serverProperties } from './broker-settings.ts';
import { javaCommand } from './broker-unavailable.ts';
import type { BrokerVersion } from './broker-version.ts';
import { withFolderLock } from './folder-lock.ts';

const run = promisify(execFile);

/** Whose data folder it is. */
export interface FolderOwner {
  readonly nodeId: number;
  /** See {@link newId}. */
  readonly clusterId: string;
}

/**
 * Makes an empty data folder for a node of a new cluster. Formatting needs a JVM of its own, so it is done once per version;
 * from then on the result is copied and given fresh ids. {@link brokerUser} is in it for the SCRAM mechanisms.
 */
export async function makeDataFolder(
  version: BrokerVersion,
  folder: string,
  { nodeId, clusterId }: FolderOwner,
): Promise<void> {
  const template = join(versionFolder(version), 'formatted');
  if (!existsSync(template)) {
    await withFolderLock(join(versionFolder(version), 'formatted.lock'), async () => {
      if (!existsSync(template)) await format(version, template);
    });
  }
  await cp(template, folder, { recursive: true });
  const file = join(folder, 'meta.properties');
  const text = await readFile(file, 'utf8');
  const fresh = text
    .replace(/^node\.id=.*$/m, `node.id=${nodeId}`)
    .replace(/^cluster\.id=.*$/m, `cluster.id=${clusterId}`)
    .replace(/^directory\.id=.*$/m, `directory.id=${newId()}`);
  await writeFile(file, fresh);
}

/** The folder appears complete or not at all. */
async function format(version: BrokerVersion, template: string): Promise<void> {
  const jars = await brokerJars(version);
  const folder = await mkdtemp(join(versionFolder(version), 'format-'));
  try {
    const dataFolder = join(folder, 'data');
    await mkdir(dataFolder);
    const properties = join(folder, 'server.properties');
    await writeFile(properties, formatProperties(dataFolder));
    const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${brokerUser.username},password=${brokerUser.password}]`,
    ]);
    const tool = ['kafka.tools.StorageTool', 'format', '-t', newId(), '-c', properties, ...scram];
    await run(javaCommand(), ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-cp', join(jars, '*'), ...tool]);
    await rename(dataFolder, template);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Ports do not matter for formatting. */
function formatProperties(dataFolder: string): string {
  return serverProperties({
    dataFolder,
    nodeId: 1,
    controllerPorts: [2],
    listeners: [{ name: 'PLAINTEXT', port: 1, advertisedPort: 1 }],
    clientCertificateRequired: false,
    authorizer: false,
    autoCreateTopics: true,
    extra: {},
  });
}

/** A Kafka Uuid: sixteen bytes in URL-safe base64. Ids that start with `-` are taken for options by Kafka's tools. */
export function newId(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('base64url');
}
