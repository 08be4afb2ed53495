/**
 * Builds the studio into dist/studio, where `perdure dev` finds it. Whether that is needed is for
 * `setup.mjs` to say, which runs before every command that may want it.
 */
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

await build({ configFile: join(root, 'studio', 'vite.config.ts'), logLevel: 'warn' });
