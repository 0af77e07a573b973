// Makes the folder that the image is built from: for each processor the single executable with the libraries that it is linked with, of
// Debian packages, and a bill of materials (CycloneDX) of all of it. `make-root.mjs [x64] [arm64] [folder] [folder of executables]`;
// without them this machine's own processor, tools/executable/dist/image, and executables that are built for it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeImageBill } from '../release/bills.mjs';
import { releaseVersion } from '../release/versions.mjs';
import { architectures, debianPackages } from './debian.mjs';

const base = fileURLToPath(new URL('../..', import.meta.url));
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

/** Where tools that read the software of an image look for bills. */
const BILL = 'usr/share/sbom/levada.cdx.json';

const words = process.argv.slice(2).filter((word) => word !== '--');
const named = words.filter((word) => loaders[word] !== undefined);
const processors = named.length > 0 ? named : [process.arch];
const [folder = join(base, 'tools/executable/dist/image'), executables = buildExecutables()] = words.filter(
  (word) => loaders[word] === undefined,
);
const image = resolve(folder);
rmSync(image, { recursive: true, force: true });
for (const processor of processors) await writeRoot(processor);
writeFileSync(join(image, 'Containerfile'), containerfile());
process.stdout.write(`${image}\n`);

/** `<processor as images name it>/root` and `owned` of the folder. */
async function writeRoot(processor) {
  const { files, components } = debianPackages(processor);
  const place = join(image, architectures[processor]);
  const root = join(place, 'root');
  copyLibraries(files, { root, loader: loaders[processor] });
  copyLicences(files, { root, components });
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  copyFileSync(join(executables, `levada-linux-${processor}`), join(root, 'usr/bin/levada'));
  chmodSync(join(root, 'usr/bin/levada'), 0o755);
  mkdirSync(dirname(join(root, BILL)), { recursive: true });
  await writeImageBill(join(root, BILL), components);
  for (const name of ['data', 'tmp']) mkdirSync(join(place, 'owned', name), { recursive: true });
}

/** Labels say of which version and commit an image is, however it is built. */
function containerfile() {
  const text = readFileSync(join(base, 'deploy/image/Containerfile'), 'utf8');
  const defaults = { VERSION: releaseVersion(), REVISION: revision() };
  return text.replaceAll(/^ARG (VERSION|REVISION)=.*$/gm, (_, name) => `ARG ${name}=${defaults[name]}`);
}

/** The commit, with "-dirty" when files differ from it; "unknown" outside of a clone. */
function revision() {
  const words = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  const { status, stdout } = spawnSync('git', words, { cwd: base, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}

function buildExecutables() {
  const platforms = processors.map((processor) => `linux-${processor}`);
  execFileSync(process.execPath, [join(base, 'tools/executable/build.mjs'), ...platforms], {
    stdio: 'inherit',
  });
  return join(base, 'tools/executable/dist/bin');
}

function copyLibraries(from, { root, loader }) {
  for (const name of [...libraries, basename(loader)]) {
    const [found] = globSync(`{lib,usr/lib}/**/${name}`, { cwd: from });
    if (found === undefined) throw new Error(`Debian's packages have no ${name}`);
    copyLibrary(found, { from, root });
  }
  const loaded = join(root, loader);
  const [placed] = globSync(`{lib,usr/lib}/**/${basename(loader)}`, { cwd: root });
  if (!existsSync(loaded)) {
    mkdirSync(dirname(loaded), { recursive: true });
    symlinkSync(`/${placed}`, loaded);
  }
}

/** A library, and the file that it links to. */
function copyLibrary(path, { from, root }) {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(from, path), target, { verbatimSymlinks: true });
  const link = linkOf(join(from, path));
  if (link !== undefined) copyLibrary(join(dirname(path), link), { from, root });
}

function copyLicences(from, { root, components }) {
  for (const { name } of components) {
    const licence = `usr/share/doc/${name}/copyright`;
    mkdirSync(dirname(join(root, licence)), { recursive: true });
    copyFileSync(join(from, licence), join(root, licence));
  }
}

function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
