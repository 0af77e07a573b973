// Publishes packed packages, each after those that it depends on, so that no install meets a missing one.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const dependencyKinds = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/**
 * Publishes what the registry does not have yet: a release that was interrupted can be run again. A prerelease never becomes `latest`. `npm` is the words that call the
 * client, `words` are added to `npm publish`, `cwd` is a folder whose .npmrc names the registry.
 */
export async function publishAll(packages, { npm: [npm, ...first], words, cwd }) {
  const { npm_config_user_agent: _, ...env } = process.env;
  const call = (...rest) => execute(npm, [...first, ...rest], { cwd, env, maxBuffer: 1 << 24 });
  for (const { manifest, tarball } of inOrder(packages)) {
    const what = `${manifest.name}@${manifest.version}`;
    const present = await call('view', what, 'version').catch((failed) => {
      if (/\bE404\b/.test(failed.stderr)) return { stdout: '' };
      throw failed;
    });
    if (present.stdout.trim() !== '') {
      process.stdout.write(`${what} is published already\n`);
      continue;
    }
    await call('publish', tarball, '--access', 'public', '--tag', tagOf(manifest.version), ...words);
    process.stdout.write(`${what} published\n`);
  }
}

/**
 * The tag that installs a version: `latest` is what everybody gets, so a prerelease has that of its kind (1.0.0-beta.1: `beta`), or
 * `next`. Npm refuses tags that could be ranges of versions, such as "x".
 */
function tagOf(version) {
  if (!version.includes('-')) return 'latest';
  const [, kind = 'next'] = /-([a-z]{2,})/.exec(version) ?? [];
  return kind === 'latest' ? 'next' : kind;
}

function inOrder(packages) {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  const ordered = new Set();
  const add = (one) => {
    for (const kind of dependencyKinds) {
      for (const name of Object.keys(one.manifest[kind] ?? {})) if (byName.has(name)) add(byName.get(name));
    }
    ordered.add(one);
  };
  for (const one of packages) add(one);
  return ordered;
}
