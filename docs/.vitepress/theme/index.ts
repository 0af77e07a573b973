import theme from 'vitepress/theme';
import { h } from 'vue';
import HeroPicture from './HeroPicture.vue';
import './style.css';

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { 'home-hero-image': () => h(HeroPicture) }),
};
