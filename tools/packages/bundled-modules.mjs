/** The module that holds what others of a bundled package share, below `dist`. */
export const sharedModule = 'shared.js';

/** The modules that the "exports" of a package name, below `dist`: `node/index.js`. */
export function exportedModules({ exports }) {
  return Object.values(exports)
    .flatMap((entry) => entry.default ?? [])
    .map((path) => path.replace('./dist/', ''));
}

/** Whether `bundle.mjs` makes the modules of a package. */
export function isBundled({ scripts }) {
  return scripts.build.includes('bundle.mjs');
}
