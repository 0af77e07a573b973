// A registry on this machine to rehearse a release with: verdaccio, which takes and serves packages of the scope @levada only. Clients
// ask it for that scope, and get everything else from where they always do.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedPackages } from '../packages/cached-packages.mjs';

/** Its audit middleware asks for a tag of node-fetch that mirrors of the registry may not have. */
const overrides = { 'verdaccio-audit': { 'node-fetch': '2.7.0' } };

/** Starts it on a free port of loopback, with its data below a folder; answers the address, and how to end it. */
export async function startRehearsalRegistry(folder) {
  const modules = cachedPackages('verdaccio', { verdaccio: '6.10.4' }, overrides);
  const { runServer } = createRequire(join(modules, 'verdaccio/package.json'))('verdaccio');
  const server = await runServer({
    self_path: join(folder, 'config.yaml'),
    storage: join(folder, 'storage'),
    packages: { '@levada/*': { access: '$all', publish: '$all' } },
    uplinks: {},
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    // Largest tarballs are half a megabyte; as JSON they grow by a third.
    max_body_size: '10mb',
    web: { enable: false },
    log: { type: 'stdout', format: 'json', level: 'fatal' },
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    address: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
