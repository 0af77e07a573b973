// The licences of everything that becomes part of an executable, which most of them ask to be handed on with it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packageFolder = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** One text: that of Levada, that of Node, then those of the packages of bundled files, in order of their names. */
export function licenceTexts(inputs) {
  const folders = new Set(
    inputs.map((path) => packageFolder.exec(path)?.[1]).filter((folder) => folder !== undefined),
  );
  const packages = [...folders].map((folder) => describe(join(root, folder)));
  const node = readFileSync(join(root, 'node_modules', `node-linux-${process.arch}`, 'LICENSE'), 'utf8');
  return [
    section('Levada', readFileSync(join(root, 'LICENSE'), 'utf8')),
    section(`Node.js ${process.version}`, node),
    ...packages.sort((a, b) => (a.title < b.title ? -1 : 1)).map(({ title, text }) => section(title, text)),
  ].join('\n');
}

function describe(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => licenceFile.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  return { title: `${name} ${version} (${license})`, text: texts.join('\n') };
}

function section(title, text) {
  return `${'='.repeat(100)}\n${title}\n${'='.repeat(100)}\n\n${text.trim()}\n`;
}
