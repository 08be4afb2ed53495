/** Durations, endpoints, and how data comes in and goes out: what many tasks have. */
import {
  ANYTHING,
  durationText,
  exactlyOne,
  map,
  objectOr,
  type Properties,
  ref,
  shape,
  text,
  uriOrExpression,
  wholeNumber,
} from './schema-parts.ts';

const DURATION_WORDS =
  'a duration: an object such as { seconds: 30 }, ISO 8601 such as PT30S, or "${ … }"';

const shaped = (description: string): Properties[string] => ({
  type: ['string', 'object'],
  description,
});

function flowOfData(title: string, shaping: string): Properties[string] {
  return shape(title, {
    schema: ref('dataSchema'),
    [shaping]: shaped('an expression, or an object with expressions in it'),
  });
}

export const dataShapes: Properties = {
  duration: objectOr(DURATION_WORDS, {
    object: shape(
      'a duration',
      {
        days: wholeNumber(0),
        hours: wholeNumber(0),
        minutes: wholeNumber(0),
        seconds: wholeNumber(0),
        milliseconds: wholeNumber(0),
      },
      [],
      { minProperties: 1, description: DURATION_WORDS },
    ),
    other: durationText,
  }),

  endpoint: objectOr('a URI, an expression "${ … }", or an object with "uri"', {
    object: shape(
      'an endpoint',
      { uri: uriOrExpression, authentication: ref('authenticationOrUse') },
      ['uri'],
    ),
    other: uriOrExpression,
  }),

  resource: shape('an external resource', { name: text(), endpoint: ref('endpoint') }, [
    'endpoint',
  ]),

  dataSchema: shape(
    'a schema',
    {
      format: text('text such as "json" or "json:2020-12"'),
      document: ANYTHING,
      resource: ref('resource'),
    },
    [],
    exactlyOne(['document', 'resource']),
  ),

  input: flowOfData('"input"', 'from'),
  output: flowOfData('"output"', 'as'),
  export: flowOfData('"export"', 'as'),

  timeout: shape('a timeout', { after: ref('duration') }, ['after']),
  timeoutOrName: objectOr('the name of a timeout, or an object with "after"', {
    object: ref('timeout'),
    other: text(),
  }),

  catalog: shape('a catalog', { endpoint: ref('endpoint') }, ['endpoint']),
  metadata: map('an object'),
};
