import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  formatPlace,
  type JobFile,
  jobFileJsonSchema,
  type ProjectPlace,
  placeInEngineText,
  projectPlace,
  type StatementPlace,
  sourceFile,
} from '@levada/stream-project-compiler';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { outputShapes } from './output-schemas.ts';

/** Options of `levada project explain-error`. */
export interface ExplainErrorOptions {
  /** The project's folder. */
  readonly dir: string;
  readonly statement?: number;
  readonly line?: number;
  readonly column?: number;
  /** What the engine said. Default: standard input, where no line is given. */
  readonly message?: string;
  readonly format: 'text' | 'json';
}

/** `levada project explain-error <job>`: where the project says what the engine refuses. */
export async function explainErrorCommand(
  path: string,
  options: ExplainErrorOptions,
  terminal: Terminal,
): Promise<void> {
  const job = await readJob(resolve(terminal.cwd, path), path);
  const { message, place } = await errorOf(options, terminal);
  const found = projectPlace(job, place);
  if (found === undefined) {
    throw new CommandError(
      exitCodes.problems,
      `the job has no line ${place.line}, column ${place.column} in statement ${place.statement ?? job.statements.length}`,
      `it has ${job.statements.length} statements; lines are counted from the beginning of each, and "--statement" says which one it is`,
    );
  }
  const data = { schema: outputShapes.errorPlace, job: job.name, message, place: found };
  terminal.out(
    options.format === 'json'
      ? `${JSON.stringify(data, undefined, 2)}\n`
      : `${await textOf(found, { message, job, dir: resolve(terminal.cwd, options.dir) })}\n`,
  );
}

async function readJob(path: string, name: string): Promise<JobFile> {
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    const reason = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
    throw new CommandError(
      exitCodes.usage,
      `the job "${name}" cannot be read: ${reason}`,
      'name a file such as build/jobs/orders.json',
    );
  });
  const job = parsed(text);
  if (job !== undefined) return job;
  throw new CommandError(
    exitCodes.usage,
    `"${name}" is no job of ${jobSchema}`,
    'name a file such as build/jobs/orders.json, and compile the project again if another version wrote it',
  );
}

const { schema: schemaRow } = jobFileJsonSchema['properties'] as {
  readonly schema: { readonly const: JobFile['schema'] };
};
const jobSchema = schemaRow.const;

function parsed(text: string): JobFile | undefined {
  try {
    const job = JSON.parse(text) as JobFile | null;
    const lists = [job?.statements, job?.models, job?.reads];
    return job?.schema === jobSchema && lists.every(Array.isArray) ? job : undefined;
  } catch {
    return undefined;
  }
}

async function errorOf(
  { statement, line, column, message }: ExplainErrorOptions,
  terminal: Terminal,
): Promise<{ readonly message: string; readonly place: StatementPlace }> {
  const which = statement === undefined ? {} : { statement };
  if (line !== undefined) {
    return { message: message ?? 'the engine means this', place: { ...which, line, column: column ?? 1 } };
  }
  const text = message ?? (await terminal.input?.()) ?? '';
  const found = placeInEngineText(text);
  if (found !== undefined) return { message: found.message, place: { ...which, ...found.place } };
  throw new CommandError(
    exitCodes.usage,
    text.trim() === ''
      ? 'there is no text of the engine'
      : 'the text names no place such as "line 2, column 5"',
    'give "--line" and "--column", or the text of the engine as "--message" or on standard input',
  );
}

async function textOf(
  place: ProjectPlace,
  { message, job, dir }: { readonly message: string; readonly job: JobFile; readonly dir: string },
): Promise<string> {
  switch (place.kind) {
    case 'query': {
      const { file, line, column, endColumn } = place;
      const range = { file, start: { line, column }, end: { line, column: endColumn } };
      // A project that is elsewhere still has the place
      const text = await readFile(join(dir, file), 'utf8').catch(() => undefined);
      return formatPlace(range, message, { files: text === undefined ? [] : [sourceFile(file, text)] });
    }
    case 'table':
      return `job "${job.name}"  ${message}\n  the statement makes the table of topic "${place.topic}", which is that of ${place.node}`;
    case 'setting':
      return `job "${job.name}"  ${message}\n  the statement is a setting`;
    case 'view':
      return `job "${job.name}"  ${message}\n  the statement is the view of latest rows that a temporal join reads`;
  }
}
