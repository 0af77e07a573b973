// Checks the licences of everything that an install of a published package or the executable brings, and of everything that the
// repository is developed with, against lists of what is allowed. Licences are those that packages name in their manifests.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages, root } from '../packages/pack.mjs';

/** What is handed to users: licences that ask for a notice at most. */
const forUsers = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];
/** What only developers run may also ask that changes of its own files stay open, or be for texts. */
const forDevelopers = [...forUsers, 'CC-BY-4.0', 'CC0-1.0', 'EPL-2.0', 'MPL-2.0', 'Python-2.0'];

/** Whether an SPDX expression can be met: with one side of each OR, and with both of each AND. */
export function isAllowed(expression, allowed) {
  const text = expression.trim();
  const inner = /^\(([^()]*)\)$/.exec(text)?.[1];
  if (inner !== undefined) return isAllowed(inner, allowed);
  const joined = (word) => splitOutside(text, ` ${word} `);
  if (joined('OR').length > 1) return joined('OR').some((part) => isAllowed(part, allowed));
  if (joined('AND').length > 1) return joined('AND').every((part) => isAllowed(part, allowed));
  return allowed.includes(text);
}

/** Parts between a word that is not in parentheses. */
function splitOutside(text, word) {
  const parts = [''];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (depth === 0 && text.startsWith(word, at)) {
      parts.push('');
      at += word.length - 1;
      continue;
    }
    depth += { '(': 1, ')': -1 }[text[at]] ?? 0;
    parts[parts.length - 1] += text[at];
  }
  return parts;
}

function licences(...words) {
  const pnpm = join(root, 'node_modules/.bin/pnpm');
  const all = [...words, 'licenses', 'list', '--json'];
  return JSON.parse(execFileSync(pnpm, all, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }));
}

function problemsOf(found, { allowed, what }) {
  return Object.entries(found)
    .filter(([expression]) => !isAllowed(expression, allowed))
    .flatMap(([expression, packages]) =>
      packages.map(
        ({ name, versions }) => `${name} ${versions.join(', ')}: licence ${expression}, not allowed ${what}`,
      ),
    );
}

function main() {
  const names = [...publicPackages().map(({ manifest }) => manifest.name), '@levada/executable'];
  const users = licences('-r', ...names.map((name) => `--filter=${name}`), '--prod');
  const developers = licences('-r');
  const problems = [
    ...problemsOf(users, { allowed: forUsers, what: 'in what users install' }),
    ...problemsOf(developers, { allowed: forDevelopers, what: 'in what developers install' }),
  ];
  const count = (found) => Object.values(found).flat().length;
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write(`licences: ${count(users)} packages for users, ${count(developers)} in all\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
