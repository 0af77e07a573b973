import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_BYTES = 150e6;
const PORT = 18_083;

/** Why no image can be built here; undefined when one can. Where the machine is itself a container, chroot is the only way. */
function unavailable(): string | undefined {
  if (spawnSync('buildah', ['--version']).error !== undefined) return 'there is no buildah';
  return process.getuid?.() === 0 ? undefined : 'containers are run with chroot, which root alone may use';
}

const reason = unavailable();
if (reason !== undefined) process.stderr.write(`skipped "the image": ${reason}\n`);

let home = '';
let container = '';

/** A store of its own, which needs nothing of the kernel. */
const storage = (...words: string[]): string[] => {
  const [store, state] = [join(home, 'store'), join(home, 'run')];
  return ['--root', store, '--runroot', state, '--storage-driver', 'vfs', ...words];
};
const buildah = async (...words: string[]): Promise<string> => {
  const { stdout } = await execute('buildah', storage(...words), { timeout: 300_000, maxBuffer: 1e7 });
  return stdout.trim();
};
const inside = (...words: string[]): string[] =>
  storage(
    'run',
    '--isolation=chroot',
    `--env=CONNECT_LISTENERS=http://127.0.0.1:${PORT}`,
    container,
    ...words,
  );

describe.skipIf(reason !== undefined)(`the image${reason === undefined ? '' : ` (${reason})`}`, () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'levada-image-'));
    const levada = join(home, 'levada');
    const node = (...words: string[]) => execute(process.execPath, words, { cwd: root, timeout: 300_000 });
    await node('tools/executable/build.mjs', levada);
    await node(
      'tools/image/make-root.mjs',
      join(home, 'image'),
      join(levada, `levada-linux-${process.arch}`),
    );
    const how = ['--format', 'docker', '--isolation', 'chroot', '--tag', 'levada'];
    await buildah('build', ...how, join(home, 'image'));
    container = await buildah('from', 'localhost/levada');
  }, 600_000);

  afterAll(() => rm(home, { recursive: true, force: true }));

  it('is small, runs as a user without rights, and says how its health is asked for', async () => {
    const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/levada'));
    expect(Docker.config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/usr/bin/levada'],
      Cmd: ['worker', 'start'],
      Healthcheck: { Test: ['CMD', '/usr/bin/levada', 'worker', 'health'] },
      Labels: { 'org.opencontainers.image.licenses': 'Apache-2.0' },
    });
    const [image] = JSON.parse(await buildah('images', '--json'));
    const bytes = Number.parseFloat(image.size) * (image.size.endsWith('MB') ? 1e6 : 1e9);
    expect(bytes).toBeGreaterThan(100e6);
    expect(bytes).toBeLessThan(MAX_BYTES);
  });

  it('runs a worker from CONNECT_* variables, whose log is in /data, and stores what it has on SIGTERM', async () => {
    const worker = spawn('buildah', inside('/usr/bin/levada', 'worker', 'start'), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(worker, 'exit');
    let log = '';
    worker.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    try {
      const url = `http://127.0.0.1:${PORT}`;
      const asked = inside('/usr/bin/levada', 'worker', 'health', '--wait', '60', '--url', url);
      expect((await execute('buildah', asked, { timeout: 120_000 })).stdout).toContain('healthy');
      // Buildah hands no signal on: as an engine does, it goes to the first process of the container.
      process.kill(await lastChild(worker.pid as number), 'SIGTERM');
      expect((await ended)[0]).toBe(0);
      // The volume of the container; /data is the only one.
      const volumes = 'store/vfs-containers/*/userdata/buildah-volumes';
      expect(globSync(`${volumes}/*/.levada/cluster-id`, { cwd: home })).toHaveLength(1);
      expect(log).toMatch(/"event":"worker_closed"/);
    } finally {
      worker.kill('SIGKILL');
    }
  });
});

/** The process that those between it and another one have started. */
async function lastChild(pid: number): Promise<number> {
  const lists = await Promise.all(
    (await readdir(`/proc/${pid}/task`)).map((task) =>
      readFile(`/proc/${pid}/task/${task}/children`, 'utf8'),
    ),
  );
  const [child] = lists.join(' ').trim().split(/\s+/);
  return child === undefined || child === '' ? pid : lastChild(Number(child));
}
