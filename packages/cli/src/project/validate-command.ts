import { CommandExit } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { type CheckOptions, checkFolder } from './check-folder.ts';
import type { FindingForm } from './forms.ts';
import { printFindings } from './print-findings.ts';
import { selectFindings } from './select-findings.ts';
import type { PartOptions } from './select-part.ts';

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
