import { configDef, type TransformationPlugin } from '@levada/connect-runtime-core';
import { javaPackage } from './part.ts';

/** Drops every record; with a predicate, those that it holds for. */
export const filter: TransformationPlugin = {
  className: `${javaPackage}.Filter`,
  config: configDef([]),
  create: () => ({ apply: () => null }),
};
