import { join, resolve } from 'node:path';
import { type DocumentForm, type JsonSchemaDraft, jsonSchema } from '@levada/stream-project-schema';
import { type TemplateFile, writeOver } from '../output/template-files.ts';
import type { Terminal } from '../output/terminal.ts';
import { outputSchemaFileName, outputSchemas } from './output-schemas.ts';

/** Options of `levada project schema`. */
export interface SchemaOptions {
  /** Folder to write to. */
  readonly out: string;
  /** Schemas of what commands print as JSON, instead of those of project files. */
  readonly outputs?: true;
}

/** `levada project schema`: JSON Schemas of the project file and of files in folders, or of what commands print. Overwrites what it wrote before. */
export async function schemaCommand({ out, outputs }: SchemaOptions, terminal: Terminal): Promise<void> {
  const files = outputs === true ? outputSchemaFiles('.') : schemaFiles('.');
  await writeOver(resolve(terminal.cwd, out), files);
  for (const { path } of files) terminal.out(`${join(out, path)}\n`);
}

interface SchemaFile {
  readonly form: DocumentForm;
  readonly draft: JsonSchemaDraft;
}

/** File names, and what is in them: draft-07 for editors, 2020-12 for everything else. */
const schemas: Readonly<Record<string, SchemaFile>> = {
  'stream-project.schema.json': { form: 'project', draft: 'draft-07' },
  'stream-project-fragment.schema.json': { form: 'fragment', draft: 'draft-07' },
  'stream-project.2020-12.schema.json': { form: 'project', draft: '2020-12' },
  'stream-project-fragment.2020-12.schema.json': { form: 'fragment', draft: '2020-12' },
};

/** JSON Schemas of what commands print as JSON, to be written into a folder. */
export function outputSchemaFiles(folder: string): readonly TemplateFile[] {
  return Object.entries(outputSchemas).map(([id, schema]) => ({
    path: `${folder}/${outputSchemaFileName(id)}`,
    text: `${JSON.stringify(schema, undefined, 2)}\n`,
  }));
}

/** JSON Schemas of the project file and of files in folders, to be written into a folder. */
export function schemaFiles(folder: string): readonly TemplateFile[] {
  return filesOf(folder, Object.entries(schemas));
}

/** Those of them that editors read. */
export function editorSchemaFiles(folder: string): readonly TemplateFile[] {
  return filesOf(
    folder,
    Object.entries(schemas).filter(([, { draft }]) => draft === 'draft-07'),
  );
}

function filesOf(
  folder: string,
  entries: readonly (readonly [string, SchemaFile])[],
): readonly TemplateFile[] {
  return entries.map(([name, what]) => ({
    path: `${folder}/${name}`,
    text: `${JSON.stringify(jsonSchema(what), undefined, 2)}\n`,
  }));
}
