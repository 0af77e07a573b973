import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brokerJars, versionFolder } from './broker-jars.ts';
import { javaCommand } from './broker-unavailable.ts';
import type { BrokerVersion } from './broker-version.ts';
import { jvmFlags } from './jvm-process.ts';

const run = promisify(execFile);
const COMPILE_LIMIT_MS = 120_000;
const RUN_LIMIT_MS = 120_000;

/** A Java program of one file, which answers each line of its input with one line. */
export interface JavaProgram {
  /** Path of its source; the class has the name of the file. */
  readonly source: string;
  /** Whose classes it has: those of a broker and a worker of Kafka Connect. */
  readonly version: BrokerVersion;
}

/** The answers of a program to these lines, by one JVM. The program is compiled once per machine. Rejects with what it printed when it fails. */
export async function javaAnswers(
  { source, version }: JavaProgram,
  lines: readonly string[],
): Promise<readonly string[]> {
  const jars = join(await brokerJars(version), '*');
  const text = await readFile(source);
  const name = source.slice(source.lastIndexOf('/') + 1).replace(/\.java$/, '');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const classes = join(versionFolder(version), `${name}-${hash}`);
  if (!existsSync(classes)) await compile(source, jars, classes);
  return await answers(['-cp', `${classes}:${jars}`, name], lines);
}

/** The folder appears complete or not at all. */
async function compile(source: string, jars: string, classes: string): Promise<void> {
  const folder = await mkdtemp(`${classes}-`);
  try {
    const compiler = join(dirname(javaCommand()), 'javac');
    await run(compiler, ['-nowarn', '-cp', jars, '-d', folder, source], { timeout: COMPILE_LIMIT_MS });
    await rename(folder, classes).catch((error: unknown) => {
      // Another process was quicker.
      if (!existsSync(classes)) throw error;
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function answers(args: readonly string[], lines: readonly string[]): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(javaCommand(), [...jvmFlags, ...args], { timeout: RUN_LIMIT_MS });
    const [printed, problems]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => problems.push(chunk));
    child.stdin.on('error', () => {
      // a program that ends early says why on its other end
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(Buffer.concat(printed).toString().trimEnd().split('\n'));
      else
        reject(
          new Error(
            `the Java program ended with ${code}: ${Buffer.concat(problems).toString().slice(-4000)}`,
          ),
        );
    });
    child.stdin.end(`${lines.join('\n')}\n`);
  });
}
