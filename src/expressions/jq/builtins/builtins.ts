/** All builtins, and those of jq that have no place here. */
import { type Builtins, plain0 } from '../compile/builtin.ts';
import { CORE } from './core.ts';
import { ENTRIES } from './entries.ts';
import { LISTS } from './lists.ts';
import { NUMBERS } from './numbers.ts';
import { PATHS } from './paths.ts';
import { PATTERNS } from './patterns.ts';
import { PRELUDE } from './prelude.ts';
import { TEXTS } from './texts.ts';

const CODED: Builtins = {
  ...CORE,
  ...PATHS,
  ...LISTS,
  ...ENTRIES,
  ...TEXTS,
  ...PATTERNS,
  ...NUMBERS,
  'builtins/0': plain0((_, meter) => {
    const names = Object.keys(BUILTINS).filter((name) => !name.startsWith('_'));
    meter.make(names.length);
    return names;
  }),
};

export const BUILTINS: Builtins = {
  ...CODED,
  ...Object.fromEntries(
    Object.entries(PRELUDE).map(([name, text]) => [name, { ...CODED[name], text }]),
  ),
};

const NO_INPUT = 'a program has the one input it is given';
const NO_ENVIRONMENT = 'a program does not see the environment';
const NO_MODULES = 'there are no modules here';
const NO_EXIT = 'a program cannot end the process; use error';

/** Why a function of jq is not there, by name and number of arguments. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  'inputs/0': NO_INPUT,
  'input_filename/0': NO_INPUT,
  'input_line_number/0': NO_INPUT,
  'env/0': NO_ENVIRONMENT,
  'modulemeta/0': NO_MODULES,
  'get_search_list/0': NO_MODULES,
  'get_jq_origin/0': NO_MODULES,
  'get_prog_origin/0': NO_MODULES,
  'halt/0': NO_EXIT,
  'halt_error/0': NO_EXIT,
  'halt_error/1': NO_EXIT,
};
