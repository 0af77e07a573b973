import { relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchors.ts';
import { repository, root, siteLink } from './links.ts';
import { sidebar } from './sidebar.ts';
import { markKeyTables } from './tables.ts';

export default defineConfig({
  title: 'Levada',
  description:
    'Stream connectors for Node, a worker with the REST interface of Kafka Connect, and a compiler of stream projects',
  lang: 'en',
  cleanUrls: true,
  // The site is served from any folder of any host: https://levada.github.io/levada/ with LEVADA_DOCS_BASE=/levada/
  base: process.env['LEVADA_DOCS_BASE'] ?? '/',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcExclude: ['node_modules/**', '.vitepress/**'],
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    headers: { slugify: anchorOf },
    config: (md) => {
      // Texts mention the braces of templates; they are not expressions of the site.
      md.renderer.rules['text'] = (tokens, at) =>
        md.utils.escapeHtml(tokens[at]?.content ?? '').replaceAll('{{', '&#123;&#123;');
      md.renderer.rules['code_inline'] = (tokens, at) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[at]?.content ?? '')}</code>`;
      const { fence } = md.renderer.rules;
      md.renderer.rules['fence'] = (tokens, at, options, env, self) => {
        const { content = '', info = '' } = tokens[at] ?? {};
        // Reports of APIs are thousands of lines: colors would take longer than all other pages together.
        if (env.relativePath?.startsWith('reference/api/') || fence === undefined)
          return `<div class="language-ts"><pre v-pre tabindex="0"><code>${md.utils.escapeHtml(content)}</code></pre></div>`;
        const [, path] = info.split(' ');
        const title = path === undefined ? '' : `<div class="file-name">${md.utils.escapeHtml(path)}</div>`;
        return title + fence(tokens, at, options, env, self);
      };
      // As the site does, so that wide tables scroll with keys, and with the class of the table.
      md.renderer.rules['table_open'] = (tokens, at, options, _, self) => {
        tokens[at]?.attrSet('tabindex', '0');
        return self.renderToken(tokens, at, options);
      };
      md.core.ruler.push('key_tables', ({ tokens }) => markKeyTables(tokens));
      md.core.ruler.push('site_links', ({ tokens, env }) => {
        if (env.includes === undefined) return; // the index of the search, which has no links
        const page = `docs/${env.relativePath}`;
        const [text] = env.includes;
        const source = text === undefined ? page : relative(root, text);
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.attrGet('href');
          if (token.type === 'link_open' && href !== null)
            token.attrSet('href', siteLink(href, { page, source }));
        }
      });
    },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/service', activeMatch: '/start/' },
      { text: 'Guides', link: '/guides/read-a-stream', activeMatch: '/guides/' },
      { text: 'Reference', link: '/reference/', activeMatch: '/(reference|packages)/' },
      {
        text: 'Explanation',
        link: '/explanation/delivery-guarantees',
        activeMatch: '/(architecture|explanation|decisions|glossary)',
      },
      { text: 'Playground', link: '/playground' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
  },
});
