// Checks the hostile projects in this one process, which must live through all of them. One line of JSON for each. With an
// argument, only those whose names hold it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkProject, type DiagnosticName, entryOf, formatText } from '../../src/index.ts';
import { loadProjectFolder } from '../../src/node/index.ts';
import type { HostileCase } from './hostile-case.ts';
import { hostileCases } from './hostile-cases.ts';
import { writeProject } from './write-project.ts';

/** What one case came to. */
export interface CheckedCase {
  readonly name: string;
  readonly valid: boolean;
  /** What was found, each kind once, and what should be among it. */
  readonly found: readonly DiagnosticName[];
  readonly finds: readonly DiagnosticName[];
  /** Something was put into all objects. */
  readonly polluted: boolean;
  /** Time of reading, checking and writing out what was found. */
  readonly ms: number;
}

const folder = mkdtempSync(join(tmpdir(), 'levada-hostile-'));
const only = process.argv[2] ?? '';
try {
  for (const one of hostileCases.filter(({ name }) => name.includes(only))) {
    process.stdout.write(`${JSON.stringify(await check(one))}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function check({ name, entries, environment = {}, finds }: HostileCase): Promise<CheckedCase> {
  const project = join(folder, 'project');
  writeProject(project, entries());
  const start = performance.now();
  const {
    valid,
    diagnostics,
    loaded,
    project: made,
  } = checkProject(await loadProjectFolder(project, { environment }));
  formatText(diagnostics, { files: loaded.files, secrets: made.resolved.parsed.secrets });
  const ms = Math.round(performance.now() - start);
  rmSync(project, { recursive: true, force: true });
  const found = [...new Set(diagnostics.map(({ code }) => entryOf(code).name))];
  return { name, valid, found, finds, polluted: 'x' in {}, ms };
}
