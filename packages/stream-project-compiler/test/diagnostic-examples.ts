import {
  catalogue,
  compile,
  type DiagnosticCode,
  type DiagnosticName,
  entryOf,
  formatText,
  loadProject,
} from '../src/index.ts';
import { columnFixtures } from './column-codes.ts';
import { errataFixtures } from './errata-codes.ts';
import { governanceFixtures } from './governance-codes.ts';
import { jobFixtures } from './job-codes.ts';
import { fieldFixtures } from './project-codes/fields.ts';
import { fileFixtures } from './project-codes/files.ts';
import { yamlFixtures } from './project-codes/yaml.ts';
import { type MemoryEntry, memoryFileSystem } from './project-support/memory-file-system.ts';
import { resolveFixtures } from './resolve-codes.ts';
import { securityFixtures } from './security-codes.ts';
import { sinkFixtures } from './sink-codes.ts';
import { structureFixtures } from './structure-codes.ts';
import { testFixtures } from './test-codes.ts';
import { typeCodeColumns, typeFixtures } from './type-codes.ts';
import { projectWith } from './validate-support/validate-files.ts';

type Files = Readonly<Record<string, MemoryEntry>>;

/** A code, and how people see a finding of it: the first that its fixture makes. */
export interface DiagnosticExample {
  readonly code: DiagnosticCode;
  /** Without the line that counts; undefined where nothing makes one. */
  readonly text: string | undefined;
}

/** One for every code of the catalogue, in its order. */
export async function diagnosticExamples(): Promise<readonly DiagnosticExample[]> {
  const codes = Object.keys(catalogue) as DiagnosticCode[];
  const examples: DiagnosticExample[] = [];
  for (const code of codes) examples.push({ code, text: await exampleOf(code) });
  return examples;
}

async function exampleOf(code: DiagnosticCode): Promise<string | undefined> {
  for (const files of filesOf(entryOf(code).name)) {
    const loaded = await loadProject({ fileSystem: memoryFileSystem(files) });
    const { diagnostics, project } = compile(loaded, { today: '2026-11-21' });
    const found = diagnostics.find((one) => one.code === code);
    if (found === undefined) continue;
    const { secrets } = project.resolved.parsed;
    const text = formatText([found], { files: loaded.value.files, secrets });
    return text.split('\n').slice(0, -2).join('\n').trimEnd();
  }
  return undefined;
}

const whole: Readonly<Partial<Record<DiagnosticName, readonly { readonly files: Files }[]>>> = {
  ...fileFixtures,
  ...yamlFixtures,
  ...fieldFixtures,
};
const beside: Readonly<Partial<Record<DiagnosticName, { readonly files: Files }>>> = {
  ...resolveFixtures,
  ...columnFixtures,
  ...governanceFixtures,
  ...securityFixtures,
  ...structureFixtures,
  ...sinkFixtures,
  ...testFixtures,
  ...jobFixtures,
  ...errataFixtures,
};
const expressions: Readonly<Partial<Record<DiagnosticName, readonly { readonly expression: string }[]>>> =
  typeFixtures;

/** Projects of the fixtures: some with all their files, some without the project file, some only an expression. */
function filesOf(name: DiagnosticName): readonly Files[] {
  const files = beside[name]?.files;
  const rest = files === undefined ? [] : [{ 'stream_project.yml': plainProject(name), ...files }];
  const typed = expressions[name]?.map(({ expression }) => selecting(expression)) ?? [];
  return [...(whole[name] ?? []).map((fixture) => fixture.files), ...rest, ...typed];
}

function plainProject(name: DiagnosticName): string {
  const project = projectWith();
  return name === 'engine-required' || name === 'connect-required'
    ? project.slice(0, project.indexOf('  engine:'))
    : project;
}

function selecting(expression: string): Files {
  const columns = typeCodeColumns
    .split(/, (?=\w+ [A-Z])/)
    .map((column) => `      - {name: ${column.replace(' ', ', type: "')}"}`);
  return {
    'stream_project.yml': projectWith(),
    'sources/s.yml': [
      'sources:',
      '  - name: orders',
      '    topic: orders.v1',
      '    columns:',
      ...columns,
      '',
    ].join('\n'),
    'models/m.yml': [
      'models:',
      '  - name: m',
      '    sql: |',
      `      SELECT ${expression} AS x`,
      '      FROM {{ source("orders") }}',
      '',
    ].join('\n'),
  };
}
