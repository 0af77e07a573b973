import { registerHooks } from 'node:module';

/** From now on the receiver is loaded with the other reader of OTLP/JSON in place of its own. */
export function useJsonParse(): void {
  const other = new URL('json-parse-decoder.ts', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      /\/json-to-export\.[jt]s$/.test(specifier) && context.parentURL !== other
        ? { url: other, shortCircuit: true }
        : next(specifier, context),
  });
}
