import type { RawConfig } from '@levada/connect-runtime-core';
import type { ConfigValidation, HerderErrorKind } from '@levada/connect-worker';
import { keyBody, pluginBody, updateBody, validationBody } from './bodies.ts';
import { isHerderError } from './message/error-response.ts';
import { readConfig } from './message/read-body.ts';
import { RestError } from './message/rest-error.ts';
import { pathValue, type RestContext, type Route } from './route.ts';

/** Routes of installed plugins and of validation. */
export const pluginRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/connector-plugins',
    status: 200,
    doc: {
      id: 'listPlugins',
      summary: 'List installed plugins',
      query: { connectorsOnly: '`false`: converters and others too.' },
      answer: 'Plugins',
    },
    handle: (call, { herder }) => {
      // An empty value is no value, and then the default counts.
      const asked = call.query.get('connectorsOnly') || 'true';
      const connectorsOnly = asked.toLowerCase() === 'true';
      return { body: herder.plugins(connectorsOnly).map(pluginBody) };
    },
  },
  {
    method: 'GET',
    path: '/connector-plugins/{plugin}/config',
    status: 200,
    doc: {
      id: 'getPluginConfig',
      summary: 'List the configuration keys of a plugin',
      answer: 'ConfigKeys',
      errors: { 404: 'There is no such plugin.' },
    },
    handle: async (call, { herder, dialect }) => ({
      body: (await herder.pluginConfig(pathValue(call, 'plugin'))).map((key) => keyBody(key, dialect)),
    }),
  },
  {
    method: 'PUT',
    path: '/connector-plugins/{plugin}/config/validate',
    status: 200,
    doc: {
      id: 'validateConfig',
      summary: 'Check a configuration, and store nothing',
      query: { expand: '`update`: what storing it would do.' },
      body: 'ConfigChange',
      answer: 'Validation',
    },
    role: 'operate',
    handle: async (call, context) => {
      const { herder } = context;
      const plugin = pathValue(call, 'plugin');
      const config = readConfig(call.body);
      const body = validationBody(await validate(plugin, config, context), context.dialect);
      if (!call.query.getAll('expand').includes('update')) return { body };
      return { body: { ...body, update: updateBody(await herder.configUpdate(plugin, config)) } };
    },
  },
];

/** Kafka Connect validates on another thread, and hands its refusals on inside another error. */
async function validate(
  plugin: string,
  config: RawConfig,
  { herder, strict }: RestContext,
): Promise<ConfigValidation> {
  try {
    return await herder.validate(plugin, config);
  } catch (thrown) {
    const inner = strict && isHerderError(thrown) ? javaErrors[thrown.kind] : undefined;
    if (inner === undefined || !(thrown instanceof Error)) throw thrown;
    throw new RestError(500, `${inner}: ${thrown.message}`);
  }
}

const javaErrors: Partial<Readonly<Record<HerderErrorKind, string>>> = {
  no_class: 'org.apache.kafka.connect.runtime.rest.errors.BadRequestException',
  unknown_class: 'org.apache.kafka.connect.errors.ConnectException',
};
