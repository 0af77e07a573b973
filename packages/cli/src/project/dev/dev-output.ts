import {
  type Diagnostic,
  diagnosticsJson,
  formatText,
  type ProjectReport,
} from '@levada/stream-project-compiler';
import type { WrittenFiles } from '@levada/stream-project-compiler/node';
import { inColor, plainMarks, showsUnicode } from '../../output/style.ts';
import type { Terminal } from '../../output/terminal.ts';
import { outputShapes } from '../output-schemas.ts';
import { projectLine } from '../project-line.ts';
import type { FindingChanges } from './finding-changes.ts';

/** One run of `levada project dev`. */
export interface DevRun {
  readonly report: ProjectReport;
  readonly changes: FindingChanges;
  /** How long it took, from reading what changed to the findings. */
  readonly milliseconds: number;
  /** What was written; undefined where nothing was to be written. */
  readonly files: WrittenFiles | undefined;
}

/** One run as a line of JSON. */
export function devJson({ report, changes, milliseconds, files }: DevRun): string {
  const { valid, complete, diagnostics } = report;
  return `${JSON.stringify({
    schema: outputShapes.dev,
    valid,
    complete,
    milliseconds: Math.round(milliseconds * 10) / 10,
    errors: countOf(diagnostics, 'error'),
    warnings: countOf(diagnostics, 'warning'),
    added: diagnosticsJson(changes.added).diagnostics,
    removed: diagnosticsJson(changes.removed).diagnostics,
    ...(files === undefined ? {} : { files: { written: files.written, removed: files.removed } }),
  })}\n`;
}

/** One run for people: new findings with their lines, those that are gone in one line each, and how the project is now. */
export function devText(
  { report, changes, milliseconds, files }: DevRun,
  color: boolean,
  terminal: Terminal,
): string {
  const { valid, diagnostics, loaded, project } = report;
  const { secrets } = project.resolved.parsed;
  const added = formatText(changes.added, { files: loaded.files, secrets, color: inColor(terminal, color) })
    .trimEnd()
    .split('\n')
    .slice(0, -1);
  const gone = formatText(changes.removed).trimEnd().split('\n').slice(0, -1);
  const counts = `${counted(countOf(diagnostics, 'error'), 'error')}, ${counted(countOf(diagnostics, 'warning'), 'warning')}`;
  const state = valid ? `✓ ${projectLine(project)}  ${counts}` : `✗ ${counts}`;
  const lines = [
    ...added,
    ...gone.map((line) => `gone: ${line}`),
    ...(files === undefined
      ? []
      : [`${counted(files.written.length, 'file')} written, ${files.removed.length} removed`]),
    `${state}  (${milliseconds.toFixed(0)} ms)`,
  ];
  const text = `${lines.join('\n')}\n`;
  return showsUnicode(terminal) ? text : plainMarks(text);
}

function countOf(diagnostics: readonly Diagnostic[], severity: Diagnostic['severity']): number {
  return diagnostics.filter((one) => one.severity === severity).length;
}

function counted(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`;
}
