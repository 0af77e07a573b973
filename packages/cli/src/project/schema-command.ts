import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type DocumentForm, type JsonSchemaDraft, jsonSchema } from '@levada/stream-project-schema';
import type { Terminal } from '../terminal.ts';

/** File names, and what is in them: draft-07 for editors, 2020-12 for everything else. */
const files: Readonly<Record<string, { readonly form: DocumentForm; readonly draft: JsonSchemaDraft }>> = {
  'stream-project.schema.json': { form: 'project', draft: 'draft-07' },
  'stream-project-fragment.schema.json': { form: 'fragment', draft: 'draft-07' },
  'stream-project.2020-12.schema.json': { form: 'project', draft: '2020-12' },
  'stream-project-fragment.2020-12.schema.json': { form: 'fragment', draft: '2020-12' },
};

/** `levada project schema`: JSON Schemas of the project file and of files in folders. Overwrites what it wrote before. */
export async function schemaCommand({ out }: { readonly out: string }, terminal: Terminal): Promise<void> {
  const folder = resolve(terminal.cwd, out);
  await mkdir(folder, { recursive: true });
  for (const [name, what] of Object.entries(files)) {
    await writeFile(join(folder, name), `${JSON.stringify(jsonSchema(what), undefined, 2)}\n`);
    terminal.out(`${join(out, name)}\n`);
  }
}
