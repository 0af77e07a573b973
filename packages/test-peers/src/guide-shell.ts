import { type ChildProcess, spawn } from 'node:child_process';

/** A command of a guide, and what the guide says that it prints. */
export interface GuideStep {
  readonly command: string;
  readonly printed: readonly string[];
}

/** The commands of all `console` blocks, in order. A command follows `$ `; what it prints follows the command. */
export function guideSteps(guide: string): readonly GuideStep[] {
  const steps: { command: string; printed: string[] }[] = [];
  for (const [, block = ''] of guide.matchAll(/^```console\n(.*?)^```$/gms)) {
    for (const line of block.trimEnd().split('\n')) {
      if (line.startsWith('$ ')) steps.push({ command: line.slice(2), printed: [] });
      else steps.at(-1)?.printed.push(line);
    }
  }
  return steps;
}

const END = 'end-of-command';

/** One bash for all commands of a guide, so that variables and jobs last as they do in a terminal. */
export class GuideShell {
  readonly #bash: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';
  #onOutput: () => void = () => undefined;

  constructor(cwd: string, env: Readonly<Record<string, string | undefined>>) {
    // A group of processes of its own, which can be ended as a whole.
    this.#bash = spawn('bash', ['--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    this.#ended = new Promise((resolve) => this.#bash.once('close', resolve));
    this.#bash.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#onOutput();
    });
    this.#bash.stdin?.write('exec 2>&1\n');
  }

  /** Everything that a command prints. */
  async run(command: string): Promise<string> {
    return (await this.end(command)).output;
  }

  /** How a command ends, and everything that it prints. */
  async end(command: string): Promise<{ readonly output: string; readonly exitCode: number }> {
    const whole = new RegExp(`^([^]*?)\n${END} (\\d+)\n`);
    this.#output = '';
    const found = new Promise<{ output: string; exitCode: number }>((resolve) => {
      this.#onOutput = () => {
        const [, output, code] = whole.exec(this.#output) ?? [];
        if (output !== undefined) resolve({ output, exitCode: Number(code) });
      };
    });
    this.#bash.stdin?.write(`{ ${command}\n} < /dev/null\nprintf '\\n${END} %s\\n' $?\n`);
    const closed = this.#ended.then(() => Promise.reject(new Error(`bash ended at: ${command}`)));
    return Promise.race([found, closed]);
  }

  /** Ends bash and everything that it started, and waits for the end of all of it. */
  async close(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#bash;
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM');
    await this.#ended;
  }
}
