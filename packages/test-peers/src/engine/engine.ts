import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { engineProgram, type PlannerVersion } from './engine-program.ts';
import { GatewaySession, getJson, innermostCause } from './gateway-session.ts';

/** A job of a cluster that has failed or is failing, and why. */
export interface FailedJob {
  readonly name: string;
  readonly problem: string;
}

/** A running cluster with a SQL gateway. */
export interface Engine {
  readonly version: PlannerVersion;
  /** URL of the gateway's HTTP interface, without trailing slash. */
  readonly gateway: string;
  /** URL of the cluster's HTTP interface, without trailing slash. */
  readonly cluster: string;
  /** Opens a session of the gateway: settings, temporary tables and views are its own. */
  session(): Promise<GatewaySession>;
  /** Jobs that do not run as they should. */
  failedJobs(): Promise<readonly FailedJob[]>;
  /** Ends it with all its jobs. Idempotent. */
  stop(): Promise<void>;
}

/** Starts a cluster with a SQL gateway in a process of its own, on free ports of 127.0.0.1; takes some three seconds. */
export async function startEngine(version: PlannerVersion): Promise<Engine> {
  const [program, ...args] = await engineProgram(version, 'Engine').command();
  const folder = await mkdtemp(join(tmpdir(), 'levada-engine-'));
  const child = spawn(program, [...args, folder], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = endOf(child);
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const addresses = await firstLine(child);
    const { gateway, cluster } = JSON.parse(addresses) as {
      readonly gateway: string;
      readonly cluster: string;
    };
    return {
      version,
      gateway,
      cluster,
      session: () => GatewaySession.open(gateway),
      failedJobs: () => failedJobs(cluster),
      stop,
    };
  } catch (error) {
    child.kill('SIGKILL');
    await stop();
    throw error;
  }
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
}

/** What it prints first. Rejects with what it said of its failure when it ends before. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let errors = '';
    child.stderr?.on('data', (text: Buffer) => {
      errors = `${errors}${text.toString()}`.slice(-4000);
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`the engine has ended: ${errors}`)));
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).once('line', resolve);
  });
}

async function failedJobs(cluster: string): Promise<readonly FailedJob[]> {
  const { jobs } = (await getJson(`${cluster}/jobs/overview`)) as {
    readonly jobs: readonly { readonly jid: string; readonly name: string; readonly state: string }[];
  };
  const failed: FailedJob[] = [];
  for (const { jid, name, state } of jobs) {
    const exceptions = (await getJson(`${cluster}/jobs/${jid}/exceptions`)) as {
      readonly exceptionHistory?: { readonly entries: readonly { readonly stacktrace: string }[] };
    };
    const trace = exceptions.exceptionHistory?.entries[0]?.stacktrace;
    if (trace !== undefined || ['FAILING', 'FAILED', 'RESTARTING'].includes(state))
      failed.push({ name, problem: trace === undefined ? state : innermostCause(trace) });
  }
  return failed;
}
