import type { CatalogueEntry } from '../../../diagnostics/catalogue.ts';

/** Codes of assertions (320x, 321x). */
export const assertionCodes = {
  LV3201: {
    name: 'empty-assertion',
    title: 'A test or an assertion of nothing',
    severity: 'warning',
    doc: 'A test without assertions, or an assertion with an empty list, checks nothing and always passes; `accepted_values` without values always fails. Something was forgotten: add it, or remove the assertion.',
  },
  LV3202: {
    name: 'repeated-assertion',
    title: 'An assertion that stands twice',
    severity: 'warning',
    doc: 'Two assertions of a test say the same. The second one checks and reports the same records again. Usually one of them was meant for another column.',
  },
  LV3203: {
    name: 'repeated-entry',
    title: 'An entry that stands twice in a list',
    severity: 'warning',
    doc: 'A column, a value, a model or a source stands twice in one list. The second has no effect. Usually another one was meant.',
  },
  LV3204: {
    name: 'contradictory-bounds',
    title: 'Bounds that nothing is within',
    severity: 'error',
    doc: 'A lower bound is above the upper one, or shares of a distribution are more than the whole. No record can satisfy the assertion, so the test always fails. Usually the two were swapped.',
  },
  LV3205: {
    name: 'bucket-without-effect',
    title: 'A bucket that says nothing of its share',
    severity: 'warning',
    doc: 'A bucket of `distribution` compares the share of its records with `expected_ratio` (give or take `tolerance`), `min_ratio` or `max_ratio`. Without any of them nothing is compared, and `tolerance` says nothing without `expected_ratio`.',
  },
  LV3206: {
    name: 'overlapping-buckets',
    title: 'Buckets that overlap',
    severity: 'warning',
    doc: 'A value lies in two buckets of a `distribution` and counts in both, so the shares add up to more than the whole. A bucket holds values from its `min` on that are below its `max`, so the next one may begin where it ends.',
  },
} as const satisfies Readonly<Record<`LV${number}`, CatalogueEntry>>;
