import type { Mask } from '../../infer/masks.ts';

/** How masks of a sink are applied by transformations of Kafka Connect itself, which every runtime has. */
const classes = {
  redact: 'org.apache.kafka.connect.transforms.MaskField$Value',
  null: 'org.apache.kafka.connect.transforms.ReplaceField$Value',
  tombstone: 'org.apache.kafka.connect.transforms.predicates.RecordIsTombstone',
} as const;

/** What `redact` puts in place of text. */
const stars = '***';

/**
 * The configuration of a connector with transformations that apply masks, before those that the project names: what they copy or
 * rename is masked already. `redact` replaces text, and leaves records without a value alone; `null` takes the field out, since no
 * transformation makes it null.
 */
export function withMasks(
  config: ReadonlyMap<string, string>,
  masks: readonly Mask[],
): ReadonlyMap<string, string> {
  const fields = (method: Mask['method']) => [
    ...new Set(masks.filter((mask) => mask.method === method).map(({ column }) => withoutVariables(column))),
  ];
  const [redacted, removed] = [fields('redact'), fields('null')];
  if (redacted.length + removed.length === 0) return config;
  const [transforms, predicates] = [listOf(config, 'transforms'), listOf(config, 'predicates')];
  const more = new Map<string, string>();
  const own: string[] = [];
  if (redacted.length > 0) {
    const name = freeName('mask_redact', transforms);
    const predicate = freeName('mask_tombstone', predicates);
    own.push(name);
    more.set(`transforms.${name}.type`, classes.redact);
    more.set(`transforms.${name}.fields`, redacted.join(','));
    more.set(`transforms.${name}.replacement`, stars);
    more.set(`transforms.${name}.predicate`, predicate);
    more.set(`transforms.${name}.negate`, 'true');
    more.set('predicates', [predicate, ...predicates].join(','));
    more.set(`predicates.${predicate}.type`, classes.tombstone);
  }
  if (removed.length > 0) {
    const name = freeName('mask_null', transforms);
    own.push(name);
    more.set(`transforms.${name}.type`, classes.null);
    more.set(`transforms.${name}.exclude`, removed.join(','));
  }
  more.set('transforms', [...own, ...transforms].join(','));
  return new Map([...config, ...more]);
}

/** Names of a list of configuration. */
function listOf(config: ReadonlyMap<string, string>, key: string): readonly string[] {
  const names = (config.get(key) ?? '').split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

function freeName(preferred: string, taken: readonly string[]): string {
  let name = preferred;
  while (taken.includes(name)) name = `${name}_`;
  return name;
}

/** Names of columns hold no variables, and configuration does. */
function withoutVariables(name: string): string {
  return name.replaceAll('${', () => '$${');
}
