// Opens the built site in a browser: one page of each template, light and dark, wide and narrow. Accessibility (axe), errors of
// scripts, requests to other hosts, the search, the playground, and what is copied. With a folder as argument, screenshots go there.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '@levada/test-peers/programs';
import { chromium } from 'playwright-core';
import { serveSite } from './serve.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [screenshots] = process.argv.slice(2);
const findings = [];
/** Longest wait for anything in a page, on a busy machine, in milliseconds. */
const LIMIT_MS = 120_000;
/** How long something that was done may take to show until it is done again. */
const SHOWN_MS = 5000;

const templates = {
  home: '/',
  guide: '/guides/read-a-stream',
  howto: '/guides/tls-and-passwords',
  explanation: '/explanation/delivery-guarantees',
  diagnostic: '/reference/diagnostics/LV1301',
  rest: '/reference/rest',
  package: '/packages/source-websocket',
  api: '/reference/api/source-websocket',
  decision: '/decisions/0006-own-grpc-framing',
  playground: '/playground',
};
/** Searches, each with the pages that may be its first result. */
const searches = {
  LV1301: /\/reference\/diagnostics\/LV1301/,
  'lose messages': /\/explanation\/delivery-guarantees/,
  avro: /\/packages\/registry-converters/,
  'pause a connector': /\/reference\/(?:rest|command-line)#.*pause/,
  reconnect: /\/explanation\/connections/,
};

const appearances = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  {
    colorScheme: 'light',
    viewport: { width: 390, height: 844 },
    only: ['home', 'howto', 'explanation', 'package', 'playground'],
  },
];

const site = await serveSite(fileURLToPath(new URL('../.vitepress/dist', import.meta.url)));
const { program, env } = await findChromium();
const browser = await chromium.launch({ executablePath: program, env, args: ['--no-sandbox'] });
try {
  for (const appearance of appearances) await withPages(appearance, lookAtTemplates);
  await withPages(appearances[0], trySearch);
  await withPages(appearances[0], tryFilter);
  await withPages(appearances[0], tryPlayground);
  await withPages(appearances[0], tryCopy);
} finally {
  await browser.close();
  await site.close();
}
for (const finding of findings) process.stdout.write(`${finding}\n`);
process.stdout.write(`pages in a browser: ${findings.length} findings\n`);
process.exitCode = findings.length > 0 ? 1 : 0;

/** Opens pages in one appearance, and notes what goes wrong in any of them. */
async function withPages({ colorScheme, viewport, only = Object.keys(templates) }, use) {
  const name = `${colorScheme}-${viewport.width}`;
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
  context.setDefaultTimeout(LIMIT_MS);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const open = async (path) => {
    const page = await context.newPage();
    const note = (text) => findings.push(`${name} ${path}: ${text}`);
    page.on('pageerror', (error) => note(`error of a script: ${error.message}`));
    page.on('console', (message) => message.type() === 'error' && note(message.text()));
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(site.url))
        note(`asks ${request.url()}`);
    });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    return { page, note };
  };
  await use({ name, open, only });
  await context.close();
}

async function lookAtTemplates({ name, open, only }) {
  for (const template of only) {
    const path = templates[template];
    const { page, note } = await open(path);
    if (template === 'playground') await page.getByText('Valid, no findings').waitFor();
    if (screenshots !== undefined)
      await page.screenshot({ path: join(screenshots, `${template}-${name}.png`) });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    if (overflow > 0) note(`is ${overflow} pixels wider than the window`);
    await page.evaluate(axe);
    const { violations } = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })');
    for (const { id, impact, nodes } of violations) {
      if (impact === 'serious' || impact === 'critical')
        note(`${impact} ${id}, ${nodes.length} times: ${nodes[0].target} ${nodes[0].failureSummary}`);
    }
    await page.close();
  }
}

/**
 * Does something until it shows: before the scripts of a page run it has no effect, and a machine that stands still misses what shows
 * for two seconds.
 */
async function untilShown(locator, act, state = 'visible') {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    await act();
    try {
      await locator.waitFor({ state, timeout: SHOWN_MS });
      return;
    } catch (failed) {
      if (Date.now() > deadline) throw failed;
    }
  }
}

async function trySearch({ open }) {
  const { page, note } = await open('/');
  const input = page.locator('input.search-input');
  await untilShown(input, () => page.keyboard.press('Control+k'));
  for (const [query, wanted] of Object.entries(searches)) {
    await input.fill(query);
    // The results of the query before are shown until these are there.
    const found = page.locator('.VPLocalSearchBox a.result').first();
    const deadline = Date.now() + SHOWN_MS;
    let href = '';
    do {
      href = (await found.getAttribute('href')) ?? '';
    } while (!wanted.test(href) && Date.now() < deadline);
    if (!wanted.test(href)) note(`the search for "${query}" finds ${href} first`);
  }
  await page.close();
}

async function tryFilter({ open }) {
  const { page, note } = await open('/packages/source-websocket');
  const rows = page.locator('table.keys[data-filter] tbody tr');
  const all = await rows.count();
  const first = await rows.first().textContent();
  if (!first.includes('websocket.url')) note(`the first key is ${first}`);
  const input = page.locator('.key-filter input');
  await untilShown(page.locator('.key-filter output', { hasText: `of ${all}` }), () =>
    input.fill('queue policy'),
  );
  const shown = await page.locator('table.keys[data-filter] tbody tr:visible').allTextContents();
  if (shown.length === 0 || !shown.every((text) => /queue/i.test(text) && /policy/i.test(text)))
    note(`the filter of keys shows ${JSON.stringify(shown)}`);
  await page.close();
}

async function tryPlayground({ open }) {
  const { page, note } = await open('/playground');
  const status = page.locator('.state');
  await status.getByText('Valid, no findings').waitFor();
  const sql = await page.locator('.output').textContent();
  if (!sql.includes('INSERT INTO `orders_clean_topic`')) note(`the SQL is ${sql}`);
  if ((await page.locator('.lineage rect').count()) !== 4) note('the lineage does not have four nodes');
  await page.getByRole('button', { name: 'Make a mistake' }).click();
  await status.getByText('Not valid, 1 finding').waitFor();
  const mistake = await page.locator('.findings').textContent();
  if (!mistake.includes('did you mean "orders_clean"')) note(`the finding is ${mistake}`);
  await page.getByRole('button', { name: 'Start again' }).click();
  await status.getByText('Valid, no findings').waitFor();
  await page.locator('.cm-content').fill('project: { name: shop }\nmodells: []\n');
  await status.getByText('Not valid, 2 findings').waitFor();
  const mistakes = await page.locator('.findings').textContent();
  if (!mistakes.includes('unknown key "modells"')) note(`the findings are ${mistakes}`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.waitForURL(/#project=/);
  const linked = await open(new URL(page.url()).pathname + new URL(page.url()).hash);
  await linked.page.locator('.state').getByText('Not valid, 2 findings').waitFor();
  await linked.page.close();
  await page.close();
}

async function tryCopy({ open }) {
  const { page, note } = await open('/guides/backup');
  const [block] = await page.locator('.language-console').all();
  const button = block.locator('button.copy');
  await untilShown(block.locator('button.copied'), () => button.dispatchEvent('click'), 'attached');
  const copied = await page.evaluate('navigator.clipboard.readText()');
  const shown = await block.locator('pre').textContent();
  if (
    !shown.includes('$ levada') ||
    !/^levada .*\ncurl [^\n]*\nlevada /.test(copied) ||
    copied.includes('healthy')
  )
    note(`copies ${JSON.stringify(copied)}`);
  await page.close();
}
