import { isValid, type ProjectReport } from '@levada/stream-project-compiler';
import { CommandExit } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type CheckOptions, checkFolder } from './check-folder.ts';
import type { FindingForm } from './forms.ts';
import { printFindings } from './print-findings.ts';
import { type PartOptions, selectPart } from './select-part.ts';

/** Options of `levada project validate`. */
export interface ValidateCommandOptions extends CheckOptions, PartOptions {
  readonly format: FindingForm;
  readonly color: boolean;
  readonly maxWarnings?: number;
}

/** `levada project validate [dir]`: every finding of every stage. Ends with 1 when one is an error, or there are too many warnings. */
export async function validateCommand(
  folder: string,
  options: ValidateCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const report = selectFindings(await checkFolder(folder, options, terminal), options, terminal);
  printFindings(report, { ...options, folder }, terminal);
  if (!report.valid) throw new CommandExit(exitCodes.problems);
  const warnings = report.diagnostics.filter(({ severity }) => severity === 'warning').length;
  if (warnings <= (options.maxWarnings ?? warnings)) return;
  terminal.err(`levada: ${warnings} warnings, at most ${options.maxWarnings} are allowed\n`);
  throw new CommandExit(exitCodes.problems);
}

/** A report with the findings of a part only, its tests among them. What is no source, model, test or exposure stays. */
function selectFindings(report: ProjectReport, options: PartOptions, terminal: Terminal): ProjectReport {
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
  return { ...report, diagnostics, valid: isValid(diagnostics) };
}
