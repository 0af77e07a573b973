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
    this.#bash = spawn('bash', ['--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = new Promise((resolve) => this.#bash.once('close', resolve));
    this.#bash.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#onOutput();
    });
    this.#bash.stdin?.write('exec 2>&1\n');
  }

  /** Everything that a command prints. */
  async run(command: string): Promise<string> {
    const whole = new RegExp(`^((?:.*\n)*?)${END}\n`);
    this.#output = '';
    const found = new Promise<string>((resolve) => {
      this.#onOutput = () => {
        const [, text] = whole.exec(this.#output) ?? [];
        if (text !== undefined) resolve(text);
      };
    });
    this.#bash.stdin?.write(`{ ${command}\n} < /dev/null\nprintf '${END}\\n'\n`);
    const closed = this.#ended.then(() => Promise.reject(new Error(`bash ended at: ${command}`)));
    return Promise.race([found, closed]);
  }

  /** Ends bash and its jobs. */
  async close(): Promise<void> {
    this.#bash.stdin?.end('kill $(jobs -p) 2> /dev/null; wait; exit\n');
    await this.#ended;
  }
}
