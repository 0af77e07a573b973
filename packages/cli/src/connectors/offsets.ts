import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ConnectionOptions } from '../client/connection.ts';
import { connectorPath, connectToWorker, type Method } from '../client/worker-client.ts';
import { CommandError, exitCodes } from '../output/command-error.ts';
import { render } from '../output/render.ts';
import type { Terminal } from '../output/terminal.ts';
import { type PrintOptions, shellWord } from './outcomes.ts';

/** Options of `levada connector offsets get` and `reset`. */
export interface OffsetOptions extends ConnectionOptions, PrintOptions {}

/** Options of `levada connector offsets alter`. */
export interface AlterOptions extends OffsetOptions {
  /** File with `{"offsets": [{"partition": {...}, "offset": {...}}]}`; `-` is standard input. */
  readonly file?: string;
  /** JSON of one partition, */
  readonly partition?: string;
  /** and of its offset; `null` forgets it. */
  readonly offset?: string;
}

interface OffsetsAnswer {
  readonly offsets?: readonly { readonly partition: unknown; readonly offset: unknown }[];
}

/** `levada connector offsets get <name>`. */
export async function getOffsets(name: string, options: OffsetOptions, terminal: Terminal): Promise<void> {
  const client = await connectToWorker(options, terminal);
  const answer = (await client.get(`${connectorPath(name)}/offsets`)) as OffsetsAnswer;
  const rows = (answer.offsets ?? []).map(({ partition, offset }) => ({
    partition: JSON.stringify(partition),
    offset: JSON.stringify(offset),
  }));
  terminal.out(render(options.output, answer, () => rows));
  if (options.output === 'table' && rows.length === 0) terminal.err('no offsets\n');
}

/** `levada connector offsets alter <name>`: the connector must be stopped. */
export async function alterOffsets(name: string, options: AlterOptions, terminal: Terminal): Promise<void> {
  const body = await offsetsGiven(options, terminal);
  await modify('PATCH', { name, body, options, terminal });
}

/** `levada connector offsets reset <name>`: forgets all offsets; the connector must be stopped. */
export async function resetOffsets(name: string, options: OffsetOptions, terminal: Terminal): Promise<void> {
  await modify('DELETE', { name, body: undefined, options, terminal });
}

interface Modification {
  readonly name: string;
  readonly body: unknown;
  readonly options: OffsetOptions;
  readonly terminal: Terminal;
}

async function modify(method: Method, { name, body, options, terminal }: Modification): Promise<void> {
  const client = await connectToWorker(options, terminal);
  try {
    const answer = (await client.change(method, `${connectorPath(name)}/offsets`, body)) as {
      readonly message?: string;
    };
    terminal.out(render(options.output, answer, () => [{ connector: name, result: answer.message ?? '' }]));
  } catch (thrown) {
    if (!(thrown instanceof CommandError) || !thrown.message.includes('STOPPED state')) throw thrown;
    const hint = `"levada connector stop ${shellWord(name)}" stops it, "levada connector resume ${shellWord(name)}" starts it again`;
    throw new CommandError(thrown.exitCode, thrown.message, hint);
  }
}

async function offsetsGiven({ file, partition, offset }: AlterOptions, terminal: Terminal): Promise<unknown> {
  if (file !== undefined && partition === undefined && offset === undefined) {
    return json(await textOf(file, terminal), file === '-' ? 'standard input' : file);
  }
  if (file === undefined && partition !== undefined && offset !== undefined) {
    return { offsets: [{ partition: json(partition, '--partition'), offset: json(offset, '--offset') }] };
  }
  throw new CommandError(
    exitCodes.usage,
    'expected --partition and --offset, or -f with a file',
    `such as --partition '{"filename":"a.txt"}' --offset '{"position":20}'; the offset null forgets it`,
  );
}

async function textOf(file: string, { cwd, input }: Terminal): Promise<string> {
  if (file === '-') return (await input?.()) ?? '';
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (thrown) {
    throw new CommandError(
      exitCodes.problems,
      `${file}: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}

function json(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw new CommandError(
      exitCodes.usage,
      `${place} is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    );
  }
}
