// The package managers that the packages are tried with: how each is set up in a project, installs it and runs a program in it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Rows of package managers. `files` are written into the project, `environment` holds caches of their own (a packed package keeps
 * its version while its content changes), `run` is what goes before the path of a program.
 */
export function clients({ tools, registry, caches }) {
  const scope = `@levada:registry=${registry}\n`;
  const node = process.execPath;
  const pnpm = (peers) => ({
    files: {
      '.npmrc': scope,
      'pnpm-workspace.yaml': `autoInstallPeers: ${peers}\nstrictPeerDependencies: ${!peers}\n`,
    },
    environment: { npm_config_store_dir: join(caches, `pnpm-${peers}`) },
    install: [node, tools.pnpm, 'install', '--no-frozen-lockfile', '--ignore-scripts'],
  });
  const yarn = (linker) => ({
    files: {
      'yarn.lock': '',
      '.yarnrc.yml': [
        `nodeLinker: ${linker}`,
        'enableTelemetry: false',
        'enableScripts: false',
        'unsafeHttpWhitelist: ["127.0.0.1"]',
        `npmScopes: {levada: {npmRegistryServer: "${registry}"}}`,
        '',
      ].join('\n'),
    },
    environment: {
      YARN_GLOBAL_FOLDER: join(caches, `yarn-${linker}`),
      YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
    },
    install: [node, tools.yarn, 'install'],
  });
  return {
    npm: { files: { '.npmrc': scope }, install: [node, tools.npm, 'install', '--no-audit', '--no-fund'] },
    pnpm: pnpm(true),
    'pnpm without automatic peers': pnpm(false),
    'yarn with node_modules': yarn('node-modules'),
    "yarn with plug'n'play": { ...yarn('pnp'), programs: [tools.yarn] },
    bun: {
      files: { '.npmrc': scope },
      environment: { BUN_INSTALL_CACHE_DIR: join(caches, 'bun') },
      install: [tools.bun, 'install', '--ignore-scripts'],
    },
  };
}

/** Writes a project that depends on these packages. */
export function writeProject(folder, { client, dependencies, type = 'module' }) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: 'a-project', version: '1.0.0', private: true, type, dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  for (const [name, text] of Object.entries(client.files)) writeFileSync(join(folder, name), text);
}
