import { describePlanner } from '@levada/test-peers/engine';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkProject, loadProject } from '../src/index.ts';
import type { Job } from '../src/jobs/job.ts';
import { projectJobs } from '../src/jobs/project-jobs.ts';
import { identifier, literal } from '../src/jobs/text/sql-words.ts';
import { interpolate } from '../src/parse/interpolate.ts';
import { deployed } from './jobs/compiled-jobs.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { projectFile } from './resolve-support/compile-files.ts';

/** Text with much of what ends names, literals, comments and statements, or begins a variable. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('`', "'", '"', ';', '--', '/*', '*/', '\\', '$', '${', '$${', '${HOME}', '{{', '\n'),
      fc.string({ unit: 'binary' }),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(''));
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables

/** What a text with doubled marks says, or undefined where it is more than one quoted text. */
function unquoted(text: string, mark: string): string | undefined {
  const inner = text.slice(1, -1).replaceAll(mark + mark, '\u0000\u0001');
  if (!text.startsWith(mark) || !text.endsWith(mark) || inner.includes(mark)) return undefined;
  return inner.replaceAll('\u0000\u0001', mark);
}

/** The text after variables were replaced; there must be none in it. */
function afterVariables(text: string): string {
  const found = interpolate(text, new Map([['HOME', 'replaced']]));
  expect(found?.variables ?? []).toEqual([]);
  return found?.text ?? text;
}

describe('names and literals of jobs', () => {
  it('are one quoted text that says the same, whatever they are', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        fc.pre(!text.includes('\u0000'));
        expect(unquoted(afterVariables(identifier(text)), '`')).toBe(text);
        expect(unquoted(afterVariables(literal(text)), "'")).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

/** The job of a model that hands on columns of these names, with this comment in its SQL. */
async function jobWith(names: readonly string[], comment: string): Promise<Job | undefined> {
  const columns = names.map((name) => ({ name: name.replaceAll('${', () => '$${'), type: 'STRING' }));
  const sql = `/* ${comment} */ SELECT * FROM {{ source("s") }} -- ${comment}`;
  const files = {
    'stream_project.yml': projectFile,
    'models/m.json.yml': JSON.stringify({
      sources: [{ name: 's', topic: 't', columns }],
      models: [{ name: 'm', sql }],
    }),
  };
  const report = checkProject(await loadProject({ fileSystem: memoryFileSystem(files) }));
  return projectJobs(report.project).jobs.get('m');
}

const columnName = hostile
  .map((text) => text.replaceAll(/[\n\r\0]|\p{Cs}/gu, ''))
  .filter((text) => text.trim() !== '');
const names = fc.uniqueArray(columnName, { minLength: 1, maxLength: 5 });
const commentText = hostile.map((text) => text.replaceAll(/[\n\r\0]|\*\/|\/\*|\$|\p{Cs}/gu, ''));

describePlanner('names and comments of jobs', '2.2.0', (planner) => {
  test('come back from the planner unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(names, commentText, async (list, comment) => {
        const job = await jobWith(list, comment);
        const statements = job === undefined ? [] : deployed(job);
        expect(statements.length).toBe(5);
        const read = `SELECT * FROM \`${job?.reads[0]?.table ?? ''}\``;
        const answer = await planner().plan([...statements, read]);
        expect(answer).toMatchObject({ ok: true });
        expect(answer.ok ? answer.columns?.map(({ name }) => name) : []).toEqual(list);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
