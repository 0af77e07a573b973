import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { engineProgram, type PlannerVersion } from './engine-program.ts';
import type { PlannerAnswer } from './planner-answer.ts';

/** A running planner. */
export interface Planner {
  readonly version: PlannerVersion;
  /** Plans statements in an environment of their own; the last one may be a query. Runs nothing. */
  plan(statements: readonly string[]): Promise<PlannerAnswer>;
  stop(): Promise<void>;
}

/** Starts the planner of a release; the first answer takes some four seconds, later ones about 40 ms. */
export async function startPlanner(version: PlannerVersion): Promise<Planner> {
  const [program, ...args] = await engineProgram(version, 'Planner').command();
  return new PlannerProcess(version, spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] }));
}

class PlannerProcess implements Planner {
  readonly version: PlannerVersion;
  readonly #process: ChildProcess;
  readonly #waiting: PromiseWithResolvers<PlannerAnswer>[] = [];
  readonly #ended: Promise<void>;
  #errors = '';

  constructor(version: PlannerVersion, process: ChildProcess) {
    this.version = version;
    this.#process = process;
    this.#ended = new Promise((resolve) => {
      process.once('close', () => {
        this.#fail();
        resolve();
      });
    });
    process.once('error', () => this.#fail());
    process.stderr?.on('data', (text: Buffer) => {
      this.#errors = `${this.#errors}${text.toString()}`.slice(-4000);
    });
    createInterface({ input: process.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      this.#waiting.shift()?.resolve(JSON.parse(line) as PlannerAnswer);
    });
  }

  plan(statements: readonly string[]): Promise<PlannerAnswer> {
    const answer = Promise.withResolvers<PlannerAnswer>();
    this.#waiting.push(answer);
    this.#process.stdin?.write(`${JSON.stringify({ statements })}\n`);
    return answer.promise;
  }

  async stop(): Promise<void> {
    this.#process.stdin?.end();
    await this.#ended;
  }

  #fail(): void {
    const error = new Error(`the planner of ${this.version} has ended: ${this.#errors}`);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
