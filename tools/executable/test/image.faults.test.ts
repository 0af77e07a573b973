import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { access, chown, cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_BYTES = 150e6;
const PORT = 18_083;

const USER = 65_532;
const isRoot = process.getuid?.() === 0;

/** Why no image can be built here; undefined when one can. Where the machine is itself a container, chroot is the only way. */
function unavailable(): string | undefined {
  if (spawnSync('buildah', ['--version']).error !== undefined) return 'there is no buildah';
  return isRoot ? undefined : 'containers are run with chroot, which root alone may use';
}

/** Namespaces in which file systems can be mounted; other users are root in one of their own. */
const namespaces = ['--mount', '--pid', '--fork', ...(isRoot ? [] : ['--user', '--map-root-user'])];

/** Why no file system can be mounted read-only here; undefined when one can. */
function unmountable(): string | undefined {
  const { error, status } = spawnSync('unshare', [...namespaces, 'mount', '-t', 'proc', 'proc', '/proc']);
  if (error !== undefined) return 'there is no unshare';
  return status === 0 ? undefined : 'this machine allows no namespaces of mounts';
}

/** Why the image's root cannot be made here. */
function withoutDebian(): string | undefined {
  const { error, status } = spawnSync('apt-get', ['download', '--print-uris', 'libc6']);
  if (error !== undefined) return 'this is no Debian';
  return status === 0 ? undefined : 'apt-get knows no packages before "apt-get update"';
}

const noDebian = withoutDebian();
const reason = noDebian ?? unavailable();
const mountReason = noDebian ?? unmountable();
for (const [name, why] of Object.entries({
  'its root': noDebian,
  'the image': reason,
  'a read-only root': mountReason,
})) {
  if (why !== undefined) process.stderr.write(`skipped "${name}": ${why}\n`);
}
const because = (why: string | undefined) => (why === undefined ? '' : ` (${why})`);

let home = '';
let container = '';
/** What images call this machine's processor. */
const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
const imageRoot = (): string => join(home, 'image', architecture, 'root');

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

/** Mounts the root read-only, with a folder of this machine as /data, and becomes the program. As engines do, but without /tmp. */
const mounted = `set -e
root=$1 data=$2
shift 2
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
exec unshare --root="$root" --wd=/data ${isRoot ? `--setgid=${USER} --setuid=${USER}` : ''} "$@"`;

// Built for Linux alone: what it is put into is a Node for Linux.
describe.skipIf(process.platform !== 'linux')('what the image is made of', () => {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'levada-image-'));
    const levada = join(home, 'levada');
    const node = (...words: string[]) => execute(process.execPath, words, { cwd: root, timeout: 300_000 });
    await node('tools/executable/build.mjs', levada);
    await node('tools/image/make-root.mjs', join(home, 'image'), levada);
  }, 600_000);

  afterAll(() => rm(home, { recursive: true, force: true }));

  describe.skipIf(noDebian !== undefined)(`its root${because(noDebian)}`, () => {
    it('has a bill of everything in it', async () => {
      const bill = JSON.parse(await readFile(join(imageRoot(), 'usr/share/sbom/levada.cdx.json'), 'utf8'));
      const names = bill.components.map(({ name }: { name: string }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['runtime-server', 'yaml', 'node', 'libc6', 'libstdc++6']),
      );
      const library = bill.components.find(({ name }: { name: string }) => name === 'libc6');
      expect(library.purl).toMatch(/^pkg:deb\/\w+\/libc6@[^?]+\?arch=\w+&distro=\w+-[\d.]+$/);
    });

    it('names version and commit in its Containerfile without build arguments', async () => {
      const text = await readFile(join(home, 'image/Containerfile'), 'utf8');
      expect(text).toContain(`ARG VERSION=${await ownVersion()}\n`);
      expect(text).toMatch(/^ARG REVISION=[0-9a-f]{40}(-dirty)?$/m);
    });
  });

  describe.skipIf(reason !== undefined)(`the image${because(reason)}`, () => {
    beforeAll(async () => {
      const how = ['--format', 'docker', '--isolation', 'chroot', '--tag', 'levada'];
      await buildah('build', ...how, join(home, 'image'));
      container = await buildah('from', 'localhost/levada');
    }, 600_000);

    it('is small, runs as a user without rights, and says how its health is asked for', async () => {
      const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', 'localhost/levada'));
      expect(Docker.config).toMatchObject({
        User: '65532:65532',
        Entrypoint: ['/usr/bin/levada'],
        Cmd: ['worker', 'start'],
        Healthcheck: { Test: ['CMD', '/usr/bin/levada', 'worker', 'health'] },
        Labels: {
          'org.opencontainers.image.licenses': 'Apache-2.0',
          'org.opencontainers.image.version': await ownVersion(),
          'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}(-dirty)?$/),
        },
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
      // After its exit, for by then its output need not have been read.
      const ended = once(worker, 'close');
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

  describe.skipIf(mountReason !== undefined)(`a read-only root${because(mountReason)}`, () => {
    let readOnly = '';
    let data = '';
    const start = (env: Record<string, string> = {}) => {
      const own = { PATH: process.env['PATH'], CONNECT_LISTENERS: 'http://127.0.0.1:0', ...env };
      const words = ['sh', '-c', mounted, 'sh', readOnly, data, '/usr/bin/levada', 'worker', 'start'];
      const worker = spawn('unshare', [...namespaces, ...words], {
        env: own,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return {
        worker,
        ended: once(worker, 'exit'),
        shown: textOf(worker.stdout),
        errors: textOf(worker.stderr),
      };
    };

    beforeAll(async () => {
      readOnly = join(home, 'read-only');
      data = join(home, 'data');
      await cp(imageRoot(), readOnly, { recursive: true, verbatimSymlinks: true });
      for (const place of ['data', 'dev', 'proc']) await mkdir(join(readOnly, place));
      await mkdir(data);
      if (isRoot) await chown(data, USER, USER);
    });

    it('runs a worker that writes in /data alone, and stores what it has on SIGTERM', async () => {
      const { worker, ended, shown } = start();
      try {
        const url = await shown.see(/"event":"rest_listening".*"url":"([^"]+)"/);
        await shown.see(/"event":"worker_ready"/);
        expect((await fetch(`${url}/health/ready`)).status).toBe(200);
        process.kill(await lastChild(worker.pid as number), 'SIGTERM');
        expect((await ended)[0]).toBe(0);
        await shown.see(/"event":"worker_closed"/);
        await access(join(data, '.levada/cluster-id'));
      } finally {
        worker.kill('SIGKILL');
      }
    });

    it('says of another folder that nothing can be written there', async () => {
      const { ended, errors } = start({ CONNECT_EMBEDDED_STORAGE_FOLDER: '/elsewhere' });
      await errors.see(/embedded\.storage\.folder: .*read-only file system/);
      expect((await ended)[0]).toBe(2);
    });
  });
});

async function ownVersion(): Promise<string> {
  return JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8')).version;
}

interface Shown {
  /** Resolves with the first group, or the match, as soon as the text has it; fails when it ends without. */
  see(pattern: RegExp): Promise<string>;
}

function textOf(stream: Readable): Shown {
  let text = '';
  const grown = new EventTarget();
  const change = () => grown.dispatchEvent(new Event('change'));
  stream.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    change();
  });
  stream.once('end', change);
  return {
    see: async (pattern) => {
      for (;;) {
        const match = pattern.exec(text);
        if (match !== null) return match[1] ?? match[0];
        if (stream.readableEnded) throw new Error(`expected ${pattern} in: ${text}`);
        await once(grown, 'change', { signal: AbortSignal.timeout(60_000) });
      }
    },
  };
}

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
