// Makes the folder that the image is built from: the single executable with the libraries that it is linked with, of Debian packages,
// which are downloaded once. `make-root.mjs [folder] [executable]`; without them packages/executable/dist/image and this machine's own.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const base = fileURLToPath(new URL('../..', import.meta.url));
const packages = ['libc6', 'libgcc-s1', 'libstdc++6'];
/** What Node is linked with, and what glibc loads to look up names of hosts. */
const libraries = [
  'libc.so.6',
  'libdl.so.2',
  'libgcc_s.so.1',
  'libm.so.6',
  'libnss_dns.so.2',
  'libnss_files.so.2',
  'libpthread.so.0',
  'libresolv.so.2',
  'libstdc++.so.6',
];
/** Where the program says that its loader is. */
const loaders = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' };
/** A user that no machine has, as images without a distribution use it. */
const USER = 65532;
const texts = {
  'etc/passwd': `root:x:0:0:root:/:/sbin/nologin\nlevada:x:${USER}:${USER}:levada:/data:/sbin/nologin\n`,
  'etc/group': `root:x:0:\nlevada:x:${USER}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

const [folder = join(base, 'packages/executable/dist/image'), executable = ownExecutable()] =
  process.argv.slice(2);
const image = resolve(folder);
const root = join(image, 'root');
rmSync(image, { recursive: true, force: true });
copyLibraries(unpackedPackages());
for (const [path, text] of Object.entries(texts)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
mkdirSync(join(root, 'usr/bin'), { recursive: true });
copyFileSync(executable, join(root, 'usr/bin/levada'));
chmodSync(join(root, 'usr/bin/levada'), 0o755);
for (const name of ['data', 'tmp']) mkdirSync(join(image, 'owned', name), { recursive: true });
copyFileSync(join(base, 'deploy/image/Containerfile'), join(image, 'Containerfile'));
process.stdout.write(`${image}\n`);

function ownExecutable() {
  return join(base, `packages/executable/dist/bin/levada-linux-${process.arch}`);
}

/** The folder with all packages unpacked. */
function unpackedPackages() {
  const cache = join(homedir(), '.cache/levada', `image-packages-${process.arch}`);
  if (existsSync(cache)) return cache;
  const unfinished = `${cache}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    unpack(packages, unfinished);
    // The licences of the compiler's libraries are in a package named after its version.
    unpack([readlinkSync(join(unfinished, 'root/usr/share/doc/libgcc-s1'))], unfinished);
    renameSync(join(unfinished, 'root'), cache);
    return cache;
  } catch (cause) {
    throw new Error(
      `the image is made of Debian's packages ${packages.join(', ')}, which "apt-get download" does not get here`,
      { cause },
    );
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function unpack(names, folder) {
  execFileSync('apt-get', ['download', ...names], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of names) {
    const [file] = globSync(`${name}_*.deb`, { cwd: folder });
    execFileSync('dpkg-deb', ['--extract', file, 'root'], { cwd: folder });
  }
}

function copyLibraries(from) {
  const loader = loaders[process.arch];
  for (const name of [...libraries, basename(loader)]) {
    const [found] = globSync(`{lib,usr/lib}/**/${name}`, { cwd: from });
    if (found === undefined) throw new Error(`Debian's packages have no ${name}`);
    copyLibrary(from, found);
  }
  const loaded = join(root, loader);
  const [placed] = globSync(`{lib,usr/lib}/**/${basename(loader)}`, { cwd: root });
  if (!existsSync(loaded)) {
    mkdirSync(dirname(loaded), { recursive: true });
    symlinkSync(`/${placed}`, loaded);
  }
  for (const name of packages) {
    const licence = `usr/share/doc/${name}/copyright`;
    mkdirSync(dirname(join(root, licence)), { recursive: true });
    copyFileSync(join(from, licence), join(root, licence));
  }
}

/** A library, and the file that it links to. */
function copyLibrary(from, path) {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(from, path), target, { verbatimSymlinks: true });
  const link = linkOf(join(from, path));
  if (link !== undefined) copyLibrary(from, join(dirname(path), link));
}

function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
