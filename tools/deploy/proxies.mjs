// The examples of reverse proxies: their own programs read them, with a certificate made for it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../deploy/proxies/', import.meta.url));
/** Programs, their examples, and where those look for files. */
const proxies = [
  { program: 'nginx', file: 'nginx.conf', home: '/etc/nginx', words: (path) => ['-t', '-q', '-c', path] },
  {
    program: 'haproxy',
    file: 'haproxy.cfg',
    home: '/etc/haproxy',
    words: (path) => ['-c', '-q', '-f', path],
  },
];

/** Problems, one text each. What is not installed is left out, with a line that says so. */
export function checkProxies() {
  const home = mkdtempSync(join(tmpdir(), 'levada-proxies-'));
  try {
    writeFiles(home);
    return proxies.flatMap((proxy) => problemsOf(proxy, home));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function writeFiles(home) {
  const [key, certificate] = ['server.key', 'server.crt'].map((name) => join(home, name));
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const words = ['req', '-x509', ...curve, '-subj', '/CN=connect.example', '-days', '1'];
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  writeFileSync(join(home, 'server.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  writeFileSync(join(home, 'users'), '');
}

function problemsOf({ program, file, home: place, words }, home) {
  if (spawnSync(program, ['-v']).error !== undefined) {
    process.stdout.write(`deploy/proxies/${file} was not checked: there is no ${program}\n`);
    return [];
  }
  const text = readFileSync(join(folder, file), 'utf8');
  const copy = join(home, file);
  writeFileSync(
    copy,
    text.replaceAll(`${place}/tls`, home).replaceAll(`${place}/users`, join(home, 'users')),
  );
  const { status, stdout, stderr } = spawnSync(program, words(copy), { encoding: 'utf8' });
  return status === 0 ? [] : [`${file}: ${stdout}${stderr}`.trim()];
}
