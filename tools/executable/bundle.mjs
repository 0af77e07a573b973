// Bundles a program with everything that it imports into one CommonJS file, as single executables need, and finds the programs of
// threads that it starts.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const threads = join(root, 'tools/executable/dist/threads.js');
/** Modules of this repository: packages and examples, as they were built. */
const ours = /\/(?:packages|examples|tools)\/[^/]+\/dist\/.+\.js$/;
/** The file of a thread, which is beside the module that names it. */
const threadFile = /new URL\(\s*[`'"]([\w-]+)\.(?:js|\$\{\w+\})[`'"],\s*import\.meta\.url,?\s*\)/g;
/** Other uses of `import.meta.url`: the path of the executable is what is wanted, or it is not reached in an executable, or in a text. */
const otherUses = [
  'packages/cli/dist/output/package-files.js',
  'packages/cli/dist/worker-commands.js',
  // Stands for the code that compiles, which in an executable is the executable.
  'packages/cli/dist/project/compile-cache.js',
  // Asks whether it is bundled, and requires what is part of the bundle then.
  'packages/runtime-server/dist/compose.js',
  'packages/source-grpc/dist/config/request-keys.js',
  'packages/source-grpc/dist/descriptor/proto/proto-parser.js',
];

/** Lets our modules start threads from assets. Those of plugins are not bundled, and start theirs from files. */
const embeddedThreads = {
  name: 'embedded threads',
  setup({ onResolve }) {
    onResolve({ filter: /^node:worker_threads$/ }, ({ importer }) =>
      ours.test(importer) && importer !== threads ? { path: threads } : undefined,
    );
  },
};

/**
 * CommonJS cannot wait at its top level. Where that is the last thing a program does, nothing is lost: what is rejected ends the thread
 * either way.
 */
const waitsAtTheEnd = (entry) => ({
  name: 'waits at the end',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      if (path !== entry) return undefined;
      const text = readFileSync(path, 'utf8');
      const [before, last, ...more] = text.split(/^await (?=\w)/m);
      if (last === undefined) return undefined;
      if (more.length > 0 || /^\w/m.test(last.slice(last.indexOf('\n') + 1))) {
        throw new Error(`${path} waits at its top level before it ends, which CommonJS cannot`);
      }
      return { contents: `${before}void ${last}` };
    });
  },
});

/** The program as text: `code`, and `threads`, the paths of the programs of threads. */
async function bundleOne(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    // Plugins and packages that are found at run time are looked for beside the executable.
    define: { 'import.meta.url': 'hereUrl' },
    banner: { js: 'const hereUrl = require("node:url").pathToFileURL(process.execPath).href;' },
    legalComments: 'none',
    plugins: [embeddedThreads, waitsAtTheEnd(entry)],
    absWorkingDir: root,
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => ours.test(`/${path}`));
  return { code: outputFiles[0].text, threads: inputs.flatMap(namedBy), inputs: metafile.inputs };
}

/** The programs of threads that a module names. Files that a module looks for beside itself in another way would be missing at run time. */
function namedBy(path) {
  const text = withoutComments(readFileSync(join(root, path), 'utf8'));
  const found = [...text.matchAll(threadFile)].map(([, name]) => join(root, dirname(path), `${name}.js`));
  const left = text.replaceAll(threadFile, '').replaceAll("import.meta.url.endsWith('.ts')", '');
  if (left.includes('import.meta.url') && !otherUses.includes(path)) {
    throw new Error(
      `${path} uses import.meta.url, but not as new URL('<program of a thread>.js', import.meta.url): tools/executable/bundle.mjs has to know what for`,
    );
  }
  return found;
}

function withoutComments(text) {
  return text.replaceAll(/^\s*(?:\*|\/\*|\/\/).*$/gm, '');
}

/** The program, the programs of all threads by the name of their file, and the files that became part of them. */
export async function bundle(entry) {
  const main = await bundleOne(entry);
  const programs = new Map();
  const inputs = { ...main.inputs };
  const open = [...main.threads];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const name = basename(file);
    if (programs.get(name)?.file === file) continue;
    if (programs.has(name)) throw new Error(`two programs of threads are called ${name}`);
    const one = await bundleOne(file);
    programs.set(name, { file, code: one.code });
    Object.assign(inputs, one.inputs);
    open.push(...one.threads);
  }
  return { code: main.code, threads: programs, inputs: Object.keys(inputs) };
}
