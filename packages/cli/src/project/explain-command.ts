import {
  catalogue,
  type DiagnosticCode,
  entryOf,
  explainModel,
  findCode,
  formatExplanation,
  type InferredProject,
} from '@levada/stream-project-compiler';
import { nearestName } from '@levada/stream-project-schema';
import { CommandError } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkFolder } from './check-folder.ts';
import { outputShapes } from './forms.ts';

/** Options of `levada project explain`. */
export interface ExplainOptions {
  readonly format: 'text' | 'json';
  /** The project's folder. Default: the working directory. */
  readonly dir?: string;
}

/**
 * `levada project explain [dir] <model or code>`: what a code means, or why a model becomes what it becomes. A word alone that is
 * both is the code; with a folder, or as `model:name`, it is the model.
 */
export async function explainCommand(
  [first, second]: readonly [string, string | undefined],
  { format, dir }: ExplainOptions,
  terminal: Terminal,
): Promise<void> {
  const name = second ?? first;
  const code = findCode(name) ?? findCode(name.toUpperCase());
  const show = (data: object, text: string) => terminal.out(format === 'json' ? json(data) : text);
  const ofModel = dir !== undefined || second !== undefined;
  if (code !== undefined && !ofModel) {
    show(codeJson(code), codeText(code));
    return;
  }
  if (code === undefined && /^LV\d+$/i.test(name)) {
    throw new CommandError(exitCodes.problems, `there is no code "${name}"`);
  }
  const folder = dir ?? (second === undefined ? '.' : first);
  const { project } = await checkFolder(folder, {}, terminal);
  const explanation = explainModel(project, name.replace(/^model:/, ''));
  if (explanation !== undefined) show(explanation, formatExplanation(explanation));
  else if (code !== undefined) show(codeJson(code), codeText(code));
  else throw unknownName(name, project);
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function unknownName(name: string, { resolved }: InferredProject): CommandError {
  const codes = Object.values(catalogue).map((entry) => entry.name);
  const near = nearestName(name, [...resolved.models.keys()]) ?? nearestName(name, codes);
  return new CommandError(
    exitCodes.problems,
    `there is neither a model nor a code "${name}"`,
    near === undefined ? '"levada project ls" lists the models' : `did you mean "${near}"?`,
  );
}

/** A code of the catalogue as data for `JSON.stringify`. */
function codeJson(code: DiagnosticCode): object {
  const { name, title, severity, doc } = entryOf(code);
  return { schema: outputShapes.code, code, name, title, severity, fixed: isFixed(code), doc };
}

/** A code of the catalogue for people. */
function codeText(code: DiagnosticCode): string {
  const { name, title, severity, doc } = entryOf(code);
  const policy = isFixed(code)
    ? 'Its severity is fixed, because a part of the project is missing afterwards.'
    : `Another severity: --severity ${name}=warning (or error, info, off). One place: # levada-disable-next-line ${code}`;
  return `${code}  ${name}  (${severity})\n${title}\n\n${doc}\n\n${policy}\n`;
}

function isFixed(code: DiagnosticCode): boolean {
  return entryOf(code).fixed === true;
}
