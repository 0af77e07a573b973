// Files made from the rows of stream projects: the JSON Schemas and the reference of the format.
import { code, prose, table } from './tables.mjs';

/** In the package, and on the site under the addresses that are their `$id`. */
const folders = ['packages/stream-project-schema/schema', 'docs/public/schemas'];

/** Path from the root to content. `library` is the built package stream-project-schema. */
export function streamProjectFiles(library) {
  return {
    ...Object.fromEntries(schemaFiles(library)),
    'docs/reference/stream-project.md': reference(library),
  };
}

function schemaFiles({ jsonSchema }) {
  return ['project', 'fragment'].flatMap((form) =>
    ['draft-07', '2020-12'].flatMap((draft) => {
      const schema = jsonSchema({ form, draft });
      const name = schema.$id.split('/').at(-1);
      return folders.map((folder) => [`${folder}/${name}`, `${JSON.stringify(schema, null, 2)}\n`]);
    }),
  );
}

function reference(library) {
  const rows = library.allFields('project');
  const sections = Object.keys(library.documents.project.fields).map((section) => {
    const own = rows.find((row) => row.path === section);
    const inside = rows
      .filter((row) => row.path.startsWith(`${section}.`) || row.path.startsWith(`${section}[]`))
      .filter((row) => !row.path.endsWith('[]') && !/\.<[^>]*>$/.test(row.path))
      .map((row) => keyRow(library, row, relative(row.path, section)));
    const shown = own.field.type === 'list' ? `${section}[]` : section;
    return [
      `## ${section}`,
      `${prose(own.field.doc)} ${own.field.required ? 'Required.' : 'Optional.'} Keys below \`${shown}\`:`,
      table(['Key', 'Value', 'Required', 'Default', 'Meaning'], inside),
    ].join('\n\n');
  });
  return `${[intro, ...sections, vocabularies(library, rows), formats(library)].join('\n\n')}\n`;
}

const intro = `# Stream projects: the format

Generated from the rows of [\`@levada/stream-project-schema\`](../../packages/stream-project-schema); run \`pnpm run generate\` to update it.

\`stream_project.yml\` in the root holds \`project\`, \`runtime\`, \`defaults\` and \`rules\`. \`sources\`, \`models\`, \`tests\` and \`exposures\` may be
there too, or in files of sub-directories, each with any of the four. Other keys are errors. \`\${VAR}\` in any value is replaced from the
environment, or from \`.env\` in the root. In keys, \`[]\` is an entry of a list, and \`<word>\` a key of your own.`;

function relative(path, section) {
  return path.slice(section.length).replace(/^\[\]/, '').replace(/^\./, '');
}

function keyRow(library, { field }, key) {
  return [
    code(key),
    valueText(library, field),
    field.required ? 'yes' : field.requiredWhen ? `when ${prose(field.requiredWhen)}` : '',
    field.default === undefined ? '' : code(String(field.default)),
    prose(field.doc) + statusText(field),
  ];
}

function statusText({ status, secret }) {
  const notes = {
    parsed: ' **Parsed only**: no effect yet.',
    planned: ' **Planned**: not supported yet, an error when written.',
    extension: ' *Extension.*',
  };
  return (notes[status] ?? '') + (secret ? ' *Secret.*' : '');
}

function valueText(library, field) {
  switch (field.type) {
    case 'text':
      return field.format === undefined ? 'text' : `text ([${field.format}](#formats-of-text))`;
    case 'integer':
    case 'number':
      return `${field.type}${boundsText(field)}`;
    case 'boolean':
      return 'boolean';
    case 'enum':
      return (
        Object.keys(field.values).map(code).join(', ') +
        (field.otherwise ? `, [${field.otherwise}](#formats-of-text)` : '')
      );
    case 'scalar':
      return field.orNull ? 'text, number, boolean or null' : 'text, number or boolean';
    case 'list':
      return `list of ${plural(library, field.items)}`;
    case 'map':
      return `map by ${field.keys}: ${valueText(library, field.values)}`;
    case 'choice':
      return 'object with one key';
    case 'union':
      return field.options.map((option) => valueText(library, option)).join(', or ');
    default:
      return field.type;
  }
}

function plural(library, items) {
  if (items.type === 'choice') return 'objects with one key';
  return items.type === 'object' ? 'objects' : valueText(library, items);
}

function boundsText({ min, max }) {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return `, at least ${min}`;
  return max === undefined ? '' : `, at most ${max}`;
}

function vocabularies(library, rows) {
  const seen = new Map();
  for (const { path, field } of rows) {
    if (field.type !== 'enum') continue;
    const values = field.values;
    seen.set(values, [...(seen.get(values) ?? []), path]);
  }
  seen.set(library.materializations, ['what a model becomes (inferred, never written)']);
  const tables = [...seen].map(([values, paths]) => {
    const of = paths.map((path) => (path.includes(' ') ? path : code(path))).join(', ');
    const words = Object.entries(values).map(([word, doc]) => [code(word), prose(doc)]);
    return `Of ${of}:\n\n${table(['Word', 'Meaning'], words)}`;
  });
  return ['## Words', ...tables].join('\n\n');
}

function formats({ textFormats }) {
  const rows = Object.entries(textFormats).map(([name, format]) => [
    name,
    prose(format.expected) + (format.advice ? ' (other text is worth a warning)' : ''),
  ]);
  return ['## Formats of text', table(['Format', 'What is expected'], rows)].join('\n\n');
}
