// A registry on this machine that knows the packed packages of the scope @levada and nothing else. Clients ask it for that scope
// only, so that everything else comes from where it always comes from.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename } from 'node:path';

/** Serves tarballs; answers the address, and how to end it. */
export async function startRegistry(tarballs) {
  const packages = new Map();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url.split('?')[0]);
    const found = packages.get(path.slice(1));
    if (found !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found.document));
      return;
    }
    const packed = [...packages.values()].find((one) => path.endsWith(`/-/${one.file}`));
    if (packed === undefined) response.writeHead(404).end('{}');
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(packed.bytes);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${server.address().port}`;
  for (const tarball of tarballs) {
    const one = describe(tarball, address);
    packages.set(one.document.name, one);
  }
  return { address, close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()) };
}

function describe(tarball, address) {
  const bytes = readFileSync(tarball);
  const manifest = JSON.parse(
    execFileSync('tar', ['xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
  );
  const { name, version } = manifest;
  const file = basename(tarball);
  const dist = {
    tarball: `${address}/${name}/-/${file}`,
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    shasum: createHash('sha1').update(bytes).digest('hex'),
  };
  const document = {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
    time: { [version]: '2026-01-01T00:00:00.000Z' },
  };
  return { file, bytes, document };
}
