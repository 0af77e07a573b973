import { resolve } from 'node:path';
import {
  type CheckProjectOptions,
  checkProject,
  type ProjectReport,
  type Severity,
  type SeverityPolicy,
  unknownPolicyNames,
} from '@levada/stream-project-compiler';
import { loadProjectFolder } from '@levada/stream-project-compiler/node';
import { CommandError, CommandExit, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';
import { statPath } from './stat-path.ts';

/** Options of every command that checks a project first. */
export interface CheckOptions {
  /** Default: today in UTC. */
  readonly today?: string;
  /** `LV2003=warning`, in any number. */
  readonly severity?: readonly string[];
}

/** Options of commands that fail for a project with holes. */
export interface HoleOptions {
  /** Accept models and tests without a job. */
  readonly allowIncomplete?: true;
}

/** Loads and checks the project in a folder. A folder that does not exist is wrong usage; whatever is in it is a finding. */
export async function checkFolder(
  folder: string,
  options: CheckOptions,
  terminal: Terminal,
): Promise<ProjectReport> {
  const settings = validateOptions(options);
  const loaded = await loadProjectFolder(await projectFolder(folder, terminal), {
    environment: terminal.env,
  });
  return checkProject(loaded, settings);
}

/** The compiler's options from those of a command. A wrong value is wrong usage. */
export function validateOptions({ today, severity = [] }: CheckOptions): CheckProjectOptions {
  return { policy: readPolicy(severity), ...(today === undefined ? {} : { today }) };
}

/** The folder as an absolute path, if there is one. */
export async function projectFolder(folder: string, terminal: Terminal): Promise<string> {
  const path = resolve(terminal.cwd, folder);
  const found = await statPath(path);
  if (found === 'folder') return path;
  const reason = found === undefined ? 'does not exist' : 'is no folder';
  throw new CommandError(
    exitCodes.usage,
    `the folder "${folder}" ${reason}`,
    'name the folder that holds stream_project.yml',
  );
}

const levels = ['error', 'warning', 'info', 'off'] as const satisfies readonly (Severity | 'off')[];

/** Severities from `code=level`. */
function readPolicy(settings: readonly string[]): SeverityPolicy {
  const policy = Object.fromEntries(settings.map(readSetting));
  const [unknown] = unknownPolicyNames(policy);
  if (unknown === undefined) return policy;
  throw new CommandError(exitCodes.usage, `--severity: there is no code "${unknown}"`);
}

function readSetting(setting: string): readonly [string, Severity | 'off'] {
  const [name = '', word] = setting.split('=', 2);
  const level = levels.find((one) => one === word);
  if (name !== '' && level !== undefined) return [name, level];
  throw new CommandError(
    exitCodes.usage,
    `--severity: "${setting}" is not code=level, expected a code or its name and one of ${levels.join(', ')}`,
  );
}

const MAX_NAMES = 5;

/** Ends a command with 6 when a job of a valid project cannot be written, unless that is allowed. */
export function requireComplete(
  { holes }: Pick<ProjectReport, 'holes'>,
  { allowIncomplete }: HoleOptions,
  terminal: Terminal,
): void {
  if (holes.length === 0 || allowIncomplete === true) return;
  const shown = holes.slice(0, MAX_NAMES).map(({ object }) => object);
  const more = holes.length > MAX_NAMES ? [`and ${holes.length - MAX_NAMES} more`] : [];
  const names = [...shown, ...more].join(', ');
  terminal.err(`levada: incomplete: no job can be written for ${names}; --allow-incomplete accepts that\n`);
  throw new CommandExit(exitCodes.incomplete);
}

/** Ends a command that has shown what could be read of a project with mistakes: says so, and ends with 1. */
export function endWithNote({ valid, diagnostics }: ProjectReport, terminal: Terminal): void {
  if (valid) return;
  const count = diagnostics.filter(({ severity }) => severity === 'error').length;
  const errors = count === 1 ? '1 error' : `${count} errors`;
  terminal.err(`levada: the project has ${errors}, so this may not be all; see "levada project validate"\n`);
  throw new CommandExit(exitCodes.problems);
}
