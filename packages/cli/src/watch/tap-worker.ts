import { systemClock } from '@levada/connect-runtime-core';
import type { StoredRecord } from '@levada/platform-embedded';
import { connectorPath, type WorkerClient } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { OutputForm } from '../output/forms.ts';
import { recordText } from '../output/record-text.ts';
import type { Terminal } from '../output/terminal.ts';

/** Between two questions for new records, in milliseconds. */
const POLL_MS = 1000;
/** Most records that a worker shows at once. */
const MOST = 100;

interface ShownRecord extends Pick<StoredRecord, 'topic' | 'partition' | 'offset' | 'timestamp'> {
  readonly key?: string | null;
  readonly key_base64?: string;
  readonly value?: string | null;
  readonly value_base64?: string;
}

interface Answer {
  readonly records: readonly ShownRecord[];
  readonly next: string;
}

/** Prints the records that a worker reads back itself. False when it cannot: Kafka Connect's. */
export async function tapWorker(
  { client, name }: { readonly client: WorkerClient; readonly name: string },
  options: { readonly output: OutputForm; readonly records: number; readonly follow: boolean },
  { out, err, signal }: Terminal,
): Promise<boolean> {
  const path = `${connectorPath(name)}/records`;
  const ask = async (query: string): Promise<Answer | undefined> => {
    const { status, body } = await client.ask('GET', `${path}?${query}`);
    if (status === 404) return undefined;
    if (status < 300) return body as Answer;
    const { message = `the worker answered ${status}` } = (body ?? {}) as { readonly message?: string };
    throw new CommandError(exitCodes.problems, message);
  };
  const print = ({ records }: Answer): void => {
    for (const record of records) out(lineOf(options.output, record));
  };
  let answer = await ask(`last=${Math.min(options.records, MOST)}`);
  if (answer === undefined) return false;
  if (options.records > MOST) err(`the worker shows at most ${MOST} records of each topic at once\n`);
  if (answer.records.length === 0 && options.records > 0) err(`${name} has produced no record yet\n`);
  print(answer);
  while (options.follow && !signal.aborted) {
    // An interrupted pause ends the loop.
    if (answer.records.length < MOST) await systemClock.sleep(POLL_MS, signal).catch(() => undefined);
    if (signal.aborted) break;
    answer = (await ask(`last=${MOST}&after=${answer.next}`)) ?? answer;
    print(answer);
  }
  return true;
}

function lineOf(form: OutputForm, record: ShownRecord): string {
  const { topic, partition, offset, timestamp } = record;
  const key = bytesOf(record.key, record.key_base64);
  const value = bytesOf(record.value, record.value_base64);
  const text = recordText(form, { topic, partition, offset, timestamp, key, value });
  return form === 'table' ? `${topic}  ${text}` : text;
}

function bytesOf(text: string | null | undefined, base64: string | undefined): Uint8Array | null {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return text === undefined || text === null ? null : Buffer.from(text);
}
