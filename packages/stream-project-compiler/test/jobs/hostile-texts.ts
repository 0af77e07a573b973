import fc from 'fast-check';
import { checkProject, loadProject } from '../../src/index.ts';
import type { Job } from '../../src/jobs/job.ts';
import { projectJobs } from '../../src/jobs/project-jobs.ts';
import { memoryFileSystem } from '../project-support/memory-file-system.ts';

/** Text with much of what ends names, literals, comments and statements, or begins a variable. */
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: variables
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('`', "'", '"', ';', '--', '/*', '*/', '\\', '$', '${', '$${', '${HOME}', '{{', '\n'),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''));
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: variables

/** A name as a project may have it. */
const name = hostileText
  .map((text) => text.replaceAll(/[\n\r]|\p{Cs}/gu, ''))
  .filter((text) => text.trim() !== '');

/** The type of a column as a project may write it, and its tokens as a job writes it. */
export interface WrittenType {
  readonly text: string;
  readonly tokens: readonly string[];
}

const plainTypes: readonly WrittenType[] = [
  { text: 'string', tokens: ['STRING'] },
  { text: 'Decimal(10,2)', tokens: ['DECIMAL', '(', '10', ',', '2', ')'] },
  { text: 'ARRAY< int >', tokens: ['ARRAY', '<', 'INT', '>'] },
  { text: 'MAP<STRING,TIMESTAMP(3)>', tokens: ['MAP', '<', 'STRING', ',', 'TIMESTAMP', '(', '3', ')', '>'] },
];
const type: fc.Arbitrary<WrittenType> = fc.oneof(
  fc.constantFrom(...plainTypes),
  name.map((field) => ({
    text: `ROW<\`${field.replaceAll('`', '``')}\` BIGINT>`,
    tokens: ['ROW', '<', `\`${field}`, 'BIGINT', '>'],
  })),
);

/** A model that hands on the columns of a source, with hostile texts wherever a project takes any. */
export interface HostileProject {
  readonly columns: readonly { readonly name: string; readonly type: WrittenType }[];
  /** User of the brokers. */
  readonly user: string;
  /** Is in the model's SQL twice. */
  readonly comment: string;
}

export const hostileProject: fc.Arbitrary<HostileProject> = fc.record({
  columns: fc.uniqueArray(fc.record({ name, type }), {
    minLength: 1,
    maxLength: 5,
    selector: (column) => column.name,
  }),
  user: hostileText.map((text) => text.replaceAll(/\p{C}/gu, '')),
  comment: hostileText.map((text) => text.replaceAll(/[\n\r]|\*\/|\/\*|\$|\p{Cs}/gu, '')),
});

/** JSON with the characters in escapes that YAML does not allow as they are. */
function yaml(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\x7f-\x9f\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The job of the model. */
export async function hostileJob({ columns, user, comment }: HostileProject): Promise<Job | undefined> {
  const written = (text: string) => text.replaceAll('${', () => '$${');
  const files = {
    'stream_project.yml': yaml({
      project: { name: 'shop' },
      runtime: {
        platform: {
          bootstrap_servers: 'localhost:9092',
          security_protocol: 'SASL_SSL',
          sasl_mechanism: 'PLAIN',
          sasl_username: written(user),
          // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable
          sasl_password: '${PASSWORD}',
        },
        engine: { clusters: { main: { type: 'rest' } } },
      },
      sources: [
        {
          name: 's',
          topic: 't',
          columns: columns.map((column) => ({
            name: written(column.name),
            type: written(column.type.text),
          })),
        },
      ],
      models: [{ name: 'm', sql: `/* ${comment} */ SELECT * FROM {{ source("s") }} -- ${comment}` }],
    }),
  };
  const environment = { PASSWORD: 'secret' };
  const report = checkProject(await loadProject({ fileSystem: memoryFileSystem(files), environment }));
  return projectJobs(report.project).jobs.get('m');
}
