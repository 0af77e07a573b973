import { expect, test } from 'vitest';
import { field } from '../derived/field-at.ts';
import { sinkConnectors } from '../fields/vocabulary.ts';
import { sinkConnectorClasses } from './sink-connector-classes.ts';

const words = Object.keys(sinkConnectors);

test('lists a class, its project and its first version for every word of a sink', () => {
  expect(Object.keys(sinkConnectorClasses)).toEqual(words);
  for (const { className, project, since } of Object.values(sinkConnectorClasses)) {
    expect(className).toMatch(/^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9]*)+\.[A-Z]\w+$/);
    expect(className).not.toContain('io.vendor.');
    expect(project).toMatch(/^[\w-]+\/[\w-]+$/);
    expect(since).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

test.each(words)('offers the class of %s as the default that a project may replace', (word) => {
  expect(field(`runtime.connect.connector_classes.${word}`)).toMatchObject({
    type: 'text',
    format: 'class-name',
    status: 'extension',
    default: sinkConnectorClasses[word as keyof typeof sinkConnectorClasses].className,
  });
});
