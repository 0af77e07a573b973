import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DefaultTheme } from 'vitepress';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** One sidebar for all pages: groups by what a reader wants, pages in reading order. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  return [
    group('Start', ['start/service', 'start/operator', 'start/platform-team']),
    group('In a service', [
      'guides/read-a-stream',
      'guides/websocket-feeds',
      'guides/test-your-service',
      'guides/bundling',
      'guides/write-a-connector',
    ]),
    group('Stream projects', ['guides/stream-projects', 'playground']),
    group('Explanation', ['architecture', 'glossary', 'api-principles']),
    { text: 'Decisions', collapsed: true, items: pagesOf('decisions') },
    { text: 'Packages', collapsed: true, items: pagesOf('packages') },
  ];
}

function group(text: string, pages: readonly string[]): DefaultTheme.SidebarItem {
  return { text, items: pages.map(item) };
}

function item(page: string): DefaultTheme.SidebarItem {
  return { text: titleOf(page), link: `/${page}` };
}

function pagesOf(folder: string): DefaultTheme.SidebarItem[] {
  return readdirSync(`${docs}${folder}`)
    .filter((name) => /^(?!README|index).*\.md$/.test(name))
    .toSorted()
    .map((name) => item(`${folder}/${name.slice(0, -'.md'.length)}`));
}

/** The first heading of a page, or of the text that it includes. */
function titleOf(page: string): string {
  const text = readFileSync(`${docs}${page}.md`, 'utf8');
  const [, included] = /^<!--@include: (\S+)-->$/m.exec(text) ?? [];
  const source =
    included === undefined ? text : readFileSync(new URL(included, `file://${docs}${page}.md`), 'utf8');
  const [, title = page] = /^(?:# |title: )(.*)$/m.exec(source) ?? [];
  return title;
}
