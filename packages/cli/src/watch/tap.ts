import { systemClock } from '@levada/connect-runtime-core';
import type { EmbeddedReader, ReadFrom } from '@levada/platform-embedded';
import type { ConnectionOptions } from '../client/connection.ts';
import { connectorPath, connectToWorker, type WorkerClient } from '../client/worker-client.ts';
import { withReader } from '../commands/topic.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { recordText } from '../output/record-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { tapWorker } from './tap-worker.ts';

/** Between two looks for topics that the connector did not write to before, in milliseconds. */
const LOOK_MS = 1000;

/** Options of `levada tap`. */
export interface TapOptions extends ConnectionOptions {
  readonly output: OutputForm;
  /** Folder of an embedded log to read. Default: the worker is asked. */
  readonly folder?: string;
  /** How many of the last records of each topic to begin with. */
  readonly records: number;
  /** Continues with each new record until interrupted. */
  readonly follow: boolean;
}

/**
 * `levada tap <connector>`: the records of the topics that a connector writes to, as they are produced. The worker reads them back, or the
 * folder of its embedded log is read.
 */
export async function tapConnector(name: string, options: TapOptions, terminal: Terminal): Promise<void> {
  const { folder, output } = options;
  const client = await connectToWorker(options, terminal);
  await client.get(connectorPath(name));
  if (folder === undefined) {
    if (await tapWorker({ client, name }, options, terminal)) return;
    throw await explainElsewhere({ client, name }, 'shows no records');
  }
  const { platform_cluster_id: id } = (await client.get('/')) as { readonly platform_cluster_id?: string };
  try {
    await withReader({ folder, output }, terminal, async (reader) => {
      if ((await reader.clusterId()) !== id)
        throw await explainElsewhere({ client, name }, 'does not keep its records in this folder');
      await tap({ client, reader, name }, options, terminal);
    });
  } catch (thrown) {
    const isMissing = thrown instanceof CommandError && thrown.exitCode === exitCodes.unreachable;
    if (!isMissing) throw thrown;
    throw new CommandError(
      exitCodes.unreachable,
      thrown.message,
      'name the folder of its embedded log with --folder, or ask the worker, without --folder',
    );
  }
}

interface Tapped {
  readonly client: WorkerClient;
  readonly reader: EmbeddedReader;
  readonly name: string;
}

async function tap({ client, reader, name }: Tapped, options: TapOptions, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  const reading = new Map<string, Promise<void>>();
  const print = async (topic: string, from: ReadFrom): Promise<void> => {
    const several = options.output === 'table' ? `${topic}  ` : '';
    for await (const record of reader.read({ topic, from, follow: options.follow, signal })) {
      terminal.out(several + recordText(options.output, record));
    }
  };
  // What appears after the first look is new, so all of it is shown.
  let from: ReadFrom = { last: options.records };
  do {
    for (const topic of await topicsOf(client, name)) {
      if (reading.has(topic) || (await reader.topic(topic)) === undefined) continue;
      reading.set(topic, print(topic, from));
    }
    if (reading.size === 0 && from !== 'start') terminal.err(`${name} has produced no record yet\n`);
    from = 'start';
  } while (options.follow && (await Promise.race([sleep(signal), ...reading.values()])) !== false);
  await Promise.all(reading.values());
}

/** True after a moment, false as soon as the signal aborts. */
function sleep(signal: AbortSignal): Promise<boolean> {
  return systemClock.sleep(LOOK_MS, signal).then(
    () => true,
    () => false, // the only way in which a sleep rejects
  );
}

async function topicsOf(client: WorkerClient, name: string): Promise<readonly string[]> {
  const answer = (await client.get(`${connectorPath(name)}/topics`)) as Readonly<
    Record<string, { readonly topics?: readonly string[] }>
  >;
  return answer[name]?.topics ?? [];
}

/** The records cannot be read in the way that was asked for. */
async function explainElsewhere(
  { client, name }: { readonly client: WorkerClient; readonly name: string },
  problem: string,
): Promise<CommandError> {
  const topics = await topicsOf(client, name);
  const where = topics.length === 0 ? 'it has written to no topic yet' : `it writes to ${topics.join(', ')}`;
  return new CommandError(
    exitCodes.problems,
    `the worker at ${client.url} ${problem}`,
    `${where}; --folder names the folder of an embedded log, and a consumer of Kafka, such as kcat, reads topics of a cluster`,
  );
}
