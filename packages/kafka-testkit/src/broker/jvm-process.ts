import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const KEPT_LINES = 200;

/** Small and quick to start. */
export const jvmFlags = [
  '-Xms48m',
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
  '-XX:+ExitOnOutOfMemoryError',
  '-Djava.awt.headless=true',
  '-Duser.timezone=UTC',
];

/** How a JVM is started where it is measured. */
export interface JvmLaunch {
  /** Flags in place of those that make it small and quick to start. */
  readonly flags?: readonly string[];
  /** Command that starts it, such as `taskset -c 0`; it has to become the JVM. Default: none. */
  readonly launcher?: readonly string[];
  /** How long it may take until it serves. Default: a minute. */
  readonly startLimitMs?: number;
}

/** One run of a server in a JVM. It ends with this process, however that ends. */
export class JvmProcess {
  readonly #child: ChildProcess;
  readonly #guard: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #lines: string[] = [];
  readonly #readyLine: string;
  #over = false;

  /** `command` starts the JVM, and is whole without `args`. `readyLine` is part of the line that the server prints when it serves. */
  constructor(command: readonly string[], args: readonly string[], readyLine: string) {
    this.#readyLine = readyLine;
    const [file = '', ...first] = command;
    this.#child = spawn(file, [...first, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#guard = guard(this.pid);
    this.#exited = new Promise((resolve) => {
      this.#child.once('exit', () => {
        this.#over = true;
        // The id may be given to another process from now on.
        this.#guard.kill('SIGKILL');
        resolve();
      });
      this.#child.once('error', () => resolve());
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) this.#keepLines(stream);
    }
    this.#child.unref();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return !this.#over;
  }

  /** The last lines that the server printed. */
  get output(): string {
    return this.#lines.join('\n');
  }

  /** Resolves when the server serves. Rejects with its last lines when it ends first, or takes longer than the limit. */
  async ready(limitMs = START_LIMIT_MS): Promise<void> {
    const child = this.#child;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (this.output.includes(this.#readyLine)) resolve();
        };
        child.stdout?.on('data', look);
        child.once('error', reject);
        void this.#exited.then(() => reject(new Error(`server ended while starting:\n${this.output}`)));
        const late = (): void => reject(new Error(`server did not start in ${limitMs} ms:\n${this.output}`));
        timer = setTimeout(late, limitMs);
        look();
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a signal; nothing when the server has ended. */
  signal(name: NodeJS.Signals): void {
    if (!this.#over) this.#child.kill(name);
  }

  /** Sends SIGTERM or SIGKILL and waits for the end; a server that has not ended by then, 15 s by default, is killed. */
  async end(name: 'SIGTERM' | 'SIGKILL', limitMs = STOP_LIMIT_MS): Promise<void> {
    this.signal(name);
    const timer = setTimeout(() => this.signal('SIGKILL'), limitMs);
    await this.#exited;
    clearTimeout(timer);
  }

  #keepLines(stream: Readable): void {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      this.#lines.push(...text.trimEnd().split('\n'));
      this.#lines.splice(0, Math.max(0, this.#lines.length - KEPT_LINES));
    });
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
}

/** A shell that waits for the end of its input, which comes when this process is gone, and then kills the server. */
function guard(pid: number): ChildProcess {
  const script = 'read -r _; kill -9 "$0"';
  const child = spawn('sh', ['-c', script, String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const { stdin } = child;
  if (stdin !== null && 'unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  stdin?.on('error', () => {
    // the guard was killed because its server has ended
  });
  return child;
}
