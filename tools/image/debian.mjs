// The packages of Debian whose libraries the image has: those of the release that this machine runs, downloaded once for each version.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cachePath } from '../cache-folder.mjs';

/** Names of packages, and their licences as SPDX writes them; the texts are among their files. */
const licences = {
  libc6: 'LGPL-2.1-or-later',
  'libgcc-s1': 'GPL-3.0-or-later WITH GCC-exception-3.1',
  'libstdc++6': 'GPL-3.0-or-later WITH GCC-exception-3.1',
};
/** What Debian calls processors. */
export const architectures = { x64: 'amd64', arm64: 'arm64' };

/** A folder with the files of all packages, and the packages as components of a CycloneDX bill. */
export function debianPackages(processor) {
  try {
    const options = processor === process.arch ? [] : listsFor(processor);
    const words = [...options, 'download', '--print-uris', ...Object.keys(licences)];
    const files = [...run('apt-get', words).matchAll(/^'\S+' (\S+) /gm)].map(([, file]) => file);
    if (files.length !== Object.keys(licences).length)
      throw new Error(`apt-get knows ${files.length} of them`);
    // Another version of one of them is another folder, so that fixes get into the next image.
    const key = createHash('sha256').update(files.sort().join('\n')).digest('hex').slice(0, 12);
    const folder = cachePath(`image-packages-${processor}-${key}`);
    if (!existsSync(folder)) download(folder, options);
    return {
      files: join(folder, 'root'),
      components: JSON.parse(readFileSync(join(folder, 'components.json'), 'utf8')),
    };
  } catch (cause) {
    const names = Object.keys(licences).join(', ');
    throw new Error(
      `the image for ${processor} is made of Debian's packages ${names}, which "apt-get download" does not get here: ${cause.message}`,
      { cause },
    );
  }
}

/** Options of apt-get with which it knows the packages of another processor, from this machine's sources, and changes nothing of this machine. */
function listsFor(processor) {
  const name = architectures[processor];
  const folder = cachePath(`apt-${name}`);
  for (const place of ['state/lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(folder, place), { recursive: true });
  }
  const settings = {
    'APT::Architecture': name,
    'APT::Architectures::': name,
    'APT::Sandbox::User': 'root',
    'Acquire::Languages': 'none',
    'Dir::State': join(folder, 'state'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': join(folder, 'cache'),
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  run('apt-get', [...options, 'update', '--quiet']);
  return options;
}

function download(folder, options) {
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    unpack(Object.keys(licences), { options, folder: unfinished });
    // The licences of the compiler's libraries are in a package named after its version.
    const licencePackage = readlinkSync(join(unfinished, 'root/usr/share/doc/libgcc-s1'));
    unpack([licencePackage], { options, folder: unfinished });
    const components = Object.keys(licences).map((name) => component(fileOf(name, unfinished)));
    writeFileSync(join(unfinished, 'components.json'), JSON.stringify(components, null, 2));
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

function unpack(names, { options, folder }) {
  run('apt-get', [...options, 'download', ...names], folder);
  for (const name of names) run('dpkg-deb', ['--extract', fileOf(name, folder), 'root'], folder);
}

function fileOf(name, folder) {
  const [file] = globSync(`${name}_*.deb`, { cwd: folder });
  return join(folder, file);
}

function component(file) {
  const fields = run('dpkg-deb', ['--field', file, 'Package', 'Version', 'Architecture']);
  const [name, version, architecture] = [...fields.matchAll(/^\w+: (.+)$/gm)].map(([, value]) => value);
  const release = readFileSync('/etc/os-release', 'utf8');
  const [id, number] = ['ID', 'VERSION_ID'].map(
    (key) => new RegExp(`^${key}="?([^"\n]*)`, 'm').exec(release)?.[1],
  );
  const [encodedName, encodedVersion] = [name, version].map((part) => encodeURIComponent(part));
  const purl = `pkg:deb/${id}/${encodedName}@${encodedVersion}?arch=${architecture}&distro=${id}-${number}`;
  const content = createHash('sha256').update(readFileSync(file)).digest('hex');
  return {
    type: 'library',
    name,
    version,
    purl,
    'bom-ref': purl,
    hashes: [{ alg: 'SHA-256', content }],
    licenses: [{ expression: licences[name] }],
  };
}

function run(program, words, cwd) {
  return execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
