/** Events: what one has, which ones are waited for, and what is done with each. */
import {
  ANYTHING,
  exactlyOne,
  expression,
  list,
  map,
  momentOrExpression,
  objectOr,
  only,
  OPEN,
  type Properties,
  ref,
  type Schema,
  shape,
  text,
  uriOrExpression,
} from './schema-parts.ts';

/** An event may have attributes of its own, so nothing is said of any other. */
function event(title: string, more: Schema): Schema {
  return {
    type: 'object',
    title,
    properties: {
      id: text(),
      source: uriOrExpression,
      type: text(),
      time: momentOrExpression,
      subject: text(),
      datacontenttype: text(),
      dataschema: uriOrExpression,
      data: ANYTHING,
    },
    ...more,
  };
}

const correlation = shape('a correlation', { from: expression, expect: text() }, ['from'], OPEN);

const filters = list('a list of event filters', ref('eventFilter'));

function strategy(more: Properties, rules: Schema): Schema {
  const properties = { all: filters, any: filters, one: ref('eventFilter'), ...more };
  return shape('what is listened to', properties, [], {
    ...exactlyOne(['all', 'any', 'one']),
    ...rules,
  });
}

export const eventShapes: Properties = {
  emittedEvent: event('an event that is emitted', { required: ['type'] }),
  eventFilter: shape(
    'an event filter',
    {
      with: event('the "with" of an event filter', {
        minProperties: 1,
        description: 'an object with at least one attribute of an event',
      }),
      correlate: map('an object of correlations by key', correlation),
    },
    ['with'],
  ),
  events: strategy(
    {
      until: objectOr('an expression, or events that end it ("one", "any" or "all")', {
        object: ref('endingEvents'),
        other: text(),
      }),
    },
    only('what is listened to with "until"', 'until', 'any'),
  ),
  /** What ends a listening is not ended itself. */
  endingEvents: strategy({}, {}),
  foreach: shape('"foreach"', {
    item: text('the name of a variable'),
    at: text('the name of a variable'),
    do: ref('tasks'),
    output: ref('output'),
    export: ref('export'),
  }),
};
