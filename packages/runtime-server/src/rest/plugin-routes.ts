import { pluginBody, updateBody, validationBody } from './bodies.ts';
import { readConfig } from './read-body.ts';
import { pathValue, type Route } from './route.ts';

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
    handle: async (call, { herder }) => ({
      body: await herder.pluginConfig(pathValue(call, 'plugin')),
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
    handle: async (call, { herder }) => {
      const plugin = pathValue(call, 'plugin');
      const config = readConfig(call.body);
      const body = validationBody(await herder.validate(plugin, config));
      if (!call.query.getAll('expand').includes('update')) return { body };
      return { body: { ...body, update: updateBody(await herder.configUpdate(plugin, config)) } };
    },
  },
];
