import { checkProject, type Diagnostic, entryOf, formatText, loadProject } from '../../src/index.ts';
import { jobCodes } from '../../src/jobs/job-codes.ts';
import { testJobCodes } from '../../src/test-jobs/test-job-codes.ts';
import { type MemoryEntry, memoryFileSystem } from '../project-support/memory-file-system.ts';

/** What the whole validation says of a project in memory. */
export interface ValidatedFiles {
  readonly valid: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Names of the findings, in order of their places. */
  readonly names: readonly string[];
  /** As people see them. */
  readonly text: string;
}

/** A project file with one engine cluster and one connector cluster, followed by more lines. */
export function projectWith(...more: readonly string[]): string {
  return lines(
    'project:',
    '  name: shop',
    'runtime:',
    '  platform:',
    '    bootstrap_servers: localhost:9092',
    '  engine:',
    '    clusters:',
    '      main:',
    '        type: rest',
    '  connect:',
    '    clusters:',
    '      sinks:',
    '        rest_url: http://localhost:8083',
    ...more,
  );
}

export function lines(...all: readonly string[]): string {
  return [...all, ''].join('\n');
}

const ofJobs: ReadonlySet<string> = new Set(
  [jobCodes, testJobCodes].flatMap((table) => Object.values(table).map(({ code }) => code)),
);

/**
 * Validates a project in memory; the project file has nothing but its systems unless it is given. What is found when jobs are written
 * is left out: tests of it are elsewhere, and most projects here say too little for jobs.
 */
export async function validateFiles(
  entries: Readonly<Record<string, MemoryEntry>>,
  {
    environment = {},
    today = '2026-11-21',
  }: { readonly environment?: Readonly<Record<string, string>>; readonly today?: string } = {},
): Promise<ValidatedFiles> {
  const files = { 'stream_project.yml': projectWith(), ...entries };
  const loaded = await loadProject({ fileSystem: memoryFileSystem(files), environment });
  const { valid, diagnostics: all, project } = checkProject(loaded, { today });
  const diagnostics = all.filter(({ code }) => !ofJobs.has(code));
  const { secrets } = project.resolved.parsed;
  const text = formatText(diagnostics, { files: loaded.value.files, secrets });
  return { valid, diagnostics, names: diagnostics.map(({ code }) => entryOf(code).name), text };
}
