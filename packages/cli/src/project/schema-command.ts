import { join, resolve } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { outputSchemaFiles, schemaFiles } from './schema-files.ts';
import { writeOver } from './write-files.ts';

/** Options of `levada project schema`. */
export interface SchemaOptions {
  /** Folder to write to. */
  readonly out: string;
  /** Of what commands print as JSON, instead of what projects are written in. */
  readonly outputs?: true;
}

/** `levada project schema`: JSON Schemas of the project file and of files in folders, or of what commands print. Overwrites what it wrote before. */
export async function schemaCommand({ out, outputs }: SchemaOptions, terminal: Terminal): Promise<void> {
  const files = outputs === true ? outputSchemaFiles('.') : schemaFiles('.');
  await writeOver(resolve(terminal.cwd, out), files);
  for (const { path } of files) terminal.out(`${join(out, path)}\n`);
}
