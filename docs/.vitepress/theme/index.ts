import theme from 'vitepress/theme';
import { h } from 'vue';
import { copyCommands } from './copy-commands.ts';
import HeroPicture from './HeroPicture.vue';
import './style.css';

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-image': () => h(HeroPicture) }),
  enhanceApp: () => {
    if (!import.meta.env.SSR) window.addEventListener('click', copyCommands, { capture: true });
  },
};
