import {
  catalogue,
  explainModel,
  findCode,
  formatExplanation,
  type InferredProject,
} from '@levada/stream-project-compiler';
import { nearestName } from '@levada/stream-project-schema';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { checkProject } from './check-project.ts';
import { codeJson, codeText } from './explained-code.ts';

/** Options of `levada project explain`. */
export interface ExplainOptions {
  readonly format: 'text' | 'json';
  /** The project's folder. Default: the working directory. */
  readonly dir?: string;
}

/** `levada project explain [dir] <model or code>`: what a code means, or why a model becomes what it becomes. */
export async function explainCommand(
  [first, second]: readonly [string, string | undefined],
  { format, dir }: ExplainOptions,
  terminal: Terminal,
): Promise<void> {
  const name = second ?? first;
  const code = findCode(name) ?? findCode(name.toUpperCase());
  if (code !== undefined) {
    terminal.out(format === 'json' ? json(codeJson(code)) : codeText(code));
    return;
  }
  if (/^LV\d+$/i.test(name)) throw new CommandError(exitCodes.problems, `there is no code "${name}"`);
  const folder = dir ?? (second === undefined ? '.' : first);
  const { project } = await checkProject(folder, {}, terminal);
  const explanation = explainModel(project, name.replace(/^model:/, ''));
  if (explanation === undefined) throw unknownName(name, project);
  terminal.out(format === 'json' ? json(explanation) : formatExplanation(explanation));
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
