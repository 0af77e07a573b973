import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type BuiltProgram, javaBuild } from '../programs/index.ts';

/** Releases of the engine whose planners answer, with those of its Kafka connector and of its formats of a schema registry. */
const releases = {
  '1.20.3': { kafka: '3.4.0-1.20', registry: '1.20.0' },
  '2.2.0': { kafka: '5.0.0-2.2', registry: '2.2.0' },
  '2.3.0': { kafka: '5.0.0-2.2', registry: '2.3.0' },
} as const;

export type PlannerVersion = keyof typeof releases;

/** The releases that tests plan with, oldest first. */
export const plannerVersions = Object.keys(releases) as readonly PlannerVersion[];

export interface PlannedColumn {
  readonly name: string;
  /** As the engine writes it: `TIMESTAMP(3) NOT NULL *ROWTIME*`. */
  readonly type: string;
}

/** What the planner says of statements. */
export type PlannerAnswer =
  | {
      readonly ok: true;
      /** Of a query as last statement. */
      readonly columns?: readonly PlannedColumn[];
      /** Kinds of changes of its rows: `I`, `UA`, `D`. */
      readonly changelog?: readonly string[];
      /** Upsert keys of its rows, as names of columns. */
      readonly keys?: readonly (readonly string[])[];
    }
  | {
      readonly ok: false;
      /** Index of the statement that is refused. */
      readonly statement: number;
      readonly line?: number;
      readonly column?: number;
      readonly message: string;
    };

/** A running planner. */
export interface Planner {
  readonly version: PlannerVersion;
  /** Plans statements in an environment of their own; the last one may be a query. Runs nothing. */
  plan(statements: readonly string[]): Promise<PlannerAnswer>;
  stop(): Promise<void>;
}

/** What the engine reaches into when it is not started by its own scripts. */
const opened = 'lang util time net io nio lang.reflect text util.concurrent'
  .split(' ')
  .map((name) => `java.${name}`);
const flags = [...opened, 'sun.nio.ch'].flatMap((name) => ['--add-opens', `java.base/${name}=ALL-UNNAMED`]);

/** The planner of a release as a program, fetched and built once on each machine: 170 MB of jars. */
export function plannerProgram(version: PlannerVersion): BuiltProgram {
  return javaBuild({
    folder: fileURLToPath(new URL('java', import.meta.url)),
    mainClass: 'Planner',
    what: `planner of engine ${version}`,
    properties: {
      'engine.version': version,
      'kafka.connector.version': releases[version].kafka,
      'registry.version': releases[version].registry,
    },
    flags,
  });
}

/** Starts the planner of a release; the first answer takes some four seconds, later ones about 40 ms. */
export async function startPlanner(version: PlannerVersion): Promise<Planner> {
  const [program, ...args] = await plannerProgram(version).command();
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
