import { relative } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchors.ts';
import { diagram } from './diagrams.ts';
import { repository, root, siteLink } from './links.ts';
import { weightOfPage, wordOfQuery } from './search.ts';
import { navigation, sidebar } from './sidebar.ts';
import { markKeyTables } from './tables.ts';

/** Where the site is published. */
const published = 'https://levada.github.io/levada/';
const base = process.env['LEVADA_DOCS_BASE'] ?? '/';
const description =
  'Stream connectors for Node, a worker with the REST interface of Kafka Connect, and a compiler of stream projects';

export default defineConfig({
  title: 'Levada',
  description,
  lang: 'en',
  cleanUrls: true,
  // Else each page has the titles and sidebars of all others in it.
  metaChunk: true,
  // The site is served from any folder of any host: https://levada.github.io/levada/ with LEVADA_DOCS_BASE=/levada/
  base,
  head: [
    ['link', { rel: 'icon', href: `${base}favicon.svg`, type: 'image/svg+xml' }],
    ['meta', { property: 'og:site_name', content: 'Levada' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:image', content: `${published}social.png` }],
    ['meta', { property: 'og:image:alt', content: description }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  sitemap: { hostname: published },
  transformHead: ({ pageData, title, description: text }) => {
    const path = pageData.relativePath.replace(/(?:(?:^|(?<=\/))index)?\.md$/, '');
    return [
      ['link', { rel: 'canonical', href: `${published}${path}` }],
      ['meta', { property: 'og:title', content: title }],
      ['meta', { property: 'og:description', content: text }],
      ['meta', { property: 'og:url', content: `${published}${path}` }],
    ];
  },
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
      md.core.ruler.push('key_tables', (state) => {
        const at = markKeyTables(state.tokens);
        if (at === undefined) return;
        const filter = new state.Token('html_block', '', 0);
        filter.content = '<KeyFilter />\n';
        state.tokens.splice(at, 0, filter);
      });
      const { image } = md.renderer.rules;
      md.renderer.rules['image'] = (tokens, at, options, env, self) => {
        const { attrs, content = '' } = tokens[at] ?? {};
        const [, src = ''] = attrs?.find(([name]) => name === 'src') ?? [];
        return (
          diagram(env.realPath ?? env.path ?? '', src, md.utils.escapeHtml(content)) ??
          image?.(tokens, at, options, env, self) ??
          ''
        );
      };
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
    nav: navigation(),
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: weightOfPage, processTerm: wordOfQuery } } },
    },
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
  },
});
