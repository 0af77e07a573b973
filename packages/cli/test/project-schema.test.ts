import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonSchema } from '@levada/stream-project-schema';
import { expect, it } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCommand } from './run-command.ts';

it('levada project schema writes the schemas of both files in both drafts and names them', async () => {
  const cwd = await projectFolder({});
  const { code, out } = await runCommand(['project', 'schema', '--out', 'editor/schemas'], { cwd });
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n')).toEqual([
    'editor/schemas/stream-project.schema.json',
    'editor/schemas/stream-project-fragment.schema.json',
    'editor/schemas/stream-project.2020-12.schema.json',
    'editor/schemas/stream-project-fragment.2020-12.schema.json',
  ]);
  const written = await readFile(join(cwd, 'editor/schemas/stream-project-fragment.schema.json'), 'utf8');
  expect(JSON.parse(written)).toEqual(jsonSchema({ form: 'fragment' }));
});
