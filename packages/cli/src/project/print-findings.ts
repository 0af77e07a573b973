import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  formatGithub,
  formatJson,
  formatJunit,
  formatSarif,
  formatText,
  type ProjectReport,
} from '@levada/stream-project-compiler';
import type { FindingForm } from '../output/forms.ts';
import { packageVersion } from '../output/package-files.ts';
import { inColor, plainMarks, showsUnicode } from '../output/style.ts';
import type { Terminal } from '../output/terminal.ts';
import { projectLine } from './project-line.ts';

/** How findings are printed. */
export interface PrintOptions {
  readonly format: FindingForm;
  /** False: `--no-color`. */
  readonly color: boolean;
  /** The project's folder as it was named. */
  readonly folder: string;
}

/** Prints what was found, all of it as data, and for people a last line that says how the project is. */
export function printFindings(report: ProjectReport, options: PrintOptions, terminal: Terminal): void {
  const text = writers[options.format](report, options, terminal);
  if (text !== '') terminal.out(text);
}

type Writer = (report: ProjectReport, options: PrintOptions, terminal: Terminal) => string;

const writers: Readonly<Record<FindingForm, Writer>> = {
  text: findingsText,
  json: ({ diagnostics, holes }) => formatJson(diagnostics, holes),
  github: ({ diagnostics }, { folder }, { cwd }) => formatGithub(diagnostics, repositoryFolder(cwd, folder)),
  junit: ({ diagnostics, loaded }) =>
    formatJunit(
      diagnostics,
      loaded.files.map(({ path }) => path),
    ),
  sarif: ({ diagnostics }, { folder }, { cwd }) =>
    formatSarif(diagnostics, { version: packageVersion(), folder: repositoryFolder(cwd, folder) }),
};

/** Findings with their lines, a line that counts them, and the command that says more about the worst of them. */
export function findingsText(report: ProjectReport, { color }: PrintOptions, terminal: Terminal): string {
  const { valid, diagnostics, loaded, project } = report;
  const { secrets } = project.resolved.parsed;
  const findings = formatText(diagnostics, { files: loaded.files, secrets, color: inColor(terminal, color) });
  const end = findings.lastIndexOf('\n', findings.length - 2) + 1;
  const counts = findings.slice(end).trimEnd();
  const first = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  const more = first === undefined ? '' : `      details: levada project explain ${first.code}`;
  const last = valid ? [`✓ ${projectLine(project)}`] : [];
  const summary = first === undefined ? [] : [`${valid ? ' ' : '✗'} ${counts}${more}`];
  const text = `${findings.slice(0, end)}${[...last, ...summary].join('\n')}\n`;
  return showsUnicode(terminal) ? text : plainMarks(text);
}

/**
 * A project's folder below the root of its repository, with "/" between; "" when it is the root itself. The root is the nearest
 * folder with `.git`; without one, the working directory.
 */
export function repositoryFolder(cwd: string, folder: string): string {
  const project = resolve(cwd, folder);
  const below = relative(repositoryRoot(project) ?? cwd, project).replaceAll('\\', '/');
  return below.startsWith('..') ? '' : below;
}

function repositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
