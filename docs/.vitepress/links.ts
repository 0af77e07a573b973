// Links of pages that are read in the repository too: a link to a file that is a page of the site leads to that page, a link to
// any other file of the repository leads to the repository.
import { existsSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const repository = 'https://github.com/levada/levada';
const file = new RegExp(`^${repository}/(?:blob|tree)/main/([^#]*)(#.*)?$`);

/** Texts of the repository that the site shows: their path, and the page that includes them. */
const included: readonly (readonly [RegExp, string])[] = [
  [/^packages\/([^/]+)(?:\/README\.md)?$/, 'docs/packages/$1.md'],
  [/^docs\/decisions(?:\/README\.md)?$/, 'docs/decisions/index.md'],
  [/^CONTRIBUTING\.md$/, 'docs/contributing.md'],
];

/** Where a link leads that is in the text `source` of the page `page`; both are paths in the repository, equal unless the page includes another file. */
export function siteLink(
  href: string,
  { page, source }: { readonly page: string; readonly source: string },
): string {
  const [, whole, wholeHash = ''] = file.exec(href) ?? [];
  if (whole === undefined && /^(?:[a-z]+:|#|\/)/.test(href)) return href;
  const [, path = '', hash = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  const target = whole ?? normalize(join(dirname(source), path)).replace(/\/$/, '');
  if (!existsSync(join(root, target))) throw new Error(`${source}: links to ${target}, which does not exist`);
  const found = pageOf(target);
  if (found === undefined) return `${repository}/blob/main/${target}${hash || wholeHash}`;
  const link = relative(dirname(page), found);
  return `${link.startsWith('.') ? '' : './'}${link}${hash || wholeHash}`;
}

function pageOf(path: string): string | undefined {
  const row = included.find(([pattern]) => pattern.test(path));
  const page = row === undefined ? path : path.replace(row[0], row[1]);
  const isPage = /^docs\/.*\.md$/.test(page) && (row !== undefined || existsSync(join(root, page)));
  return isPage ? page : undefined;
}
