// Checks the files around the project where they can break: workflows, forms, the action and the pre-commit hook, the development
// container, and the links of the pages in the root.
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { runAction, runHook } from './action-step.mjs';
import { lintWorkflows } from './actionlint.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const text = (file) => readFileSync(join(root, file), 'utf8');
const levada = [process.execPath, join(root, 'packages/cli/bin/levada.js')];

const checks = { workflows, pins, updates, commands, forms, container, links, action, hook };
const problems = [];
for (const [name, check] of Object.entries(checks)) {
  try {
    problems.push(...((await check()) ?? []));
  } catch (failed) {
    problems.push(`${name}: ${failed.message}`);
  }
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`project files: ${Object.keys(checks).join(', ')}\n`);

function workflowFiles() {
  return globSync('.github/workflows/*.yml', { cwd: root });
}

function workflows() {
  return lintWorkflows(workflowFiles(), { cwd: root });
}

/**
 * Actions that run with the rights of this repository are named by the hash of a commit, with the version beside it, from which
 * Dependabot knows what is newer: a tag can be moved to other code.
 */
function pins() {
  const uses = [...workflowFiles(), 'action.yml'].flatMap((file) =>
    [...text(file).matchAll(/^ *(?:- )?uses: (.+)$/gm)].map(([, used]) => ({ file, used })),
  );
  const unpinned = uses
    .filter(({ used }) => !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used))
    .map(
      ({ file, used }) => `${file}: "uses: ${used}", expected <owner>/<name>@<hash of a commit> # v<version>`,
    );
  const byAction = Map.groupBy(uses, ({ used }) => used.split(/[@/]/, 2).join('/'));
  const different = [...byAction]
    .map(([action, same]) => [action, new Set(same.map(({ used }) => used.slice(used.indexOf('@'))))])
    .filter(([, versions]) => versions.size > 1)
    .map(([action, versions]) => `${action} is used in several versions: ${[...versions].join(', ')}`);
  return [...unpinned, ...different];
}

/** Dependabot says nothing of a folder that holds nothing it could update. */
function updates() {
  const file = '.github/dependabot.yml';
  const expected = {
    'github-actions': ['action.yml', '.github/workflows/*.yml'],
    npm: ['package.json'],
    'docker-compose': ['compose.yaml'],
  };
  const { version, updates: rows } = parse(text(file));
  const found = rows.flatMap(
    ({ 'package-ecosystem': kind, directory, directories = [directory], schedule }) => {
      if (expected[kind] === undefined) return [`${file}: unknown package-ecosystem "${kind}"`];
      const empty = directories.filter(
        (folder) =>
          !expected[kind].some((pattern) => globSync(`.${folder}/${pattern}`, { cwd: root }).length > 0),
      );
      return [
        ...empty.map((folder) => `${file}: ${folder} has nothing of ${kind}`),
        ...(['daily', 'weekly', 'monthly'].includes(schedule?.interval)
          ? []
          : [`${file}: ${kind} has no schedule`]),
      ];
    },
  );
  return version === 2 ? found : [`${file}: version ${version}, expected 2`, ...found];
}

/** What workflows and the container call: scripts of package.json, and files. */
function commands() {
  const { scripts, packageManager } = JSON.parse(text('package.json'));
  return [...workflowFiles(), '.devcontainer/devcontainer.json'].flatMap((file) => {
    const found = [...text(file).matchAll(/\b(?:npm|pnpm@\S+) run ([\w:-]+)/g)].map(([, name]) => name);
    const unknown = found.filter((name) => scripts[name] === undefined);
    const others = [...text(file).matchAll(/\bpnpm@[\d.]+/g)].filter(([called]) => called !== packageManager);
    return [
      ...unknown.map((name) => `${file}: package.json has no script "${name}"`),
      ...others.map(([called]) => `${file}: ${called}, expected ${packageManager} as in package.json`),
      ...(/\brun: \.ci\/run$/m.test(text(file)) && !existsSync(join(root, '.ci/run'))
        ? [`${file}: no .ci/run`]
        : []),
    ];
  });
}

/** The parts of GitHub's form schema that are used. */
function forms() {
  return globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).flatMap((file) => {
    const form = parse(text(file));
    if (file.endsWith('config.yml')) {
      const links = form.contact_links ?? [];
      return links.flatMap((link) =>
        ['name', 'url', 'about'].filter((key) => !link[key]).map((key) => `${file}: a link has no ${key}`),
      );
    }
    const missing = ['name', 'description', 'body']
      .filter((key) => !form[key])
      .map((key) => `${file}: no ${key}`);
    const ids = form.body.map(({ id }) => id);
    return [
      ...missing,
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${file}: id ${id} is not unique`),
      ...form.body
        .filter(
          ({ type, attributes }) => !['input', 'textarea', 'dropdown'].includes(type) || !attributes?.label,
        )
        .map(({ id }) => `${file}: ${id} has an unknown type or no label`),
    ];
  });
}

function container() {
  const { image, features } = JSON.parse(text('.devcontainer/devcontainer.json'));
  return image === undefined || features === undefined
    ? ['.devcontainer/devcontainer.json: no image or no features']
    : [];
}

function links() {
  return globSync(['*.md', '.github/*.md'], { cwd: root }).flatMap((file) =>
    [...text(file).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .filter(([, target]) => !existsSync(join(root, dirname(file), target)))
      .map(([, target]) => `${file}: ${target} leads nowhere`),
  );
}

async function action() {
  return withProjects(async ({ sound, broken }) => {
    const command = levada.join(' ');
    const good = await runAction({ folder: sound, command, 'max-warnings': '0' }, { cwd: root });
    const bad = await runAction({ folder: '.', command }, { cwd: broken });
    return [
      ...(good.code === 0 ? [] : [`action.yml: ended with ${good.code} for a sound project: ${good.text}`]),
      ...(bad.code === 1 && /^::error /m.test(bad.text)
        ? []
        : [`action.yml: ended with ${bad.code} for a broken project: ${bad.text}`]),
    ];
  });
}

async function hook() {
  return withProjects(async ({ sound, broken }) => {
    const good = await runHook({ cwd: sound, command: levada });
    const bad = await runHook({ cwd: broken, command: levada });
    return [
      ...(good.code === 0 ? [] : [`.pre-commit-hooks.yaml: ended with ${good.code}: ${good.text}`]),
      ...(bad.code === 1
        ? []
        : [`.pre-commit-hooks.yaml: ended with ${bad.code} for a broken project: ${bad.text}`]),
    ];
  });
}

async function withProjects(work) {
  const folder = mkdtempSync(join(tmpdir(), 'levada-projects-'));
  const [sound, broken] = ['sound', 'broken'].map((name) => join(folder, name));
  try {
    for (const project of [sound, broken])
      cpSync(join(root, 'examples/shop-project'), project, { recursive: true });
    writeFileSync(
      join(broken, 'stream_project.yml'),
      `${text('examples/shop-project/stream_project.yml')}\nunknown_key: 1\n`,
    );
    return await work({ sound, broken });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
