import { resolve } from 'node:path';
import { isConnectorError } from '@levada/connect-runtime-core';
import { type EmbeddedReader, openEmbeddedReader, type ReadOptions } from '@levada/platform-embedded';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { recordText } from '../output/record-text.ts';
import { render } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';

/** Options of every topic command. */
export interface TopicOptions {
  /** Folder of the embedded log, relative to where the command runs. */
  readonly folder: string;
  readonly output: OutputForm;
}

/** Options of `levada topic tail`. */
export interface TailTopicOptions extends TopicOptions {
  /** How many of the last records to begin with. */
  readonly records: number;
  readonly follow: boolean;
}

/** Options of `levada topic read`. */
export interface ReadTopicOptions extends TopicOptions {
  /** First offset. */
  readonly from: number;
  /** Most records. Default: all. */
  readonly records?: number;
  /** Default: all. */
  readonly partition?: number;
}

/** `levada topic list`. */
export async function listTopics(options: TopicOptions, terminal: Terminal): Promise<void> {
  await withReader(options, terminal, async (reader) => {
    const topics = await reader.topics();
    const rows = topics.map(({ name, cleanupPolicy, partitions }) => ({
      name,
      partitions: String(partitions.length),
      records: String(partitions.reduce((sum, part) => sum + part.endOffset - part.startOffset, 0)),
      bytes: String(partitions.reduce((sum, part) => sum + part.bytes, 0)),
      policy: cleanupPolicy,
    }));
    terminal.out(render(options.output, topics, () => rows));
    if (topics.length === 0) terminal.err('no topics\n');
  });
}

/** `levada topic tail <topic>`: the last records, then each new one until interrupted. */
export async function tailTopic(topic: string, options: TailTopicOptions, terminal: Terminal): Promise<void> {
  const { signal } = terminal;
  await withReader(options, terminal, (reader) =>
    print(
      reader,
      { topic, from: { last: options.records }, follow: options.follow, signal },
      { options, terminal },
    ),
  );
}

/** `levada topic read <topic>`: records from an offset on, then ends. */
export async function readTopic(topic: string, options: ReadTopicOptions, terminal: Terminal): Promise<void> {
  const { from, records, partition } = options;
  const read = {
    topic,
    from: { offset: from },
    signal: terminal.signal,
    ...(partition === undefined ? {} : { partition }),
  };
  await withReader(options, terminal, (reader) => print(reader, read, { options, terminal, most: records }));
}

async function print(
  reader: EmbeddedReader,
  read: ReadOptions,
  how: { readonly options: TopicOptions; readonly terminal: Terminal; readonly most?: number | undefined },
): Promise<void> {
  const most = how.most ?? Number.POSITIVE_INFINITY;
  if (most === 0) return;
  let printed = 0;
  for await (const record of reader.read(read)) {
    how.terminal.out(recordText(how.options.output, record));
    printed += 1;
    if (printed >= most) return;
  }
}

/** Opens the log of a folder for reading, and says in words what keeps it from that. */
export async function withReader(
  options: TopicOptions,
  terminal: Terminal,
  use: (reader: EmbeddedReader) => Promise<void>,
): Promise<void> {
  const folder = resolve(terminal.cwd, options.folder);
  try {
    const reader = await openEmbeddedReader({ folder });
    try {
      await use(reader);
    } finally {
      await reader.close();
    }
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    const known = thrown.code === 'topic_unavailable' || thrown.code === 'config_invalid';
    throw new CommandError(
      known ? exitCodes.problems : exitCodes.unreachable,
      thrown.message,
      known ? `"levada topic list --folder ${options.folder}" shows the topics there are` : undefined,
    );
  }
}
