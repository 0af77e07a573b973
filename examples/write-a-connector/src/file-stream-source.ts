import { open } from 'node:fs/promises';
import * as connect from '@levada/connect-runtime-core';
import { atLeast, nonEmpty } from '@levada/connect-runtime-core/config';
import type { OffsetChange } from '@levada/connect-runtime-core/contract';

const config = connect.configDef([
  { name: 'file', type: 'string', default: null, importance: 'high', documentation: 'Source filename.' },
  // biome-ignore format: a row is a line
  { name: 'topic', type: 'string', importance: 'high', documentation: 'The topic to publish data to.', validator: nonEmpty },
  // biome-ignore format: a row is a line
  { name: 'batch.size', type: 'int', default: 2000, importance: 'low', documentation: 'Most lines per poll.', validator: atLeast(1) },
]);
type FileStreamConfig = ReturnType<typeof config.parse>;

/** Reads a text file line by line and follows it as it grows: Kafka Connect's file stream source. */
export const fileStreamSourceConnector: connect.SourceConnector<typeof config.keys> = {
  className: 'org.apache.kafka.connect.file.FileStreamSourceConnector',
  version: '0.1.0',
  config,
  metrics: {},
  events: {},
  objectName: (name) => ({ domain: 'io.vendor.connect.file', type: 'FileStreamConnector', keys: { name } }),
  taskConfigs: (raw) => [raw],
  createTask: () => new FileStreamTask(),
  exactlyOnceSupport: ({ file }) => (file === null ? { unsupported: 'file names no file' } : 'SUPPORTED'),
  alterOffsets: (raw, changes) => {
    if (!raw['file']) throw refusal("Offsets cannot be modified if the 'file' configuration is unspecified");
    changes.forEach(checkChange);
    return true;
  },
};

/** One run. The offset of a record is the byte position after its line, where the next run resumes. */
class FileStreamTask implements connect.SourceTask<FileStreamConfig> {
  readonly #stopped = new AbortController();
  #config!: FileStreamConfig & { readonly file: string };
  #clock!: connect.Clock;
  #position = 0;
  #rest: Buffer = Buffer.alloc(0);

  async start(config: FileStreamConfig, context: connect.TaskContext): Promise<void> {
    if (config.file === null) throw refusal('file must name the file to read');
    this.#config = { ...config, file: config.file };
    this.#clock = context.clock;
    const offset = await context.offsets.offset({ filename: config.file });
    this.#position = positionOf(offset);
  }

  async poll(): Promise<readonly connect.SourceRecord[]> {
    for (;;) {
      const records = this.#completeLines();
      if (records.length > 0 || this.#stopped.signal.aborted) return records;
      const grown = await this.#readMore();
      // A stop ends the wait; the next turn hands out what is left.
      if (!grown) await this.#clock.sleep(250, this.#stopped.signal).catch(() => undefined);
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
  }

  #completeLines(): connect.SourceRecord[] {
    const { file, topic } = this.#config;
    const records: connect.SourceRecord[] = [];
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      if (records.length === this.#config['batch.size']) break;
      const value = this.#rest.toString('utf8', 0, end).replace(/\r$/, '');
      this.#rest = this.#rest.subarray(end + 1);
      this.#position += end + 1;
      const at = { sourcePartition: { filename: file }, sourceOffset: { position: this.#position } };
      records.push(connect.sourceRecord({ ...at, topic, valueSchema: connect.stringSchema, value }));
    }
    return records;
  }

  /** False when nothing was added, or there is no file yet: Connect waits for it. */
  async #readMore(): Promise<boolean> {
    await using file = await open(this.#config.file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw new connect.ConnectorError('file_unreadable', error.message);
    });
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const read = await file?.read(chunk, 0, chunk.length, this.#position + this.#rest.length);
    this.#rest = Buffer.concat([this.#rest, chunk.subarray(0, read?.bytesRead ?? 0)]);
    return (read?.bytesRead ?? 0) > 0;
  }
}

/** Offsets come from a topic to which others may write. */
function positionOf(offset: connect.SourceOffset | undefined): number {
  if (offset === undefined) return 0;
  const { position } = offset;
  if (typeof position === 'number' && Number.isSafeInteger(position) && position >= 0) return position;
  throw new connect.ConnectorError(
    'config_invalid',
    `the stored offset ${JSON.stringify(offset)} has no "position" that is a number of bytes: reset or alter the offsets`,
  );
}

function checkChange({ partition, offset }: OffsetChange): void {
  if (offset === null) return; // forgetting is always allowed, also of partitions from an earlier configuration
  const position = offset['position'];
  if (position === undefined)
    throw refusal("Offset objects should either be null or contain the key 'position'");
  const key = "The value for the 'position' key in the offset";
  if (!Number.isSafeInteger(position)) throw refusal(`${key} is expected to be a Long value`);
  if (Number(position) < 0) throw refusal(`${key} should be a non-negative value`);
  if (partition === null) throw refusal('Partition objects cannot be null');
  if (!('filename' in partition)) throw refusal("Partition objects should contain the key 'filename'");
}

const refusal = (message: string) => new connect.ConnectorError('config_invalid', message);
