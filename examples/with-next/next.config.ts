import type { NextConfig } from 'next';

/** Perdure stays in node_modules: it starts threads from files of its own. */
const config: NextConfig = { serverExternalPackages: ['perdure'] };
export default config;
