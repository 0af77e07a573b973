import { registerHooks } from 'node:module';
import { type DescMessage, fromBinary, type Registry, toJsonString } from '@bufbuild/protobuf';

interface Options {
  readonly registry: Registry;
  readonly defaults: boolean;
}

/** What the connector uses of `wireToJson`, with @bufbuild/protobuf: a message object, text, bytes. */
export function wireToJson(message: DescMessage, { registry, defaults }: Options) {
  const json = { registry, alwaysEmitImplicit: defaults };
  const text = (wire: Uint8Array): string => toJsonString(message, fromBinary(message, wire), json);
  const encoder = new TextEncoder();
  return {
    convert: (wire: Uint8Array) => Buffer.from(text(wire)),
    write: (wire: Uint8Array, output: Uint8Array, at: number) => {
      const value = text(wire);
      const { read, written } = encoder.encodeInto(value, output.subarray(at));
      return read === value.length ? at + written : -1;
    },
  };
}

/** From now on the connector is loaded with this converter in place of @levada/protobuf-tables. */
export function useBufbuild(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === '@levada/protobuf-tables'
        ? { url: import.meta.url, shortCircuit: true }
        : next(specifier, context),
  });
}
