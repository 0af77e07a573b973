// Makes the folder that the image is built from: the single executable with the libraries that it is linked with, of Debian packages,
// and a bill of materials (CycloneDX) of all of it. `make-root.mjs [x64 or arm64] [folder] [executable]`; without them this machine's
// own processor, packages/executable/dist/image (image-<processor> for another one), and an executable that is built for it.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeImageBill } from '../release/bills.mjs';
import { debianPackages } from './debian.mjs';

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
const processor = words.find((word) => loaders[word] !== undefined) ?? process.arch;
const [folder = ownFolder(), executable = builtExecutable()] = words.filter(
  (word) => loaders[word] === undefined,
);
const image = resolve(folder);
const root = join(image, 'root');
const { files, components } = debianPackages(processor);
rmSync(image, { recursive: true, force: true });
copyLibraries(files);
for (const [path, text] of Object.entries(texts)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
mkdirSync(join(root, 'usr/bin'), { recursive: true });
copyFileSync(executable, join(root, 'usr/bin/levada'));
chmodSync(join(root, 'usr/bin/levada'), 0o755);
mkdirSync(dirname(join(root, BILL)), { recursive: true });
await writeImageBill(join(root, BILL), components);
for (const name of ['data', 'tmp']) mkdirSync(join(image, 'owned', name), { recursive: true });
copyFileSync(join(base, 'deploy/image/Containerfile'), join(image, 'Containerfile'));
process.stdout.write(`${image}\n`);

function ownFolder() {
  const suffix = processor === process.arch ? '' : `-${processor}`;
  return join(base, `packages/executable/dist/image${suffix}`);
}

function builtExecutable() {
  const platform = `linux-${processor}`;
  const builder = join(base, 'tools/executable/build.mjs');
  execFileSync(process.execPath, [builder, platform], { stdio: 'inherit' });
  return join(base, `packages/executable/dist/bin/levada-${platform}`);
}

function copyLibraries(from) {
  const loader = loaders[processor];
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
  for (const { name } of components) {
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
