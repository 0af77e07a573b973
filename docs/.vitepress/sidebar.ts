import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** The pages in reading order: one list for nearly all of them, and one for the decisions. */
export function sidebar(): DefaultTheme.SidebarMulti {
  const bars = {
    '/decisions/': [
      group('Explanation', explanation()),
      { text: 'Decisions', items: pagesOf('decisions').map((page) => item(page)) },
    ],
    '/': [
      group('Start', ['start/service', 'start/operator', 'start/platform-team']),
      group('In a service', [
        'guides/read-a-stream',
        'guides/websocket-feeds',
        'guides/test-your-service',
        'guides/bundling',
        'guides/write-a-connector',
      ]),
      group('Run workers', [
        'guides/kafka-cluster',
        'guides/run-in-containers',
        'guides/run-on-kubernetes',
        'guides/run-under-systemd',
        'guides/move-from-kafka-connect',
        'guides/move-from-a-collector',
        'guides/tls-and-passwords',
        'guides/secrets',
        'guides/monitoring',
        'guides/backup',
        'guides/upgrades',
        'guides/sizing',
        'guides/troubleshooting',
      ]),
      group('Stream projects', ['guides/stream-projects', 'playground']),
      group('Reference', [
        'reference/index',
        ['packages/runtime-server', 'Worker'],
        ['packages/source-grpc', 'gRPC source'],
        ['packages/source-websocket', 'WebSocket source'],
        ['packages/source-otlp', 'OTLP source'],
        ['packages/connect-transforms', 'Transformations'],
        ['packages/registry-converters', 'Converters with a registry'],
        'reference/rest',
        'reference/command-line',
        'reference/metrics',
        'reference/log-events',
        'reference/stream-project',
        'reference/diagnostics',
        'reference/continuous-tests',
        'reference/benchmarks',
        'reference/typescript-api',
      ]),
      group('Explanation', explanation()),
      { text: 'Packages', items: pagesOf('packages').map((page) => item(page)) },
    ],
  };
  const links = new Set(Object.values(bars).flatMap((groups) => groups.flatMap(linksOf)));
  const left = ['guides', 'reference', 'start', 'packages', 'decisions']
    .flatMap(pagesOf)
    .filter((page) => !links.has(`/${page}`));
  if (left.length > 0) throw new Error(`docs/.vitepress/sidebar.ts: no place for ${left.join(', ')}`);
  return bars;
}

function linksOf({ link = '', items = [] }: DefaultTheme.SidebarItem): readonly string[] {
  return [link, ...items.flatMap(linksOf)];
}

function explanation(): readonly Entry[] {
  return [
    ...pagesOf('explanation'),
    'architecture',
    'decisions/README',
    'glossary',
    'api-principles',
    'contributing',
  ];
}

/** A page, and its name here when that is not its title. */
type Entry = string | readonly [page: string, text: string];

function group(text: string, entries: readonly Entry[]): DefaultTheme.SidebarItem {
  return { text, items: entries.map((entry) => (typeof entry === 'string' ? item(entry) : item(...entry))) };
}

function item(page: string, text = titleOf(page)): DefaultTheme.SidebarItem {
  return { text, link: `/${page.replace(/(?:README|index)$/, '')}` };
}

function pagesOf(folder: string): readonly string[] {
  return readdirSync(`${docs}${folder}`)
    .filter((name) => /^(?!README|index).*\.md$/.test(name))
    .toSorted()
    .map((name) => `${folder}/${name.slice(0, -'.md'.length)}`);
}

/** The title of a page, or its first heading, or that of the text that it includes. */
function titleOf(page: string): string {
  const text = readFileSync(`${docs}${page}.md`, 'utf8');
  const [, title = page] = /^(?:title: |# )"?([^"\n]*)"?$/m.exec(text) ?? [];
  return title;
}
