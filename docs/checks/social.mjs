// Writes public/social.png, the picture that other sites show of a link to this one: the picture of the home page. Needs the built site.
import { fileURLToPath } from 'node:url';
import { findChromium } from '@levada/test-peers/programs';
import { chromium } from 'playwright-core';
import { serveSite } from './serve.mjs';

const site = await serveSite(fileURLToPath(new URL('../.vitepress/dist', import.meta.url)));
const { program, env } = await findChromium();
const browser = await chromium.launch({ executablePath: program, env, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, reducedMotion: 'reduce' });
  await page.goto(site.url, { waitUntil: 'networkidle' });
  await page.addStyleTag({
    content: `.VPNav, .VPFeatures, .home-examples, .actions, .proof, .tagline, .vp-doc { display: none !important; }
      .VPHome { margin: 0 !important; } .VPHero { padding: 95px 40px !important; margin: 0 !important; }`,
  });
  await page.screenshot({ path: fileURLToPath(new URL('../public/social.png', import.meta.url)) });
} finally {
  await browser.close();
  await site.close();
}
