// Layout of packages. A package lists the folders of its sources in order, as "layers" in its package.json; "." is src/ itself, and
// a folder that is not listed belongs to the folder around it. A file imports only from its own layer and from layers before it.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const MIN_FILES = 4;
const MAX_FILES = 20;
const MAX_LEVELS = 2;
/** Said at the beginning of files that a tool writes. */
const generated = /^\/\/ .*do not change by hand/;
/** A file of fewer lines with a single importer is written in that importer. */
const OWN_FILE_LINES = 30;

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;
const classPattern = /^(?:export )?(?:abstract )?class (\w+)/gm;

/** What breaks the rules of layout in the packages of a repository, one line each. `files` are paths from `root`. */
export function layoutFindings(root, files) {
  const sources = files.filter((file) => /^packages\/[^/]+\/src\/.+\.ts$/.test(file) && !isTest(file));
  const packages = Map.groupBy(sources, (file) => file.split('/')[1]);
  return [
    ...[...packages].flatMap(([name, own]) => packageFindings(root, name, own)),
    ...repeatedClasses(root, sources),
  ];
}

function packageFindings(root, name, own) {
  const folder = `packages/${name}`;
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (manifest.layers === undefined) return [`${folder}/package.json: "layers" is missing`];
  const files = own.map((file) => sourceFile(root, folder, file));
  return [
    ...unknownLayers(folder, manifest.layers, files),
    ...files.flatMap((file) => directionFindings(folder, manifest.layers, file)),
    ...folderFindings(folder, files),
    ...smallFiles(folder, files, manifest),
  ];
}

/** A file of a package: its path below src/, its text, and the files below src/ that it imports. */
function sourceFile(root, folder, file) {
  const path = file.slice(`${folder}/src/`.length);
  const text = readFileSync(join(root, file), 'utf8');
  const imports = [...text.matchAll(importPattern)].map((match) => normalize(join(dirname(path), match[1])));
  return { path, text, imports: [...new Set(imports)] };
}

function unknownLayers(folder, layers, files) {
  const folders = new Set(files.flatMap(({ path }) => [dirname(path), dirname(dirname(path))]));
  return layers
    .filter((layer) => !folders.has(layer))
    .map((layer) => `${folder}/package.json: "layers" names "${layer}", which has no files`);
}

function directionFindings(folder, layers, { path, imports }) {
  const own = layerOf(layers, path);
  if (own < 0) return [`${folder}/src/${path}: "layers" of package.json does not list its folder`];
  return imports
    .filter((target) => layerOf(layers, target) > own)
    .map((target) => `${folder}/src/${path}: imports "${target}", of a layer after its own`);
}

/** Place of a file's layer: that of the deepest listed folder around it. */
function layerOf(layers, path) {
  for (let at = dirname(path); at !== '.'; at = dirname(at)) {
    const place = layers.indexOf(at);
    if (place >= 0) return place;
  }
  return dirname(path) === '.' ? layers.indexOf('.') : -1;
}

function folderFindings(folder, files) {
  const folders = Map.groupBy(files, ({ path }) => dirname(path));
  return [...folders].flatMap(([inside, { length }]) => {
    const where = `${folder}/src/${inside}`;
    const below = files.filter(({ path }) => path.startsWith(`${inside}/`)).length;
    const levels = inside.split('/').length;
    return [
      ...(length > MAX_FILES ? [`${where}: ${length} files, at most ${MAX_FILES} are allowed`] : []),
      ...(inside !== '.' && below < MIN_FILES
        ? [`${where}: ${below} files, at least ${MIN_FILES} are needed`]
        : []),
      ...(levels > MAX_LEVELS ? [`${where}: ${levels} levels, at most ${MAX_LEVELS} are allowed`] : []),
    ];
  });
}

function smallFiles(folder, files, manifest) {
  const entries = JSON.stringify([manifest.exports, manifest.bin]);
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    if (
      lines >= OWN_FILE_LINES ||
      generated.test(text) ||
      entries.includes(`/${path.replace(/\.ts$/, '.js')}"`)
    )
      return [];
    const importers = files.filter(({ imports }) => imports.includes(path));
    if (importers.length !== 1) return [];
    return [`${folder}/src/${path}: ${lines} lines and one importer, write it in ${importers[0].path}`];
  });
}

function repeatedClasses(root, sources) {
  const places = Map.groupBy(
    sources.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(classPattern)].map((match) => ({
        name: match[1],
        file,
      })),
    ),
    ({ name }) => name,
  );
  return [...places]
    .filter(([, found]) => found.length > 1)
    .map(
      ([name, found]) =>
        `class ${name} is defined more than once: ${found.map(({ file }) => file).join(', ')}`,
    );
}

function isTest(file) {
  return /\.(test|bench)\.ts$/.test(file) || file.includes('/gen/');
}
