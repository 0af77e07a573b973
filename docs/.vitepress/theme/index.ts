import type { EnhanceAppContext } from 'vitepress';
import theme from 'vitepress/theme';
import { h } from 'vue';
import { copyCommands } from './copy-commands.ts';
import HeroPicture from './HeroPicture.vue';
import HeroProof from './HeroProof.vue';
import KeyFilter from './KeyFilter.vue';
import './style.css';

export default {
  extends: theme,
  Layout: () =>
    h(theme.Layout, null, {
      'home-hero-image': () => h(HeroPicture),
      'home-hero-actions-after': () => h(HeroProof),
    }),
  enhanceApp: ({ app }: EnhanceAppContext) => {
    app.component('KeyFilter', KeyFilter);
    if (!import.meta.env.SSR) window.addEventListener('click', copyCommands, { capture: true });
  },
};
