import { isValid, type ProjectReport } from '@levada/stream-project-compiler';
import { CommandExit, exitCodes } from '../output/command-error.ts';
import type { FindingForm } from '../output/forms.ts';
import type { Terminal } from '../output/terminal.ts';
import { type CheckOptions, checkFolder, type HoleOptions, requireComplete } from './check-folder.ts';
import { printFindings } from './print-findings.ts';
import { type PartOptions, selectPart } from './select-part.ts';

/** Options of `levada project validate`. */
export interface ValidateCommandOptions extends CheckOptions, HoleOptions, PartOptions {
  readonly format: FindingForm;
  readonly color: boolean;
  readonly maxWarnings?: number;
}

/** `levada project validate [dir]`: every finding of every stage. Ends with 1 when one is an error, with 6 when a job cannot be written, and with 1 when there are too many warnings. */
export async function validateCommand(
  folder: string,
  options: ValidateCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const report = selectFindings(await checkFolder(folder, options, terminal), options, terminal);
  printFindings(report, { ...options, folder }, terminal);
  if (!report.valid) throw new CommandExit(exitCodes.problems);
  requireComplete(report, options, terminal);
  const warnings = report.diagnostics.filter(({ severity }) => severity === 'warning').length;
  if (warnings <= (options.maxWarnings ?? warnings)) return;
  terminal.err(`levada: ${warnings} warnings, at most ${options.maxWarnings} are allowed\n`);
  throw new CommandExit(exitCodes.problems);
}

/** A report with the findings and holes of a part only, its tests among them. What is no source, model, test or exposure stays. */
export function selectFindings<T extends ProjectReport>(
  report: T,
  options: PartOptions,
  terminal: Terminal,
): T {
  const { select = [], exclude = [] } = options;
  if (select.length === 0 && exclude.length === 0) return report;
  const selected: ReadonlySet<string> = new Set(selectPart(report.project, options, terminal).byId.keys());
  const { tests, sources, models, exposures } = report.project.resolved;
  const left = new Set<string>();
  for (const [kind, names] of Object.entries({ source: sources, model: models, exposure: exposures })) {
    for (const name of names.keys()) if (!selected.has(`${kind}:${name}`)) left.add(`${kind}:${name}`);
  }
  for (const { name, target } of tests.values()) {
    if (target !== undefined && !selected.has(target)) left.add(`test:${name}`);
  }
  const diagnostics = report.diagnostics.filter(({ object }) => !left.has(object));
  const holes = report.holes.filter(({ object }) => !left.has(object));
  const valid = isValid(diagnostics);
  return { ...report, diagnostics, valid, holes, complete: valid && report.valid && holes.length === 0 };
}
