import { join, resolve } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { schemaFiles } from './schema-files.ts';
import { writeOver } from './write-files.ts';

/** `levada project schema`: JSON Schemas of the project file and of files in folders. Overwrites what it wrote before. */
export async function schemaCommand({ out }: { readonly out: string }, terminal: Terminal): Promise<void> {
  const files = schemaFiles('.');
  await writeOver(resolve(terminal.cwd, out), files);
  for (const { path } of files) terminal.out(`${join(out, path)}\n`);
}
