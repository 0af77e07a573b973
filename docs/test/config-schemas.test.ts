import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { allTexts, type Block, blocksOf } from './page-blocks.ts';

// A key or its alias is required, so that `required` is apart from `properties`.
const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });

function checkWith(name: string): (value: unknown) => readonly string[] {
  const file = new URL(`../public/schemas/${name}.schema.json`, import.meta.url);
  const check = ajv.compile(JSON.parse(readFileSync(file, 'utf8')) as object);
  return (value) => {
    check(value);
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

const check = {
  otlp: checkWith('otlp-source'),
  websocket: checkWith('websocket-source'),
  grpc: checkWith('grpc-source'),
  worker: checkWith('worker'),
};

/** The connectors of all pages, as files. */
const connectors = allTexts()
  .filter((page) => /^docs\/(?:guides|start)\//.test(page))
  .flatMap((page) => blocksOf(page).map((block): readonly [string, Block] => [page, block]))
  .filter(
    ([, { language, path, text }]) =>
      path !== '' && /^(?:ya?ml|json)$/.test(language) && /"?connector\.class"?: .*Source/.test(text),
  );

describe('JSON Schemas of configurations', () => {
  it('accept each connector of the pages', () => {
    expect(connectors.length).toBeGreaterThan(3);
    for (const [page, { text }] of connectors) {
      const config: unknown = parse(text);
      const kind = text.includes('OpenTelemetrySource') ? 'otlp' : 'websocket';
      expect([page, check[kind](config)]).toEqual([page, []]);
    }
  });

  it('refuse a value of the wrong type, one out of its range and an unknown word, and name the key', () => {
    const otlp = { 'connector.class': 'OpenTelemetrySource' };
    expect(check.otlp(otlp)).toEqual([]);
    expect(check.otlp({ ...otlp, 'otlp.grpc.port': 80 }).join()).toContain('/otlp.grpc.port');
    expect(check.otlp({ ...otlp, 'otlp.ack.mode': 'never' }).join()).toContain('/otlp.ack.mode');
    expect(check.otlp({ ...otlp, 'otlp.grpc.enabled': 'perhaps' }).join()).toContain('/otlp.grpc.enabled');
  });

  it('accept a reference of a config provider for any key', () => {
    const port = ['$', '{env:PORT}'].join('');
    const otlp = { 'connector.class': 'OpenTelemetrySource', 'otlp.grpc.port': port };
    expect(check.otlp(otlp)).toEqual([]);
  });

  it('require what has no default', () => {
    const found = check.websocket({ 'connector.class': 'WebSocketSource', 'platform.topic': 'prices' });
    expect(found.join()).toContain("required property 'websocket.url'");
    expect(check.grpc({ 'connector.class': 'GrpcSource' }).join()).toContain('required property');
  });

  it('accept a worker with text values', () => {
    expect(check.worker({ listeners: 'http://127.0.0.1:8083', 'offset.flush.interval.ms': '1000' })).toEqual(
      [],
    );
    expect(check.worker({ 'offset.flush.interval.ms': 0 }).join()).toContain('/offset.flush.interval.ms');
  });
});

it('each JSON Schema has the address at which the site has it', () => {
  const folder = new URL('../public/schemas/', import.meta.url);
  const names = readdirSync(folder);
  expect(names).toEqual(
    expect.arrayContaining(['worker.schema.json', 'stream-project.schema.json', 'levada.job.2.schema.json']),
  );
  for (const name of names) {
    const { $id } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { readonly $id?: string };
    expect($id).toBe(`https://levada.github.io/levada/schemas/${name}`);
  }
});
