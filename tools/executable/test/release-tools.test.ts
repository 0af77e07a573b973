import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));

let home = '';
let server: Server | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'levada-release-tools-'));
});
afterEach(async () => {
  server?.close();
  server?.closeAllConnections();
  server = undefined;
  await rm(home, { recursive: true, force: true });
});

/** A registry that has nothing and takes everything; what it was sent. */
async function startRegistry(): Promise<{ readonly address: string; readonly tags: unknown[] }> {
  const tags: unknown[] = [];
  const take = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== 'PUT') return 404;
    const sent = (await json(request)) as { readonly 'dist-tags': unknown };
    tags.push(sent['dist-tags']);
    return 201;
  };
  server = createServer((request, response) => {
    const answer = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    };
    take(request).then(answer, () => answer(400));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, tags };
}

describe('publishing', () => {
  it('never makes a prerelease the version that everybody gets', async () => {
    const { address, tags } = await startRegistry();
    const versions = ['1.0.0', '1.0.1-beta.1', '1.0.1-0', '1.0.1-latest.2'];
    const packages = versions.map((version, at) => ({
      manifest: { name: `@levada/part-${at}`, version },
      tarball: join(home, `part-${at}`),
    }));
    for (const { manifest, tarball } of packages) {
      await mkdir(tarball);
      await writeFile(join(tarball, 'package.json'), JSON.stringify(manifest));
    }
    await writeFile(
      join(home, '.npmrc'),
      `@levada:registry=http://${address}/\n//${address}/:_authToken=none\ncache=${join(home, 'cache')}\n`,
    );
    await writeFile(join(home, 'package.json'), '{ "private": true }');
    const how = { npm: ['npm'], words: ['--no-provenance'], cwd: home };
    await execute(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { publishAll } from ${JSON.stringify(pathToFileURL(join(root, 'tools/release/publish.mjs')))};
      await publishAll(${JSON.stringify(packages)}, ${JSON.stringify(how)});`,
    ]);
    expect(tags).toEqual([
      { latest: '1.0.0' },
      { beta: '1.0.1-beta.1' },
      { next: '1.0.1-0' },
      { next: '1.0.1-latest.2' },
    ]);
  });
});

describe('turning changesets into versions', () => {
  /** What the tool reads and writes, in a folder of its own. */
  async function copyOfTree(): Promise<string> {
    const tree = join(home, 'tree');
    const isOwn = (path: string): boolean =>
      !/^(?:node_modules|dist|test|bench)$/.test(basename(path)) &&
      (!path.endsWith('.ts') || /\/(?:compose|version|connector|request-headers)\.ts$/.test(path));
    for (const part of [
      'packages',
      'tools',
      '.changeset',
      'CHANGELOG.md',
      'README.md',
      'action.yml',
      '.pre-commit-hooks.yaml',
      'api',
      'deploy',
      'docs/guides',
    ])
      await cp(join(root, part), join(tree, part), { recursive: true, filter: isOwn });
    for (const file of ['package.json', 'pnpm-workspace.yaml']) await cp(join(root, file), join(tree, file));
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
    return tree;
  }

  async function stateOf(tree: string): Promise<unknown> {
    const files = ['CHANGELOG.md', 'packages/cli/package.json', 'packages/runtime-server/src/version.ts'];
    const texts = await Promise.all(files.map((file) => readFile(join(tree, file), 'utf8')));
    return [texts, await readdir(join(tree, '.changeset'))];
  }

  it('leaves those of a time of prereleases that are part of one for the version that follows', async () => {
    await mkdir(join(home, '.changeset'));
    for (const name of ['done', 'pending']) await writeFile(join(home, '.changeset', `${name}.md`), '');
    const pre = { mode: 'pre', tag: 'beta', changesets: ['done'] };
    await writeFile(join(home, '.changeset/pre.json'), JSON.stringify(pre));
    const { stdout } = await execute(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { pendingChangesets } from ${JSON.stringify(pathToFileURL(join(root, 'tools/release/versions.mjs')))};
      console.log(pendingChangesets(${JSON.stringify(home)}).join());`,
    ]);
    expect(stdout).toBe('.changeset/pending.md\n');
  });

  it('says of a first release what it is, and nothing of what was before', async () => {
    const tree = await copyOfTree();
    await execute(process.execPath, [
      '--input-type=module',
      '--eval',
      `import * as notes from ${JSON.stringify(pathToFileURL(join(tree, 'tools/release/notes.mjs')))};
      if (!notes.isFirstRelease()) throw new Error('a release before the first');
      notes.addNotes(notes.writeFirstNotes('0.2.0'));
      if (notes.isFirstRelease()) throw new Error('no release after the first');`,
    ]);
    const changelog = await readFile(join(tree, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain(
      '## 0.2.0\n\nThe first release.\n\nSource connectors for Node, a worker that runs them',
    );
    expect(changelog).toContain(
      '(https://github.com/levada/levada/blob/v0.2.0/docs/guides/read-a-stream.md)',
    );
    expect(changelog).toContain('| `@levada/cli` | The levada command |');
    expect(changelog).not.toMatch(/\]\((?!https?:|\.changeset\))|\b(?:before|no longer|used to)\b/);
    expect(await readFile(join(tree, 'packages/cli/CHANGELOG.md'), 'utf8')).toBe(
      '# @levada/cli\n\n## 0.2.0\n\n### Minor Changes\n\n- First release. The levada command.\n',
    );
  });

  it('writes the version into the chart, into what the chart makes and into API reports', async () => {
    const tree = await copyOfTree();
    await execute(process.execPath, [
      '--input-type=module',
      '--eval',
      `import { writeVersion } from ${JSON.stringify(pathToFileURL(join(tree, 'tools/release/versions.mjs')))};
      writeVersion('9.8.7-beta.6');`,
    ]);
    expect(await readFile(join(tree, 'api/runtime-server.api.md'), 'utf8')).toContain(
      'version = "9.8.7-beta.6"',
    );
    const read = (file: string) => readFile(join(tree, 'deploy/helm', file), 'utf8');
    expect(await read('levada/Chart.yaml')).toMatch(
      /^version: 9\.8\.7-beta\.6\nappVersion: 9\.8\.7-beta\.6$/m,
    );
    const rendered = await read('cases/kafka/rendered.yaml');
    expect(rendered).toContain('helm.sh/chart: levada-9.8.7-beta.6\n');
    expect(rendered).toContain('app.kubernetes.io/version: "9.8.7-beta.6"\n');
    expect(rendered).toContain('image: ghcr.io/levada/levada:9.8.7-beta.6\n');
  });

  it('writes nothing when a changeset says nothing or names a package that is not published', async () => {
    const tree = await copyOfTree();
    await writeFile(join(tree, '.changeset/empty.md'), '---\n"@levada/cli": minor\n---\n\n');
    await writeFile(join(tree, '.changeset/unknown.md'), '---\n"@levada/other": minor\n---\n\nText.\n');
    const before = await stateOf(tree);
    await expect(
      execute(process.execPath, [join(tree, 'tools/release/version.mjs')], { cwd: tree }),
    ).rejects.toMatchObject({
      code: 1,
      stderr:
        'release: nothing was written:\n' +
        '.changeset/empty.md: says nothing of the change\n' +
        '.changeset/unknown.md: names @levada/other, which is not published\n',
    });
    expect(await stateOf(tree)).toEqual(before);
  });
});
