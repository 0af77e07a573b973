import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** A page, and its name here when that is not its title. */
type Entry = string | readonly [page: string, text: string];

/** Groups of pages by title. */
type Groups = Readonly<Record<string, readonly Entry[]>>;

/** What people come for: pages of their own in reading order, then those of the reference and the explanation that go with them. */
const parts = {
  Service: {
    own: {
      'In a service': [
        'start/service',
        'guides/read-a-stream',
        'guides/websocket-feeds',
        'guides/test-your-service',
        'guides/bundling',
        'guides/write-a-connector',
      ],
    },
    more: {
      Sources: [
        ['packages/source-grpc', 'gRPC'],
        ['packages/source-websocket', 'WebSocket'],
        ['packages/source-otlp', 'OTLP'],
        ['packages/connect-runtime-core', 'Sinks, pipes and tests'],
        'reference/typescript-api',
      ],
      Explanation: ['explanation/connections', 'explanation/delivery-guarantees', 'explanation/backpressure'],
    },
  },
  Worker: {
    own: {
      'Run a worker': [
        'start/operator',
        'guides/kafka-cluster',
        'guides/run-in-containers',
        'guides/run-on-kubernetes',
        'guides/run-under-systemd',
      ],
      Move: ['guides/move-from-kafka-connect', 'guides/move-from-a-collector'],
      Secure: ['guides/tls-and-passwords', 'guides/secrets'],
      Operate: [
        'guides/monitoring',
        'guides/troubleshooting',
        'guides/sizing',
        'guides/backup',
        'guides/upgrades',
      ],
    },
    more: {
      Reference: [
        ['packages/runtime-server', 'Keys of a worker'],
        ['packages/source-grpc', 'gRPC source'],
        ['packages/source-websocket', 'WebSocket source'],
        ['packages/source-otlp', 'OTLP source'],
        'reference/rest',
        'reference/command-line',
        'reference/metrics',
        'reference/log-events',
      ],
      Explanation: [
        'explanation/kafka-connect',
        'explanation/connections',
        'explanation/delivery-guarantees',
        'explanation/backpressure',
      ],
    },
  },
  Projects: {
    own: {
      'Stream projects': ['start/platform-team', 'guides/stream-projects', 'guides/debezium', 'playground'],
    },
    more: {
      Reference: [
        ['reference/stream-project', 'The format'],
        ['reference/diagnostics', 'Diagnostics'],
        'reference/engine-errata',
        ['reference/command-line', 'Command line'],
        'packages/stream-project-compiler',
      ],
      Explanation: ['explanation/time-and-order'],
    },
  },
} as const satisfies Readonly<Record<string, { readonly own: Groups; readonly more: Groups }>>;

const reference: Groups = {
  Reference: ['reference/index'],
  'Connectors and workers': [
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
  ],
  'Stream projects': ['reference/stream-project', 'reference/diagnostics', 'reference/engine-errata'],
  'TypeScript and tests': ['reference/typescript-api', 'reference/continuous-tests', 'reference/benchmarks'],
};

const explanation: Groups = {
  Explanation: [
    ...pagesOf('explanation'),
    'architecture',
    'decisions/README',
    'glossary',
    'api-principles',
    'contributing',
    'contributing/style',
  ],
};

/** One sidebar for each part, by the beginning of paths; the first that fits counts. */
export function sidebar(): DefaultTheme.SidebarMulti {
  const bars: DefaultTheme.SidebarMulti = {};
  for (const { own, more } of Object.values(parts)) {
    const bar = [...groups(own), ...groups(more)];
    for (const page of pagesIn(own)) bars[`/${page}`] = bar;
  }
  bars['/decisions/'] = [
    ...groups(explanation),
    { text: 'Decisions', items: pagesOf('decisions').map((page) => item(page)) },
  ];
  for (const page of pagesIn(explanation)) bars[`/${page}`] ??= groups(explanation);
  const packages = { text: 'Packages', items: pagesOf('packages').map((page) => item(page)) };
  for (const folder of ['/reference/', '/packages/']) bars[folder] = [...groups(reference), packages];
  const links = new Set(
    Object.values(bars).flatMap((bar) => (bar as DefaultTheme.SidebarItem[]).flatMap(linksOf)),
  );
  const left = ['guides', 'reference', 'start', 'packages', 'decisions']
    .flatMap(pagesOf)
    .filter((page) => !links.has(`/${page}`));
  if (left.length > 0) throw new Error(`docs/.vitepress/sidebar.ts: no place for ${left.join(', ')}`);
  return bars;
}

/** The parts as links at the top, each marked on its own pages. */
export function navigation(): DefaultTheme.NavItem[] {
  return [
    ...Object.entries(parts).map(([text, { own }]) => {
      const pages = pagesIn(own);
      return { text, link: `/${pages[0]}`, activeMatch: `^/(?:${pages.join('|')})` };
    }),
    { text: 'Reference', link: '/reference/', activeMatch: '^/(?:reference|packages)/' },
    {
      text: 'Explanation',
      link: '/explanation/delivery-guarantees',
      activeMatch: '^/(?:architecture|explanation|decisions|glossary|api-principles|contributing)',
    },
    { text: 'Playground', link: '/playground' },
  ];
}

function linksOf({ link = '', items = [] }: DefaultTheme.SidebarItem): readonly string[] {
  return [link, ...items.flatMap(linksOf)];
}

function groups(all: Groups): DefaultTheme.SidebarItem[] {
  return Object.entries(all).map(([text, entries]) => ({
    text,
    items: entries.map((entry) => (typeof entry === 'string' ? item(entry) : item(...entry))),
  }));
}

function pagesIn(all: Groups): readonly string[] {
  return Object.values(all)
    .flat()
    .map((entry) => (typeof entry === 'string' ? entry : entry[0]));
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
