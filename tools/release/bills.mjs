// Software bills of materials (CycloneDX 1.6) of the published packages, of the executables and of the image: everything that an install brings, with
// licences and the checksums of the lock file.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedPackages } from '../packages/cached-packages.mjs';
import { publicPackages, root } from '../packages/pack.mjs';

const executable = '@levada/executable';

/** Writes a bill of each into a folder, and compares them with CycloneDX's own schema. */
export async function writeBills(folder) {
  const names = [...publicPackages().map(({ manifest }) => manifest.name), executable];
  const files = billsOf(names, folder);
  addComponents(
    files.find((file) => file.includes('levada-executable-')),
    [nodeComponent()],
  );
  failOn(await schemaProblems(files));
}

/** Writes the bill of an image: that of the executable, with these components beside it. */
export async function writeImageBill(target, components) {
  const folder = mkdtempSync(join(tmpdir(), 'levada-bill-'));
  try {
    const [file] = billsOf([executable], folder);
    addComponents(file, [nodeComponent(), ...components]);
    failOn(await schemaProblems([file]));
    copyFileSync(file, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function billsOf(names, folder) {
  const filters = names.map((name) => `--filter=${name}`);
  const format = ['--sbom-format', 'cyclonedx', '--sbom-spec-version', '1.6'];
  const words = [...filters, 'sbom', '--split', '--prod', ...format, '--out', join(folder, '%s-%v.cdx.json')];
  execFileSync(join(root, 'node_modules/.bin/pnpm'), words, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.cdx.json'))
    .map((file) => join(folder, file));
  if (files.length !== names.length) throw new Error(`${files.length} bills of ${names.length} packages`);
  return files;
}

/** An executable also holds Node. */
function nodeComponent() {
  const version = process.version.slice(1);
  const purl = `pkg:generic/node@${version}`;
  const licenses = [{ license: { id: 'MIT' } }];
  return { type: 'platform', name: 'node', version, purl, 'bom-ref': purl, licenses };
}

function addComponents(file, components) {
  const bill = JSON.parse(readFileSync(file, 'utf8'));
  const { dependsOn } = bill.dependencies.find(({ ref }) => ref === bill.metadata.component['bom-ref']);
  bill.components.push(...components);
  dependsOn.push(...components.map((component) => component['bom-ref']));
  writeFileSync(file, JSON.stringify(bill, null, 2));
}

function failOn(problems) {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

async function schemaProblems(files) {
  const modules = cachedPackages('cyclonedx', {
    '@cyclonedx/cyclonedx-library': '10.3.0',
    ajv: '8.20.0',
    'ajv-formats': '3.0.1',
    'ajv-formats-draft2019': '1.6.1',
  });
  const { Validation, Spec } = createRequire(join(modules, 'ajv/package.json'))(
    '@cyclonedx/cyclonedx-library',
  );
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  const problems = await Promise.all(
    files.map(async (file) => {
      const found = await validator.validate(readFileSync(file, 'utf8'));
      return found === null ? [] : [`${file}: ${JSON.stringify(found)}`];
    }),
  );
  return problems.flat();
}
