import { describe, expect, test } from 'vitest';
import { compile, type DiagnosticName, formatText, loadProject } from '../src/index.ts';
import { jobCodes } from '../src/jobs/job-codes.ts';
import { testJobCodes } from '../src/test-jobs/test-job-codes.ts';
import { jobFixtures } from './job-codes.ts';
import { memoryFileSystem } from './project-support/memory-file-system.ts';
import { projectWith } from './validate-support/validate-files.ts';

describe.each(Object.keys({ ...jobCodes, ...testJobCodes }) as DiagnosticName[])('%s', (name) => {
  test('is reported where it is, in words that say what to change', async () => {
    const files = { 'stream_project.yml': projectWith(), ...jobFixtures[name]?.files };
    const loaded = await loadProject({ fileSystem: memoryFileSystem(files) });
    const { diagnostics, project } = compile(loaded, { today: '2025-01-01' });
    const { secrets } = project.resolved.parsed;
    const text = formatText(diagnostics, { files: loaded.value.files, secrets });
    expect(text).toContain(jobFixtures[name]?.shows ?? 'a fixture');
  });
});
