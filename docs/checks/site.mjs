// Builds the documentation site and looks for links that lead nowhere, anchors that do not exist, code blocks without a known
// language, and anything that a page would load from another host.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';

const docs = fileURLToPath(new URL('../../docs', import.meta.url));
const out = join(docs, '.vitepress/dist');
const findings = [];

// What VitePress prints of a language that it does not know goes to the error output.
const log = execFileSync('sh', ['-c', 'pnpm run site 2>&1'], { cwd: docs, encoding: 'utf8' });
for (const [line] of log.matchAll(/^.*The language '.*' is not loaded.*$/gm)) findings.push(line);

const pages = new Map(globSync('**/*.html', { cwd: out }).map((file) => [`/${file}`, readPage(file)]));
const sitemap = readFileSync(join(out, 'sitemap.xml'), 'utf8');
for (const [path, { links, loaded, plain, canonical }] of pages) {
  if (path !== '/404.html' && !sitemap.includes(`<loc>${canonical}</loc>`))
    findings.push(`${path}: ${canonical} is not in the sitemap`);
  for (const link of links) if (!leads(path, link)) findings.push(`${path}: the link ${link} leads nowhere`);
  for (const url of loaded) findings.push(`${path}: loads ${url}`);
  if (plain > 0) findings.push(`${path}: ${plain} code blocks without a language`);
}
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.stdout.write(`site: ${pages.size} pages, ${findings.length} findings\n`);
process.exitCode = findings.length > 0 || pages.size < 50 ? 1 : 0;

function readPage(file) {
  const html = readFileSync(join(out, file), 'utf8');
  const all = (pattern) => [...html.matchAll(pattern)].map(([, text]) => decode(text));
  return {
    ids: new Set(all(/ id="([^"]*)"/g)),
    links: new Set(all(/<a [^>]*?href="([^"]*)"/g).filter((href) => !/^[a-z]+:/.test(href))),
    loaded: all(/<(?:script|img|iframe)\b[^>]*? src="((?:https?:)?\/\/[^"]*)"/g).concat(
      all(/<link\b(?! rel="canonical")[^>]*? href="((?:https?:)?\/\/[^"]*)"/g),
    ),
    canonical: all(/<link rel="canonical" href="([^"]*)"/g)[0],
    plain: all(/class="(language-)["\s]/g).length,
  };
}

/** Whether a link of a page leads to a page, an anchor or a file of the site. */
function leads(from, link) {
  const [, path, hash] = /^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/.exec(link);
  const target = path === '' ? from : join(path.startsWith('/') ? '/' : dirname(from), decodeURI(path));
  const candidates = [target, `${target}.html`, join(target, 'index.html')];
  const found = candidates.find((one) => pages.has(one));
  if (found === undefined)
    return path !== '' && globSync(target.slice(1), { cwd: out }).length > 0 && !target.endsWith('/');
  return hash === undefined || hash === '' || pages.get(found).ids.has(decodeURIComponent(hash));
}

function decode(text) {
  return text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
}
