// Writes api/<package>[.<entry point>].api.md: every declaration that the entry point of a published package shows, by API Extractor. With
// --check it writes nothing, and fails when a file differs from what it would write. Needs built packages.
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = fileURLToPath(new URL('../..', import.meta.url));
const check = process.argv.includes('--check');

/** Texts that only documentation shows; the reference and the READMEs have them. */
const documentation = /^ *readonly (documentation|optionDocumentation|example|doc|help): .*;\n/gm;

const compilerOptions = {
  target: 'esnext',
  lib: ['esnext', 'dom'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
};
const entries = globSync('packages/*/package.json', { cwd: root }).sort().flatMap(entryPoints);
const temporary = mkdtempSync(join(tmpdir(), 'api-report-'));
try {
  const written = reports();
  const stale = [...written].filter(([file, text]) => contentOf(file) !== text).map(([file]) => file);
  const left = globSync('api/*.api.md', { cwd: root }).filter((file) => !written.has(file));
  for (const file of stale) settle(file, () => writeFileSync(join(root, file), written.get(file)));
  for (const file of left) settle(file, () => rmSync(join(root, file)));
  if (check && stale.length + left.length > 0) process.exitCode = 1;
} finally {
  rmSync(temporary, { recursive: true });
}

/** Declarations of each entry point of a package, and the name of its report. */
function entryPoints(file) {
  const { private: unpublished, exports } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  if (unpublished) return [];
  const folder = join(root, file, '..');
  return Object.entries(exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([name, { types }]) => ({
      folder,
      types: join(folder, types),
      report: [basename(folder), ...name.split('/').slice(1), 'api.md'].join('.'),
    }));
}

/** Path to text of every report. One program of the compiler serves all of them. */
function reports() {
  const configs = entries.map(configOf);
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: entries.map(({ types }) => types),
  });
  const unreadable = [];
  for (const config of configs) {
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback: (message) => {
        if (message.category === 'Compiler') unreadable.push(message.formatMessageWithLocation(root));
        message.handled = true;
      },
    });
  }
  if (unreadable.length > 0) throw new Error(`the declarations have errors:\n${unreadable.join('\n')}`);
  return new Map(
    entries.map(({ report }) => [
      `api/${report}`,
      readFileSync(join(temporary, report), 'utf8').replace(documentation, ''),
    ]),
  );
}

function configOf({ folder, types, report }) {
  const silent = { default: { logLevel: 'none' } };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      apiReport: {
        enabled: true,
        // What an exported declaration refers to is part of the interface, whether it has a name for others or not.
        includeForgottenExports: true,
        reportFileName: report,
        reportFolder: temporary,
        reportTempFolder: join(temporary, 'new'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: { extractorMessageReporting: silent, tsdocMessageReporting: silent },
    },
  });
}

function contentOf(file) {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    return undefined;
  }
}

function settle(file, write) {
  const reason = check ? 'differs from the declarations, run "pnpm run generate"' : 'written';
  process.stdout.write(`${file}: ${reason}\n`);
  if (check) return;
  mkdirSync(join(root, 'api'), { recursive: true });
  write();
}
