// The version that all published packages share, and what has to agree with it.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publicPackages, root } from '../packages/pack.mjs';

/**
 * Files that hold the version: sources, since a bundle has no package.json to read, what names the command or the image of this
 * version, and the chart with what it makes.
 */
const sources = [
  'action.yml',
  '.pre-commit-hooks.yaml',
  'api/runtime-server.api.md',
  'deploy/compose/compose.yaml',
  'deploy/helm/levada/Chart.yaml',
  'deploy/helm/cases/all-values/rendered.yaml',
  'deploy/helm/cases/embedded/rendered.yaml',
  'deploy/helm/cases/kafka/rendered.yaml',
  'deploy/helm/cases/otlp/rendered.yaml',
  'docs/guides/run-in-containers.md',
  'tools/executable/package.json',
  'packages/runtime-server/src/compose.ts',
  'packages/runtime-server/src/version.ts',
  'packages/source-grpc/src/connector.ts',
  'packages/source-grpc/src/transport/request-headers.ts',
  'packages/source-otlp/src/connector.ts',
  'packages/source-websocket/src/connector.ts',
];
/** What comes before a version, as regular expressions. */
const places = [
  String.raw`\bversion(?:: | = )['"]`,
  '"version": "',
  "'levada-grpc/",
  '@levada/cli@',
  String.raw`Version of @levada/cli\n {4}default: `,
  '^(?:version|appVersion): ',
  String.raw`helm\.sh/chart: levada-`,
  String.raw`app\.kubernetes\.io/version: "`,
  String.raw`ghcr\.io/levada/levada:`,
];
const versionText = new RegExp(String.raw`(${places.join('|')})(\d+\.\d+\.\d+(?:-[\w.]+)?)`, 'gm');
const dependencyKinds = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/** The version of all published packages. */
export function releaseVersion() {
  return JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')).version;
}

/** Everything that keeps the published packages from being one release, one line each. */
export function versionProblems() {
  const version = releaseVersion();
  const packages = publicPackages();
  const published = new Set(packages.map(({ manifest }) => manifest.name));
  const { fixed } = JSON.parse(readFileSync(join(root, '.changeset/config.json'), 'utf8'));
  const together = new Set(fixed.flat());
  const problems = packages.flatMap(({ manifest }) =>
    packageProblems(manifest, { version, published, together }),
  );
  for (const name of together) {
    if (!published.has(name))
      problems.push(`.changeset/config.json: "fixed" names ${name}, which is not published`);
  }
  return [...problems, ...textProblems(version), ...changesetProblems(published)];
}

/** Files whose version is another, and sources with the version that are missing in the list. */
function textProblems(version) {
  const read = (file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(versionText)].map(([, , found]) => found);
  const listed = sources.flatMap((file) => {
    const found = read(file);
    if (found.length === 0) return [`${file}: holds no version, but tools/release/versions.mjs names it`];
    return found
      .filter((one) => one !== version)
      .map((one) => `${file}: holds version ${one}, expected ${version}`);
  });
  const others = ['deploy', ...publicPackages().map(({ name }) => `packages/${name}/src`)]
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,yaml,yml}`, { cwd: root }))
    .filter((file) => !/\.test\.ts$|\/gen\//.test(file) && !sources.includes(file))
    .filter((file) => read(file).includes(version));
  return [
    ...listed,
    ...others.map((file) => `${file}: holds the version; name it in tools/release/versions.mjs`),
  ];
}

function packageProblems(manifest, { version, published, together }) {
  const { name } = manifest;
  const problems = [];
  if (manifest.version !== version)
    problems.push(`${name}: version ${manifest.version}, others have ${version}`);
  if (!together.has(name)) problems.push(`${name}: missing in "fixed" of .changeset/config.json`);
  if (manifest.publishConfig?.access !== 'public')
    problems.push(`${name}: publishConfig.access is not "public"`);
  for (const kind of dependencyKinds) {
    for (const other of Object.keys(manifest[kind] ?? {})) {
      if (other.startsWith('@levada/') && !published.has(other)) {
        problems.push(`${name}: ${kind} names ${other}, which is private`);
      }
    }
  }
  return problems;
}

/** A changeset of a package that is not published would be lost. */
function changesetProblems(published) {
  return globSync('.changeset/*.md', { cwd: root }).flatMap((file) => {
    const [, head, ...text] = readFileSync(join(root, file), 'utf8').split(/^---$/m);
    const names = [...(head ?? '').matchAll(/^["']?(@[\w/-]+)["']?: (?:patch|minor|major)$/gm)].map(
      ([, name]) => name,
    );
    if (names.length === 0) return [`${file}: names no package`];
    // It would be missing in the notes.
    if (text.join('').trim() === '') return [`${file}: says nothing of the change`];
    return names
      .filter((name) => !published.has(name))
      .map((name) => `${file}: names ${name}, which is not published`);
  });
}

/**
 * The changesets of a folder that are not part of a version yet. In the time of prereleases (`changeset pre enter beta`) those that
 * are stay, for the version that follows.
 */
export function pendingChangesets(folder) {
  const pre = join(folder, '.changeset/pre.json');
  const { mode, changesets = [] } = existsSync(pre) ? JSON.parse(readFileSync(pre, 'utf8')) : {};
  const done = new Set(mode === 'pre' ? changesets : []);
  return globSync('.changeset/*.md', { cwd: folder }).filter((file) => !done.has(basename(file, '.md')));
}

/** Writes the packages' version into the sources that hold it. */
export function writeVersion(version) {
  for (const file of sources) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replaceAll(versionText, (_, before) => `${before}${version}`),
    );
  }
}
