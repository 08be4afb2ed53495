/** Builtins that make objects of lists, and lists of objects. */
import { isJsonObject, type Json } from '../../../base/json.ts';
import type { Meter } from '../budget.ts';
import { type Builtins, form, plain0 } from '../compile/builtin.ts';
import { type Code, oneCode } from '../compile/code.ts';
import { raise } from '../faults.ts';
import { hasKey, indexValue, keysOf, partsOf } from '../values/access.ts';
import { describe } from '../values/describe.ts';
import { printJson } from '../values/json-print.ts';
import { emptyObject, memberOf, OBJECT_ELEMENTS } from '../values/values.ts';

export const ENTRIES: Builtins = {
  'to_entries/0': plain0(toEntries),
  'from_entries/0': plain0(fromEntries),
  'INDEX/2': form(([source, key], meter) => indexBy(source as Code, key as Code, meter)),
};

function toEntries(value: Json, meter: Meter): Json {
  const keys = keysOf(value, meter);
  const entries: Json[] = [];
  for (const key of keys) {
    meter.make(2 * OBJECT_ELEMENTS);
    const entry = emptyObject();
    entry['key'] = key;
    entry['value'] = indexValue(value, key, meter);
    entries.push(entry);
  }
  return entries;
}

function fromEntries(value: Json, meter: Meter): Json {
  const object = emptyObject();
  meter.make(0);
  for (const entry of partsOf(value, meter)) {
    meter.pay(4);
    meter.grow(OBJECT_ELEMENTS);
    const key = entryKey(entry, meter);
    const found = hasKey(entry, 'value', meter) ? 'value' : 'Value';
    const part = indexValue(entry, found, meter);
    if (typeof key !== 'string') {
      return raise(meter, `Cannot use ${describe(key, meter)} as object key`);
    }
    meter.key(key);
    object[key] = part;
  }
  return object;
}

const ENTRY_KEYS = ['key', 'Key', 'name', 'Name'] as const;

function entryKey(entry: Json, meter: Meter): Json {
  let found: Json = null;
  for (const name of ENTRY_KEYS) {
    found = isJsonObject(entry) ? memberOf(entry, name) : indexValue(entry, name, meter);
    if (found !== null && found !== false) return found;
  }
  return found;
}

function indexBy(source: Code, key: Code, meter: Meter): Code {
  return oneCode(source.size + key.size + 1, (value, env) => {
    const index = emptyObject();
    meter.make(0);
    source.many(value, env, (row) => {
      meter.pay(key.size);
      return key.many(row, env, (found) => {
        meter.grow(OBJECT_ELEMENTS);
        const name = typeof found === 'string' ? found : printJson(found, meter);
        meter.key(name);
        index[name] = row;
        return true;
      });
    });
    return index;
  });
}
