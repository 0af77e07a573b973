import { type AddedCommand, runOn } from '../src/main.ts';
import type { Terminal } from '../src/output/terminal.ts';

/** What a command printed and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** How the command's surroundings differ from nothing at all. */
export interface CommandSurroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Standard input. */
  readonly input?: () => Promise<string>;
  /** Commands beside those of `levada`. */
  readonly added?: readonly AddedCommand[];
  /** Called with everything printed so far, each time something is. */
  readonly onOut?: (out: string) => void;
}

/** Runs `levada <args>` on a terminal of its own. */
export async function runCommand(
  args: readonly string[],
  how: CommandSurroundings = {},
): Promise<CommandResult> {
  let out = '';
  let err = '';
  const terminal: Terminal = {
    out: (text) => {
      out += text;
      how.onOut?.(out);
    },
    err: (text) => {
      err += text;
    },
    env: how.env ?? {},
    cwd: how.cwd ?? process.cwd(),
    ...(how.input === undefined ? {} : { input: how.input }),
    signal: how.signal ?? new AbortController().signal,
  };
  const code = await runOn(args, terminal, how.added);
  return { code, out, err };
}
