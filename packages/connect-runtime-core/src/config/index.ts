// For tables of configuration keys: what values are checked with, and what providers of values implement.
export type { JaasLogin } from '../text/jaas.ts';
export { jaasEntry, parseJaas } from '../text/jaas.ts';
export { javaTrim } from '../text/java-text.ts';
export { nearest } from '../text/nearest.ts';
export type { ConfigValue } from './config-def.ts';
export type { ConfigType, KeyNeed, UpdateMode } from './config-key.ts';
export type { ConfigKeyInfo } from './config-key-info.ts';
export type { ConfigProvider, ConfigProviderPlugin } from './config-provider.ts';
export type { OptionCheck, OptionChecks, OptionNames } from './option-checks.ts';
export {
  anyFunction,
  boolean,
  checkOptions,
  clockOption,
  configuration,
  filledString,
  loggerOption,
  milliseconds,
  number,
  optionError,
  optionIssues,
  optionsOf,
  required,
  shownValueThat,
  string,
  valueThat,
  wholeNumberFrom,
} from './option-checks.ts';
export { hiddenText } from './secret.ts';
export type { ValidatedValue, Validator } from './validators.ts';
export {
  allOf,
  atLeast,
  between,
  nonBlank,
  nonEmpty,
  oneOf,
  oneOfIgnoringCase,
  optional,
  port,
  topicName,
  withMessage,
} from './validators.ts';
export { httpHeaderName, httpHeaderValue, jsonPointer, jsonText, url } from './wire-validators.ts';
