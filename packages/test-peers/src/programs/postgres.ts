import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);
const START_LIMIT_MS = 60_000;
const READY = 'database system is ready to accept connections';
const USER = 'levada';

/** A running database server on a free port of 127.0.0.1, which asks for no password. */
export interface Postgres {
  /** For JDBC, with its user. */
  readonly jdbcUrl: string;
  readonly user: string;
  /** Rows of a query as objects; none while a table of it does not exist. */
  rows(query: string): Promise<readonly unknown[]>;
  /** Ends it and removes its data. Idempotent. */
  stop(): Promise<void>;
}

/** The newest version that a Debian package has installed, or that is on the path. */
function programs(): string | undefined {
  const debian = globSync('/usr/lib/postgresql/*/bin/initdb').toSorted().at(-1);
  const onPath = (process.env['PATH'] ?? '').split(':').find((folder) => existsSync(join(folder, 'initdb')));
  return debian === undefined ? onPath : dirname(debian);
}

/** Why no server can be started here, as one line; undefined when one can. */
export function postgresUnavailable(): string | undefined {
  return programs() === undefined ? 'no Postgres: "initdb" was not found' : undefined;
}

/** The server refuses to run as root, so that it then runs as the user of its package. */
function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts a server with an empty database, in some two seconds. */
export async function startPostgres(): Promise<Postgres> {
  const bin = programs() ?? '';
  const user = otherUser();
  const folder = await mkdtemp(join(tmpdir(), 'levada-postgres-'));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  const as = { ...user, cwd: folder };
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await run(join(bin, 'initdb'), init, as);
  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'fsync=off', 'timezone=UTC'].flatMap((one) => ['-c', one]);
  const args = ['-D', data, '-p', String(port), '-k', folder, ...settings];
  const server = spawn(join(bin, 'postgres'), args, { ...as, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const kill = () => server.kill('SIGQUIT');
  process.once('exit', kill);
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await ready(server);
  } catch (error) {
    await stop();
    throw error;
  }
  const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', USER, '-d', 'postgres'];
  return {
    jdbcUrl: `jdbc:postgresql://127.0.0.1:${port}/postgres`,
    user: USER,
    rows: async (query) => {
      const sql = `SELECT COALESCE(json_agg(t), '[]') FROM (${query}) AS t`;
      try {
        const { stdout } = await run(join(bin, 'psql'), [...connection, '-XAtc', sql]);
        return JSON.parse(stdout) as readonly unknown[];
      } catch (error) {
        if (/relation ".*" does not exist/.test(String(error))) return [];
        throw error;
      }
    },
    stop,
  };
}

/** Rejects with what it said last when it ends before it serves, or takes too long. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error(`Postgres did not start: ${said}`)), START_LIMIT_MS);
    server.once('exit', () => reject(new Error(`Postgres has ended: ${said}`)));
    createInterface({ input: server.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      said = `${said}${line}\n`.slice(-2000);
      if (!line.includes(READY)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
